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

/** Difference of a decision close and its value now up to which it was corrected, not split. */
const MAX_CORRECTION = 0.02;
/** Digits to which prices are known after a division. */
const DIGITS = 10;

/** Returns the indexes of the first and last bar that count for a call: those that open after it, until its end. */
export function barsOfCall(
  { opens, closes }: Pick<TimedBars, "opens" | "closes">,
  { recordedAt, until }: Pick<PastCall, "recordedAt" | "until">,
): { readonly first: number; readonly last: number; readonly isOver: boolean } {
  return {
    first: opens.findIndex((open) => open >= recordedAt),
    last: closes.findLastIndex((close) => close <= until),
    isOver: closes.some((close) => close >= until),
  };
}

/**
 * Returns what came of a call; null until a bar closes at its end, and without its decision bar. Only bars that open
 * after it was recorded count, because the rest of the bar in which it was recorded cannot be told from its beginning.
 * `isFinal`: no later bar will come; then a stop or target that traded still counts. Later bars may have been adjusted for
 * a split: prices are scaled by the decision bar.
 */
export function callOutcome(timed: TimedBars, call: PastCall, { isFinal = false } = {}): CallOutcome | null {
  const { bars, closes } = timed;
  const { decidedAt, plan } = call;
  const { first, last, isOver } = barsOfCall(timed, call);
  const decided = closes.indexOf(decidedAt);
  if (!(isOver || isFinal) || decided < 0 || first < 0 || last < first) return null;
  const ratio = bars.close[decided]! / call.close;
  if (!(ratio > 0) || !Number.isFinite(ratio)) return null;
  const scale = Math.abs(ratio - 1) <= MAX_CORRECTION ? 1 : ratio;
  const column = (name: "open" | "high" | "low" | "close") =>
    Float64Array.from([
      plan.entry,
      ...Array.from(bars[name].subarray(first, last + 1), (price) =>
        Number((price / scale).toPrecision(DIGITS)),
      ),
    ]);
  const window = { open: column("open"), high: column("high"), low: column("low"), close: column("close") };
  const length = last - first + 1;
  const ended = entryOutcomesAt({ ...bars, ...window }, plan.entry, { ...plan, bars: length });
  const end =
    ended.filled === 0 ? null : ended.stop > 0 ? "stop" : ended.target > 0 ? "target" : ("neither" as const);
  if (!isOver && end !== "stop" && end !== "target") return null;
  return { filled: ended.filled > 0, end, close: window.close[length]! };
}
