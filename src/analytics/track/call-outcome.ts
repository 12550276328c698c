import type { Bars } from "../../domain/market/bars.ts";
import type { PlanEnd } from "../../domain/odds/plan-end.ts";
import { type EntryPlan, entryOutcomesAt } from "../odds/entry-odds.ts";

/** What was said of later prices at a time: an order that was checked, or a claim. */
export interface PastCall {
  /** When it was recorded, and the close of the last bar that counts; epoch ms. */
  readonly recordedAt: number;
  readonly until: number;
  /** Close time (epoch ms) and price of the last bar that had closed before. */
  readonly decidedAt: number;
  readonly close: number;
  /** `now` has filled at its entry. */
  readonly plan: Omit<EntryPlan, "bars">;
}

/** Bars with the times at which each opens and closes, epoch ms. */
export interface TimedBars {
  readonly bars: Bars;
  readonly opens: Float64Array;
  readonly closes: Float64Array;
}

/** What came of a call. */
export interface CallOutcome {
  readonly filled: boolean;
  /** How the trade ended; null if it was not filled. */
  readonly end: PlanEnd | null;
  /** Last close that counts, at the scale of the prices of the call. */
  readonly close: number;
}

/**
 * Returns what came of a call; null until a bar closes at its end, and if its decision bar is missing. Bars that had
 * closed when it was recorded do not count. Of the bar in which it was recorded only the close counts, because its high
 * and low may be earlier. Later bars may have been adjusted for a split: prices are scaled by the decision bar.
 */
export function callOutcome({ bars, opens, closes }: TimedBars, call: PastCall): CallOutcome | null {
  const { recordedAt, until, decidedAt, plan } = call;
  const last = closes.findLastIndex((close) => close <= until);
  const isOver = closes.some((close) => close >= until);
  const first = closes.findIndex((close) => close > recordedAt);
  const decided = closes.indexOf(decidedAt);
  if (!isOver || decided < 0 || first < 0 || last < first) return null;
  const scale = bars.close[decided]! / call.close;
  if (!(scale > 0) || !Number.isFinite(scale)) return null;
  const window = { open: [] as number[], high: [] as number[], low: [] as number[], close: [] as number[] };
  const add = (open: number, high: number, low: number, close: number) => {
    window.open.push(open);
    window.high.push(high);
    window.low.push(low);
    window.close.push(close);
  };
  add(plan.entry, plan.entry, plan.entry, plan.entry);
  for (let bar = first; bar <= last; bar++) {
    const [open, high, low, close] = [bars.open[bar]!, bars.high[bar]!, bars.low[bar]!, bars.close[bar]!].map(
      (price) => price / scale,
    ) as [number, number, number, number];
    if (opens[bar]! < recordedAt) add(close, close, close, close);
    else add(open, high, low, close);
  }
  const columns = {
    open: of(window.open),
    high: of(window.high),
    low: of(window.low),
    close: of(window.close),
  };
  const length = columns.close.length - 1;
  const ended = entryOutcomesAt({ ...bars, ...columns }, plan.entry, { ...plan, bars: length });
  return {
    filled: ended.filled > 0,
    end: ended.filled === 0 ? null : ended.stop > 0 ? "stop" : ended.target > 0 ? "target" : "neither",
    close: columns.close[length]!,
  };
}

const of = (values: readonly number[]): Float64Array => Float64Array.from(values);
