import type { Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { nextClose } from "./bar-close.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** What a source may need to close a bar. */
const BAR_DELAY_MS = 2 * SECOND;
/** How long it is asked again for a bar that did not come, and after a failure. */
const MAX_RETRY_DELAY_MS = 15 * MINUTE;
const MAX_RETRIES = 20;

/** When a series is looked at next. */
export interface NextEvaluation {
  /** Epoch ms. */
  readonly at: number;
  /** Looks in a row that found no new bar or failed. */
  readonly again: number;
  /** When the newest bar closed that was seen, ISO 8601 UTC. */
  readonly closedAt: string | null;
}

/** A series nobody looked at yet: now. */
export const evaluateNow = (now: number): NextEvaluation => ({ at: now, again: 0, closedAt: null });

/** Waits that double: one minute, two, four, up to a quarter of an hour. */
const retryDelay = (again: number): number => Math.min(MAX_RETRY_DELAY_MS, MINUTE * 2 ** again);

/** The next look after one at `now`: at the next close where there was a new bar, else soon again, since sources are late. */
export function nextEvaluation(
  before: NextEvaluation,
  {
    now,
    closedAt,
    timeframe,
    assetClass,
  }: {
    readonly now: number;
    readonly closedAt: string | null;
    readonly timeframe: Timeframe;
    readonly assetClass: AssetClass;
  },
): NextEvaluation {
  const next = nextClose(now, timeframe, assetClass) + BAR_DELAY_MS;
  const isNew = before.closedAt === null || (closedAt !== null && closedAt > before.closedAt);
  if (isNew || before.again >= MAX_RETRIES) return { at: next, again: 0, closedAt };
  return {
    at: Math.min(next, now + retryDelay(before.again)),
    again: before.again + 1,
    closedAt: before.closedAt,
  };
}

/** The next look after one that failed. */
export const nextEvaluationAfterFailure = (before: NextEvaluation, now: number): NextEvaluation => ({
  ...before,
  at: now + retryDelay(before.again),
  again: Math.min(MAX_RETRIES, before.again + 1),
});
