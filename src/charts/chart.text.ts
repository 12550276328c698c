import type { Bars } from "../domain/market/bars.ts";
import { barLabel } from "../domain/market/bars.ts";
import { formatOutcomes, joinBase, type OddsText, outcomesText } from "../domain/odds/odds.text.ts";
import type { PlanOdds, RangeBand } from "../domain/odds/odds.ts";
import { watchingText } from "../lib/levels-side.ts";
import { barText, changeText, priceText } from "./figures.ts";
import type { ChartPlan } from "./plan.ts";

interface ChartDescription {
  readonly symbol: string;
  /** The bars shown. */
  readonly bars: Bars;
  readonly verdict: "LONG" | "SHORT" | "WAIT" | null;
  readonly plan: ChartPlan | null;
  readonly odds: PlanOdds | null;
  readonly range: readonly RangeBand[] | null;
  readonly isSimulated: boolean;
}

/** Formats the start of a bar for display. */
export const startText = (time: number, { timeframe }: Pick<Bars, "timeframe">): string =>
  barText(barLabel(time, timeframe));

/** Letters of a line of text on odds that fit into the picture. */
const LINE_CHARS = 145;

/**
 * Returns a text on odds as a line between `start` and `end`, or as two if it does not fit into the picture: the second
 * has the base. Default: no start and no end.
 */
export function oddsLines(
  odds: OddsText,
  { start = "", end = "" }: { readonly start?: string; readonly end?: string },
): readonly string[] {
  const { text, base } = odds;
  const line = `${start}${joinBase(odds)}${end}`;
  return base === null || line.length <= LINE_CHARS ? [line] : [`${start}${text}`, `${base}${end}`];
}

/** Returns the line on the odds of a plan, or two. */
export const planOddsLines = (odds: PlanOdds): readonly string[] =>
  oddsLines(outcomesText(odds, "target 1"), { start: "Odds: " });

export const chartAltText = ({ verdict, plan, odds, range, ...shown }: ChartDescription): string =>
  [
    `${candlesText(shown)} ${planText(verdict, plan)}`,
    odds === null ? "" : ` Odds: ${formatOutcomes(odds, "target 1")}.`,
    rangeText(range),
  ].join("");

/** Describes the bars of a candlestick chart in one sentence. */
export function candlesText({
  symbol,
  bars,
  isSimulated,
}: Pick<ChartDescription, "symbol" | "bars" | "isSimulated">): string {
  const { length } = bars.time;
  const [first, last] = [bars.close[0]!, bars.close[length - 1]!];
  const what = `${symbol} ${bars.timeframe} candlestick chart${isSimulated ? " of simulated prices" : ""}`;
  const span = `${length} closed bars from ${startText(bars.time[0]!, bars)} to ${startText(bars.time[length - 1]!, bars)}`;
  const extremes = `low ${priceText(Math.min(...bars.low))}, high ${priceText(Math.max(...bars.high))}`;
  const close = `last close ${priceText(last)} (${changeText(first, last)} since the first)`;
  return `${what}: ${span}, ${extremes}, ${close}.`;
}

function rangeText(range: ChartDescription["range"]): string {
  const last = range?.at(-1);
  return last === undefined
    ? ""
    : ` In 90 of 100 cases the close after ${last.bars} bars is ${priceText(last.p5)} to ${priceText(last.p95)}.`;
}

function planText(verdict: ChartDescription["verdict"], plan: ChartPlan | null): string {
  if (plan === null) return verdict === null ? "No levels are shown." : `${verdict}; no levels are shown.`;
  const { side, basis, entry, stop, targets } = plan;
  const watch = basis === "watch" ? `, levels ${watchingText(side)}` : "";
  const zone = `entry ${priceText(entry.low)} to ${priceText(entry.high)}`;
  return `${verdict ?? side}${watch}: ${zone}, stop ${priceText(stop)}, targets ${targets.map(priceText).join(", ")}.`;
}
