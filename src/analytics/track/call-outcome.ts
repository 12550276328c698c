import type { Bars } from "../../domain/market/bars.ts";
import type { PlanEnd } from "../../domain/odds/plan-end.ts";
import { type EntryPlan, entryOutcomesAt } from "../odds/entry-odds.ts";

/** A checked order or a claim, with its decision bar and levels. */
export interface PastCall {
  /** Time of the recording, and close of the last bar that counts; epoch ms. */
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

/** Outcome of a checked order or a claim. */
export interface CallOutcome {
  readonly filled: boolean;
  /** How the trade ended; null if it was not filled. */
  readonly end: PlanEnd | null;
  /** Last close that counts, at the scale of the prices of the call. */
  readonly close: number;
}

/** Relative change of the decision close up to which it is a correction; a larger one is a split. */
const MAX_CORRECTION = 0.02;
/** Significant digits to which scaled prices are rounded. */
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
 * Returns the outcome; null until a bar closes at `until`, and without the decision bar. Counts only bars that open after
 * `recordedAt`, because daily bars do not show the order of events inside a bar. With `isFinal`, a stop or target that
 * traded counts although the bars end early. Prices are scaled by the decision bar, in case later bars were adjusted for
 * a split.
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
