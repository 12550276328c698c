import { effectiveCount, type ProbabilityInterval, wilson } from "../../../src/analytics/track/interval.ts";
import type { Horizon, ScoredSignal } from "../../../src/domain/track-record/track.ts";

const DAY = 86_400_000;

/** A mean with two standard errors over calendar quarters; `error` is null for fewer than two quarters. */
export interface Mean {
  readonly mean: number;
  readonly error: number | null;
}

/**
 * Outcomes of some signals at one horizon, compared with all signals at the same closes and of the same asset class.
 */
export interface Rates {
  readonly n: number;
  readonly n_eff: number;
  readonly days: number;
  /** Share of closes that were higher after the horizon. */
  readonly higher: number;
  readonly interval: ProbabilityInterval;
  /**
   * The same share for all signals decided at the same closes, weighted by the number of these signals at each close.
   */
  readonly base: number;
  /** `higher` less `base`, a fraction. */
  readonly over: Mean;
  /** Mean return less that of all signals at the same closes, a fraction. */
  readonly excess: Mean;
  readonly trades: number;
  /** In R; null without a trade. */
  readonly r: Mean | null;
}

/** A signal's outcome with the mean of its asset class at the same close. */
export interface OutcomeWithPeers extends Omit<ScoredSignal, "base"> {
  readonly base: number;
  readonly others: number;
}

/**
 * Outcomes of one horizon, each with the mean of its close and asset class, because funds rise more often than stocks.
 */
export function withPeerMeans(
  scored: readonly ScoredSignal[],
  horizon: Horizon,
): readonly OutcomeWithPeers[] {
  const own = scored.filter((one) => one.horizon === horizon);
  const closes = new Map<string, { n: number; rose: number; change: number }>();
  const closeOf = ({ at, asset_class }: Pick<ScoredSignal, "at" | "asset_class">) => `${asset_class}|${at}`;
  for (const one of own) {
    const { change } = one;
    const close = closes.get(closeOf(one)) ?? { n: 0, rose: 0, change: 0 };
    closes.set(closeOf(one), close);
    close.n++;
    close.change += change;
    if (change > 0) close.rose++;
  }
  return own.map((one) => {
    const { n, rose, change } = closes.get(closeOf(one))!;
    return { ...one, base: rose / n, others: change / n };
  });
}

/** Rates of the outcomes of each group, by name; ungrouped outcomes are skipped. */
export function ratesBy(
  outcomes: readonly OutcomeWithPeers[],
  nameOf: (one: OutcomeWithPeers) => string | null,
): ReadonlyMap<string, Rates> {
  const named = outcomes.filter((one) => nameOf(one) !== null);
  return new Map([...grouped(named, nameOf)].map(([name, group]) => [name!, ratesOf(group)]));
}

/** Groups by name, in order of first occurrence. */
export function grouped<T, K>(all: readonly T[], nameOf: (one: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    const group = groups.get(nameOf(one));
    if (group === undefined) groups.set(nameOf(one), [one]);
    else group.push(one);
  }
  return groups;
}

/** Rates of the outcomes of one horizon. @throws RangeError without outcomes */
export function ratesOf(outcomes: readonly OutcomeWithPeers[]): Rates {
  const [first] = outcomes;
  if (first === undefined) throw new RangeError("No outcomes");
  const n = outcomes.length;
  const n_eff = effectiveCount(n, first.horizon);
  const higher = outcomes.filter(({ change }) => change > 0).length / n;
  const traded = outcomes.filter(({ r }) => r !== null);
  return {
    n,
    n_eff,
    higher,
    days: new Set(outcomes.map(({ at }) => Math.floor(at / DAY))).size,
    interval: wilson(higher, n_eff)!,
    base: outcomes.reduce((sum, { base }) => sum + base, 0) / n,
    over: meanOf(outcomes, ({ change, base }) => (change > 0 ? 1 : 0) - base),
    excess: meanOf(outcomes, ({ change, others }) => change - others),
    trades: traded.length,
    r: traded.length === 0 ? null : meanOf(traded, ({ r }) => r!),
  };
}

/**
 * A mean over signals with errors clustered by calendar quarter, since symbols and neighbouring days are correlated.
 * @see W. G. Cochran, "Sampling Techniques", 1977: ratio estimates over clusters
 */
export function meanOf<T extends { readonly at: number }>(
  all: readonly T[],
  figureOf: (one: T) => number,
): Mean {
  const quarters = new Map<number, { n: number; sum: number }>();
  let sum = 0;
  for (const one of all) {
    const day = new Date(one.at);
    const name = day.getUTCFullYear() * 4 + Math.floor(day.getUTCMonth() / 3);
    const quarter = quarters.get(name) ?? { n: 0, sum: 0 };
    quarters.set(name, quarter);
    const value = figureOf(one);
    quarter.n++;
    quarter.sum += value;
    sum += value;
  }
  const mean = sum / all.length;
  const count = quarters.size;
  if (count < 2) return { mean, error: null };
  let squares = 0;
  for (const quarter of quarters.values()) squares += (quarter.sum - mean * quarter.n) ** 2;
  return { mean, error: (2 * Math.sqrt((squares * count) / (count - 1))) / all.length };
}
