import type { Bars } from "../domain/market/bars.ts";
import { barLabel } from "../domain/market/bars.ts";
import { formatPlanOdds } from "../domain/odds/odds.text.ts";
import type { PlanOdds, RangeBand } from "../domain/odds/odds.ts";
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

/** Returns a line on the odds of a plan, or two if it has more than `limit` letters: the second has the base rates. */
export function oddsLines(odds: PlanOdds, limit: number): readonly string[] {
  const line = `Odds of the levels: ${formatPlanOdds(odds, "target 1")}`;
  const base = line.indexOf(BASE_RATES);
  return line.length <= limit || base < 0 ? [line] : [line.slice(0, base), line.slice(base + 1)];
}
const BASE_RATES = " (base rates";

export function chartAltText({
  symbol,
  bars,
  verdict,
  plan,
  odds,
  range,
  isSimulated,
}: ChartDescription): string {
  const { length } = bars.time;
  const [first, last] = [bars.close[0]!, bars.close[length - 1]!];
  const what = `${symbol} ${bars.timeframe} candlestick chart${isSimulated ? " of simulated prices" : ""}`;
  const span = `${length} closed bars from ${startText(bars.time[0]!, bars)} to ${startText(bars.time[length - 1]!, bars)}`;
  const extremes = `low ${priceText(Math.min(...bars.low))}, high ${priceText(Math.max(...bars.high))}`;
  const close = `last close ${priceText(last)} (${changeText(first, last)} since the first)`;
  return [
    `${what}: ${span}, ${extremes}, ${close}. ${planText(verdict, plan)}`,
    odds === null ? "" : ` Odds: ${formatPlanOdds(odds, "target 1")}.`,
    rangeText(range),
  ].join("");
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
  const watch = basis === "watch" ? `, levels of the ${side} side for watching only` : "";
  const zone = `entry ${priceText(entry.low)} to ${priceText(entry.high)}`;
  return `${verdict ?? side}${watch}: ${zone}, stop ${priceText(stop)}, targets ${targets.map(priceText).join(", ")}.`;
}
