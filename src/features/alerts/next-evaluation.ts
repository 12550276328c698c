import type { Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { nextClose } from "./bar-close.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Delay after a close at which providers are expected to return the closed bar. */
const BAR_DELAY_MS = 2 * SECOND;
/** Longest retry delay for a late bar or after a failure. */
const MAX_RETRY_DELAY_MS = 15 * MINUTE;
const MAX_RETRIES = 20;

export interface NextEvaluation {
  /** Epoch ms. */
  readonly at: number;
  /** Consecutive evaluations without a new bar or with a failure. */
  readonly retries: number;
  /** Close of the newest bar seen, ISO 8601 UTC. */
  readonly closedAt: string | null;
}

/** An evaluation of a series that has ended. */
interface Evaluated extends Pick<NextEvaluation, "closedAt"> {
  readonly now: number;
  readonly timeframe: Timeframe;
  readonly assetClass: AssetClass;
}

/** Returns the state of a series that was never evaluated: it is due now. */
export const evaluateNow = (now: number): NextEvaluation => ({ at: now, retries: 0, closedAt: null });

/** Returns the delay before a retry: 1, 2, 4 minutes, doubling up to 15. */
const retryDelay = (retries: number): number => Math.min(MAX_RETRY_DELAY_MS, MINUTE * 2 ** retries);

/**
 * Returns the next evaluation: after a new bar at the next close, otherwise after the retry delay. Not croner: it cannot
 * combine session closes with retries for late bars.
 */
export function nextEvaluation(
  before: NextEvaluation,
  { now, closedAt, timeframe, assetClass }: Evaluated,
): NextEvaluation {
  const next = nextClose(now, timeframe, assetClass) + BAR_DELAY_MS;
  const isNew = before.closedAt === null || (closedAt !== null && closedAt > before.closedAt);
  if (isNew || before.retries >= MAX_RETRIES) return { at: next, retries: 0, closedAt };
  return {
    at: Math.min(next, now + retryDelay(before.retries)),
    retries: before.retries + 1,
    closedAt: before.closedAt,
  };
}

export const nextEvaluationAfterFailure = (before: NextEvaluation, now: number): NextEvaluation => ({
  ...before,
  at: now + retryDelay(before.retries),
  retries: Math.min(MAX_RETRIES, before.retries + 1),
});
