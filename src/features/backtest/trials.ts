import { createHash } from "node:crypto";
import type { Params } from "../../analytics/backtest/strategies/params.ts";
import { varianceOf } from "../../analytics/backtest/sweep.ts";
import { MAX_BACKTESTS } from "../../domain/backtest/backtest.ts";
import type { BacktestHead } from "../../domain/backtest/backtests-port.ts";
import { TrialRecord } from "../../domain/backtest/trials.ts";
import type { StrategyPlan } from "./plan.ts";

/** Age at which a trial is no longer counted. */
const MAX_TRIAL_AGE_DAYS = 365;
/** Least share of the traded period that an earlier run must have traded to count. */
const MIN_OVERLAP = 0.5;
const DAY_MS = 86_400_000;

/** Returns the key of settings; the order in which parameters are written does not change it. */
export function trialKey(
  { strategy, rules }: Pick<StrategyPlan, "strategy" | "rules">,
  params: Params,
): string {
  const sorted = Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([strategy, rules, sorted]))
    .digest("hex")
    .slice(0, 12);
}

/** Returns the trials of the stored backtests of an account that are not too old to count. */
export const recordedTrials = (stored: readonly BacktestHead[], now: Date): readonly TrialRecord[] =>
  stored.flatMap(({ createdAt, request }) => {
    const { data } = TrialRecord.safeParse(request.trials);
    const isCounted = now.getTime() - Date.parse(createdAt) <= MAX_TRIAL_AGE_DAYS * DAY_MS;
    return data !== undefined && isCounted ? [data] : [];
  });

/**
 * Returns the number of different settings that were run on the bars of `own`, those of earlier runs included, and the
 * sample variance of their Sharpe ratios. An earlier run counts if it has the same symbols and timeframe and traded at
 * least half of the same period.
 */
export function countTrials(
  own: TrialRecord,
  earlier: readonly TrialRecord[],
): { readonly count: number; readonly variance: number | null } {
  const same = earlier.filter((one) => isOfSameBars(one, own));
  const trials = new Map([...same, own].flatMap((one) => one.trials));
  return { count: trials.size, variance: varianceOf([...trials.values()]) };
}

function isOfSameBars(one: TrialRecord, own: TrialRecord): boolean {
  if (one.timeframe !== own.timeframe || `${[...one.symbols].sort()}` !== `${[...own.symbols].sort()}`)
    return false;
  const shared = Math.min(one.to, own.to) - Math.max(one.from, own.from);
  return shared >= MIN_OVERLAP * (own.to - own.from);
}

/** Returns the sentence on how many trials were counted. */
export const describeTrials = (count: number): string =>
  `${count} trials are counted: settings that this account ran on these symbols and bars (newest ${MAX_BACKTESTS} backtests, ${MAX_TRIAL_AGE_DAYS} days).`;
