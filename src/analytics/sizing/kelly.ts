import type { TrackRow } from "../../domain/track-record/track.ts";
import { decimal, truncated } from "../../lib/decimal.ts";
import { effectiveCount, wilson } from "../track/interval.ts";
import { TIME_EXIT } from "../track/outcome.ts";
import { DEFAULT_KELLY_FRACTION } from "./caps.ts";
import { noTradeSize, type Size, type SizingInput, type SizingStep, sizingStep, unitsFor } from "./units.ts";

/**
 * Returns the Kelly share of capital to risk, f = p - (1 - p) / b: `p` is the probability to win, b the ratio of mean
 * win to mean loss, each above 0 in units of the risk. Without any loss (null) it is p; without any win, -Infinity.
 * @see J. L. Kelly, "A new interpretation of information rate", 1956
 */
export function kellyShare(p: number, win: number | null, loss: number | null): number {
  if (loss === null) return p;
  if (win === null) return Number.NEGATIVE_INFINITY;
  return p - (1 - p) / (win / loss);
}

/** Decimals of reported record figures. */
const DISPLAY_DECIMALS = 6;
const figure = (name: string, formula: string, value: number): SizingStep =>
  sizingStep(name, formula, decimal(value), DISPLAY_DECIMALS);

/** Results of trades of one grade, side and asset class, in R with a 20-bar time exit. */
export type TradeRecord = Pick<TrackRow["trades"], "n" | "win_rate" | "mean_win_r" | "mean_loss_r">;

/** A size by the record; `noEdge` says why Kelly is not above 0, and is null if it is. */
export interface KellySize extends Size {
  readonly noEdge: string | null;
}

interface KellyOptions {
  /** Reward to risk of the plan; reported if there is no record. */
  readonly planned: number | null;
  readonly fraction?: number;
}

/**
 * Returns the size for a fraction of the Kelly stake (default: a quarter) from a record of trades. Without a record
 * only even odds can be assumed and Kelly is 0. If Kelly is not above 0, there is no size.
 */
export function sizeByKelly(
  input: SizingInput,
  record: TradeRecord,
  { planned, fraction = DEFAULT_KELLY_FRACTION }: KellyOptions,
): KellySize {
  const without = (noEdge: string, steps: readonly SizingStep[]): KellySize => ({
    ...noTradeSize(noEdge, steps),
    noEdge,
  });
  const { n, win_rate, mean_win_r: win, mean_loss_r: loss } = record;
  if (n === 0 || win_rate === null) return without(NO_TRADES, unprovenSteps(planned));
  const worth = effectiveCount(n, TIME_EXIT);
  const p = wilson(win_rate, worth)!.low;
  const steps = [
    sizingStep("trades", "of this grade, side and asset class", decimal(n)),
    figure("win_rate", "share of them with R > 0", win_rate),
    figure("effective_n", `trades / ${TIME_EXIT}, because they overlap`, worth),
    figure("p", "lower 95% Wilson bound of win_rate over effective_n", p),
  ];
  if (win === null) return without(`none of ${n} trades won`, steps);
  // losing trades without a loss amount give no mean loss
  const lost = loss === null || loss === 0 ? null : Math.abs(loss);
  const f = kellyShare(p, win, lost);
  if (lost === null) steps.push(figure("kelly", "p, because no trade lost", f));
  else steps.push(figure("b", "mean win R / mean loss R", win / lost), figure("kelly", "p - (1 - p) / b", f));
  if (f <= 0)
    return without(
      `Kelly is ${truncated(decimal(f), DISPLAY_DECIMALS)}, not above 0: the record shows no edge`,
      steps,
    );
  steps.push(figure("share", `${fraction} x kelly`, fraction * f));
  return { ...unitsFor(input, decimal(fraction * f), steps), noEdge: null };
}

const NO_TRADES = "no such trades are on record yet, so Kelly is 0";

function unprovenSteps(planned: number | null): readonly SizingStep[] {
  const none = sizingStep("trades", "of this grade, side and asset class", decimal(0));
  const kelly = sizingStep("kelly", "p - (1 - p) / b", decimal(0));
  if (planned === null || !(planned > 0)) return [none, kelly];
  return [
    none,
    figure("b", "reward / risk of the plan", planned),
    figure("p", "1 / (1 + b), the break-even rate", 1 / (1 + planned)),
    kelly,
  ];
}
