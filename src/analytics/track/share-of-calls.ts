import { type ProbabilityInterval, wilson } from "./interval.ts";

/** A call with its outcome. */
export interface SettledCall {
  readonly symbol: string;
  /** Calls of one group weigh together as much as one. */
  readonly group: string;
  /** Its window, epoch ms. */
  readonly from: number;
  readonly until: number;
  readonly happened: boolean;
  /** Odds that were given, 0-1; null without. */
  readonly odds: number | null;
  /** Share of past windows, 0-1; null without. */
  readonly base: number | null;
}

/** How often something happened in calls. Shares are 0-1; null without calls. */
export interface ShareOfCalls {
  readonly n: number;
  /** Windows of one symbol that do not overlap. */
  readonly n_eff: number;
  readonly happened: number | null;
  /** 95 % interval of `happened` over `n_eff`. */
  readonly interval: ProbabilityInterval | null;
  /** Means over the calls that have them. */
  readonly odds: number | null;
  readonly base: number | null;
}

/** Returns how often something happened; each group of calls weighs as much as one call. */
export function shareOfCalls(calls: readonly SettledCall[]): ShareOfCalls {
  const sizes = new Map<string, number>();
  for (const { group } of calls) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const meanOf = (figure: (call: SettledCall) => number | null): number | null => {
    let [sum, weights] = [0, 0];
    for (const call of calls) {
      const value = figure(call);
      if (value === null) continue;
      const weight = 1 / sizes.get(call.group)!;
      sum += weight * value;
      weights += weight;
    }
    return weights === 0 ? null : sum / weights;
  };
  const happened = meanOf((call) => Number(call.happened));
  const n_eff = separateWindows(calls);
  return {
    n: calls.length,
    n_eff,
    happened,
    interval: happened === null ? null : wilson(happened, n_eff),
    odds: meanOf(({ odds }) => odds),
    base: meanOf(({ base }) => base),
  };
}

/** Counts the windows of each symbol that do not overlap: in order of their ends, each that begins after the last counted. */
function separateWindows(calls: readonly SettledCall[]): number {
  const ends = new Map<string, number>();
  let count = 0;
  for (const { symbol, from, until } of calls.toSorted((a, b) => a.until - b.until)) {
    if (from < (ends.get(symbol) ?? Number.NEGATIVE_INFINITY)) continue;
    ends.set(symbol, until);
    count++;
  }
  return count;
}
