import type { Bars } from "../../domain/market/bars.ts";
import { countLeading } from "../../lib/count-leading.ts";
import { hasSplitFault } from "../score/split-fault.ts";
import type { DriverContext } from "./context.ts";
import { absent, clip, type DriverValue, insufficientBars, present } from "./driver-value.ts";
import { mean, midRank } from "./window.ts";

/** 12-1 month returns of all members of a universe at the decision bar, including the symbol. */
export interface Universe {
  readonly returns: readonly number[];
  readonly own: number | null;
  /** Hash of the members of the universe. */
  readonly hash: string;
  /** Start of the daily bar that is ranked, epoch ms. */
  readonly time?: number;
}

/** Instruments that a symbol is compared with; bars after the decision bar are not used. */
export interface ComparisonSet {
  readonly benchmark: Bars | null;
  readonly isBenchmark: boolean;
  /** Members of the same sector except the symbol itself; null if sectors do not apply (funds, crypto). */
  readonly peers: readonly Bars[] | null;
  /** Default: `peerReturn`. Pass `cachedPeerReturns()` to share the returns of peers between symbols. */
  readonly peerReturn?: PeerReturn | undefined;
  readonly universe: Universe | null;
}

/**
 * Returns the return of a peer as a fraction over the 63 bars up to the one that starts at `time`, epoch ms; null
 * without these bars, or if they may contain an unadjusted split.
 */
export type PeerReturn = (peer: Bars, time: number) => number | null;

const MIN_UNIVERSE = 20;
const MIN_PEERS = 2;
const SECTOR_BARS = 63;

/** Returns the three relative-strength drivers at the decision bar, in table order. */
export const relativeStrengthDrivers = (
  context: DriverContext,
  company: ComparisonSet,
): readonly DriverValue[] => [
  mansfield(context, company),
  rank(context, company.universe),
  sector(context, company.peers, company.peerReturn),
];

/**
 * Returns the return from a year ago to a month ago (a twelfth of the year) as a fraction, at the last bar: C[t-21] /
 * C[t-252] - 1 for a year of 252 bars. Null with fewer than a year and one bar.
 * @see Jegadeesh & Titman, "Returns to Buying Winners and Selling Losers" (1993)
 */
export function yearLessMonthReturn(close: Float64Array, year: number): number | null {
  const at = close.length - 1;
  if (at < year) return null;
  return close[at - Math.round(year / 12)]! / close[at - year]! - 1;
}

/** Returns the index of the bar that starts at `wanted`, or -1. */
export function barAt(time: Float64Array, wanted: number): number {
  const index = countLeading(time.length, (i) => time[i]! < wanted);
  return time[index] === wanted ? index : -1;
}

function mansfield(context: DriverContext, { benchmark, isBenchmark }: ComparisonSet): DriverValue {
  const { bars, n, year, v } = context;
  if (isBenchmark) return absent("r_mansfield", "The symbol is the benchmark itself");
  if (benchmark === null) return absent("r_mansfield", "The benchmark's bars are missing");
  if (n < year) return insufficientBars("r_mansfield", year, n);
  let theirs = barAt(benchmark.time, bars.time[n - 1]!);
  if (theirs === -1) return absent("r_mansfield", "The benchmark has no bar at the time of the decision bar");

  const strength = new Float64Array(year); // newest first
  let joint = 0;
  for (let ours = n - 1; ours >= 0 && theirs >= 0 && joint < year; ) {
    const apart = bars.time[ours]! - benchmark.time[theirs]!;
    if (apart === 0) strength[joint++] = bars.close[ours--]! / benchmark.close[theirs--]!;
    else if (apart > 0) ours--;
    else theirs--;
  }
  if (joint < year)
    return absent("r_mansfield", `Needs ${year} bars shared with the benchmark, has ${joint}`);
  if (hasSplitFault(benchmark, theirs + 1))
    return absent("r_mansfield", "The benchmark's bars may contain an unadjusted split");
  const average = mean(strength);
  const value = clip((strength[0]! / average - 1) / (0.2 * v));
  return present("r_mansfield", value, { relative_strength: strength[0]!, average, v });
}

function rank({ year }: DriverContext, universe: Universe | null): DriverValue {
  if (universe === null)
    return absent("r_rank", "No universe to rank in: with live prices the nightly run ranks one");
  const { returns, own, hash } = universe;
  const inputs = { return_12_1: own, members: returns.length, universe: hash };
  if (own === null) return absent("r_rank", `No 12-1 month return: needs ${year + 1} bars`, inputs);
  if (returns.length < MIN_UNIVERSE)
    return absent("r_rank", `Needs ${MIN_UNIVERSE} members, has ${returns.length}`, inputs);
  return present("r_rank", 2 * midRank(returns, own) - 1, inputs);
}

const peerReturn: PeerReturn = (peer, time) => {
  const at = barAt(peer.time, time);
  if (at < SECTOR_BARS || hasSplitFault(peer, at - SECTOR_BARS, at + 1)) return null;
  return peer.close[at]! / peer.close[at - SECTOR_BARS]! - 1;
};

/** Creates a function that keeps the newest return of each peer. */
export function cachedPeerReturns(): PeerReturn {
  const known = new WeakMap<Bars, { readonly time: number; readonly value: number | null }>();
  return (peer, time) => {
    const before = known.get(peer);
    if (before?.time === time) return before.value;
    const value = peerReturn(peer, time);
    known.set(peer, { time, value });
    return value;
  };
}

function sector(
  { bars, n, close, v }: DriverContext,
  peers: readonly Bars[] | null,
  returnOf: PeerReturn = peerReturn,
): DriverValue {
  if (peers === null) return absent("r_sector", "Sectors apply to stocks only");
  if (n < SECTOR_BARS + 1) return insufficientBars("r_sector", SECTOR_BARS + 1, n);
  let total = 0;
  let count = 0;
  const time = bars.time[n - 1]!;
  for (const peer of peers) {
    const value = returnOf(peer, time);
    if (value === null) continue;
    total += value;
    count++;
  }
  if (count < MIN_PEERS)
    return absent(
      "r_sector",
      `Needs ${MIN_PEERS} peers with 64 bars up to the decision bar, adjusted for splits; has ${count}`,
    );
  const roc63 = close / bars.close[n - 1 - SECTOR_BARS]! - 1;
  const average = total / count;
  return present("r_sector", clip((roc63 - average) / (0.15 * v)), {
    roc63,
    peers_mean: average,
    peers: count,
    v,
  });
}
