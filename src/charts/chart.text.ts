import type { Bars } from "../domain/market/bars.ts";
import { barLabel } from "../domain/market/bars.ts";
import { barText, changeText, priceText } from "./figures.ts";
import type { ChartPlan } from "./plan.ts";

interface ChartDescription {
  readonly symbol: string;
  /** The bars shown. */
  readonly bars: Bars;
  readonly verdict: "LONG" | "SHORT" | "WAIT" | null;
  readonly plan: ChartPlan | null;
  readonly isSimulated: boolean;
}

/** Formats the start of a bar for display. */
export const startText = (time: number, { timeframe }: Pick<Bars, "timeframe">): string =>
  barText(barLabel(time, timeframe));

export function chartAltText({ symbol, bars, verdict, plan, isSimulated }: ChartDescription): string {
  const { length } = bars.time;
  const [first, last] = [bars.close[0]!, bars.close[length - 1]!];
  const what = `${symbol} ${bars.timeframe} candlestick chart${isSimulated ? " of simulated prices" : ""}`;
  const span = `${length} closed bars from ${startText(bars.time[0]!, bars)} to ${startText(bars.time[length - 1]!, bars)}`;
  const range = `low ${priceText(Math.min(...bars.low))}, high ${priceText(Math.max(...bars.high))}`;
  const close = `last close ${priceText(last)} (${changeText(first, last)} since the first)`;
  return `${what}: ${span}, ${range}, ${close}. ${planText(verdict, plan)}`;
}

function planText(verdict: ChartDescription["verdict"], plan: ChartPlan | null): string {
  if (plan === null) return verdict === null ? "No levels are shown." : `${verdict}; no levels are shown.`;
  const { side, basis, entry, stop, targets } = plan;
  const watch = basis === "watch" ? `, levels of the ${side} side for watching only` : "";
  const zone = `entry ${priceText(entry.low)} to ${priceText(entry.high)}`;
  return `${verdict ?? side}${watch}: ${zone}, stop ${priceText(stop)}, targets ${targets.map(priceText).join(", ")}.`;
}
