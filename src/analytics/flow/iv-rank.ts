import type { OptionsFlow } from "../../domain/options-flow/flow.ts";
import type { FlowDay } from "../../domain/options-flow/options.ts";

const YEAR = 252;
/** Minimum number of stored days: half a year of sessions. */
export const MIN_DAYS = 126;

export type IvRank = Omit<OptionsFlow["iv"], "atm_30d">;

/**
 * Ranks a volatility among the last 252 stored days that have one; null with a reason until 126 days are stored. In
 * the percentile, each day with an equal volatility counts as half a day.
 */
export function ivRank(iv: number | null, storedDays: readonly FlowDay[]): IvRank {
  const known = storedDays.flatMap(({ atmIv }) => atmIv ?? []).slice(-YEAR);
  const days = known.length;
  const none = (reason: string): IvRank => ({ rank: null, percentile: null, days, reason });
  if (iv === null) return none("The chain has no volatility for 30 days");
  if (days < MIN_DAYS) return none(`Needs ${MIN_DAYS} stored days of snapshots, has ${days}`);
  const [low, high] = [Math.min(iv, ...known), Math.max(iv, ...known)];
  const below = known.filter((one) => one < iv).length;
  const equal = known.filter((one) => one === iv).length;
  return {
    rank: high === low ? 50 : (100 * (iv - low)) / (high - low),
    percentile: (100 * (below + equal / 2)) / days,
    days,
    reason: null,
  };
}
