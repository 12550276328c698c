import { type ProbabilityInterval, wilson } from "./interval.ts";

/** A call with its outcome. */
export interface SettledCall {
  readonly symbol: string;
  /** Its window, epoch ms. */
  readonly from: number;
  readonly until: number;
  readonly happened: boolean;
  /** Odds that were given, 0-1; null without. */
  readonly odds: number | null;
  /** Share of past windows, 0-1. */
  readonly base: number;
}

/** Share of calls in which an event happened, 0-1; null without calls. */
export interface ShareOfCalls {
  readonly n: number;
  /** Number of clusters of overlapping windows, each of one symbol. */
  readonly n_eff: number;
  readonly happened: number | null;
  /** 95 % interval of `happened` over `n_eff`. */
  readonly interval: ProbabilityInterval | null;
  /** Means of the same calls. */
  readonly odds: number | null;
  readonly base: number | null;
}

/**
 * Returns how often something happened. Calls of one symbol whose windows overlap weigh together as one, so that repeats
 * prove nothing.
 */
export function shareOfCalls(calls: readonly SettledCall[]): ShareOfCalls {
  const weights = weightsOf(calls);
  const meanOf = (figure: (call: SettledCall) => number | null): number | null => {
    let [sum, total] = [0, 0];
    for (const call of calls) {
      const value = figure(call);
      if (value === null) continue;
      sum += weights.get(call)! * value;
      total += weights.get(call)!;
    }
    return total === 0 ? null : sum / total;
  };
  const n_eff = Math.round([...weights.values()].reduce((sum, weight) => sum + weight, 0));
  const happened = meanOf((call) => Number(call.happened));
  return {
    n: calls.length,
    n_eff,
    happened,
    interval: happened === null ? null : wilson(happened, n_eff),
    odds: meanOf(({ odds }) => odds),
    base: meanOf(({ base }) => base),
  };
}

/**
 * Returns the weight of each call: 1 over the number of calls in its cluster. Per symbol, in the order of their ends: a
 * call that begins before the first end in the newest cluster joins it, any other begins a new one.
 */
function weightsOf(calls: readonly SettledCall[]): ReadonlyMap<SettledCall, number> {
  const clusters = new Map<string, { readonly end: number; readonly calls: SettledCall[] }>();
  const all: SettledCall[][] = [];
  for (const call of calls.toSorted((a, b) => a.until - b.until)) {
    const last = clusters.get(call.symbol);
    if (last !== undefined && call.from < last.end) last.calls.push(call);
    else {
      const cluster = { end: call.until, calls: [call] };
      clusters.set(call.symbol, cluster);
      all.push(cluster.calls);
    }
  }
  return new Map(all.flatMap((cluster) => cluster.map((call) => [call, 1 / cluster.length] as const)));
}
