import type { Side } from "../../analytics/levels/side.ts";
import {
  type EntryOddsOutcome,
  type EntryOutcomes,
  type EntryPlan,
  entryOddsOf,
} from "../../analytics/odds/entry-odds.ts";
import { oddsBars, oddsFault, oddsOf } from "../../analytics/odds/odds.ts";
import type { PlanResults } from "../../analytics/sizing/odds-kelly.ts";
import { TIME_EXIT } from "../../analytics/track/outcome.ts";
import type { ComputeTask } from "../../domain/compute-port.ts";
import type { Bars } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { FillOdds, PlanOdds } from "../../domain/odds/odds.ts";
import type { Ports } from "../../domain/ports.ts";
import { outcomesOf, planOddsOf } from "./signal-odds.ts";

/** Odds of a trade, with the results of its simulated paths if it fills now, or the reason why there are none. */
export type TradeOdds =
  | {
      readonly odds: PlanOdds;
      /** Odds of the fill of an order that waits for its price; null if it fills now. */
      readonly fill: FillOdds | null;
      readonly odds_reason: null;
      readonly results: PlanResults | null;
    }
  | { readonly odds: null; readonly fill: null; readonly odds_reason: string; readonly results: null };

interface TradeOddsInput {
  /** Closed bars of the signal; the last one is the decision bar. */
  readonly bars: Bars;
  readonly instrument: Pick<Instrument, "symbol" | "asset_class">;
  /** Current price. */
  readonly price: number;
  /** Price for which the order waits, and the limit of a stop order; null if it fills now. Default: null. */
  readonly wait?: Required<Pick<EntryPlan, "kind" | "entry" | "limit">> | null;
  readonly side: Side;
  readonly stop: number;
  readonly target: number;
}

/** Simulates 4,000 paths: about 10 ms, for an order that waits about 20 ms. */
export const tradeOddsTask: ComputeTask<TradeOddsInput, TradeOdds> = {
  name: "trade odds",
  duration: "short",
  run({ bars, instrument: { symbol, asset_class: assetClass }, price, wait = null, side, stop, target }) {
    if (wait !== null) {
      const plan = { ...wait, side, stop, target, bars: TIME_EXIT };
      return entryOdds(entryOddsOf({ bars, symbol, assetClass, from: price, plan }), plan);
    }
    const plan = { from: price, side, stop, target, bars: TIME_EXIT };
    const { odds, reason } = oddsOf({ bars, symbol, assetClass, horizons: [], plan });
    if (odds === null) return noTradeOdds(reason);
    const { expectedR, meanSquaredR } = odds.plan!;
    return {
      odds: planOddsOf(odds.plan!, odds),
      fill: null,
      odds_reason: null,
      results: { paths: odds.paths, drift: odds.profile.yearlyDriftPercent, expectedR, meanSquaredR },
    };
  },
};

/**
 * Returns the odds of a trade over 20 bars from its price, or the reason why there are none: too few bars, a suspected
 * split, or a price that is not between stop and target.
 */
export async function tradeOdds(
  input: TradeOddsInput,
  { compute }: Pick<Ports, "compute">,
): Promise<TradeOdds> {
  const { bars, wait, side, stop, target } = input;
  const price = wait?.entry ?? input.price;
  const fault = oddsFault(oddsBars(bars));
  if (fault !== null) return noTradeOdds(fault);
  const isBetween = side === "LONG" ? stop < price && price < target : target < price && price < stop;
  return isBetween
    ? compute.run(tradeOddsTask, input)
    : noTradeOdds(`The price ${price} is not between stop ${stop} and target ${target}`);
}

/** Minimum number of filled paths: with fewer, the standard error of odds of 50 % after a fill exceeds 5 points. */
const MIN_FILLED = 100;

/** Maps how an order ends to the odds of its fill, and those of its exits after it. */
function entryOdds(outcome: EntryOddsOutcome, { entry, bars }: EntryPlan): TradeOdds {
  if (outcome.paths === null) return noTradeOdds(outcome.reason);
  const { version, paths, past } = outcome;
  if (paths.filled < MIN_FILLED)
    return noTradeOdds(
      `The order fills in ${paths.filled} of ${paths.windows} simulated cases within ${bars} bars, too few for odds after its fill`,
    );
  const afterFill = ({ filled, stop, target, neither }: EntryOutcomes) =>
    outcomesOf({ stop: stop / filled, target: target / filled, neither: neither / filled });
  const n_eff = Math.max(1, Math.round(past.filled / bars));
  return {
    odds: {
      version,
      bars,
      from: entry,
      ...afterFill(paths),
      base: past.filled === 0 ? null : { ...afterFill(past), windows: past.filled, n_eff },
    },
    fill: {
      odds: paths.filled / paths.windows,
      base: past.windows === 0 ? null : past.filled / past.windows,
    },
    odds_reason: null,
    results: null,
  };
}

/** Returns a result without odds, with its reason. */
export const noTradeOdds = (odds_reason: string): TradeOdds => ({
  odds: null,
  fill: null,
  odds_reason,
  results: null,
});
