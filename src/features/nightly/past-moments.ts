import { kindOf } from "../../domain/market/market.ts";
import { SCORED_BARS } from "../signal/logged.ts";
import type { PastSeries } from "./past.ts";

const DAY = 86_400_000;

/** Closes to replay. */
export interface PastMoments {
  /** Ascending, epoch ms. */
  readonly moments: readonly number[];
  /** Returns true when the bar at index `place` of a series is replayed. */
  includes(one: PastSeries, index: number): boolean;
}

/**
 * Selects every nth close since `from` (epoch ms) at which a series has enough bars for a score. Stock and crypto days
 * are counted separately, so that all symbols of a kind are replayed on the same days.
 */
export function pastMoments(
  members: readonly PastSeries[],
  { from, every }: { readonly from: number; readonly every: number },
): PastMoments {
  const long = (one: PastSeries, index: number) => index + 1 >= SCORED_BARS && one.closes[index]! >= from;
  const days = { crypto: new Set<number>(), stocks: new Set<number>() };
  for (const one of members)
    for (const index of one.closes.keys())
      if (long(one, index)) days[kindOf(one.instrument)].add(dayOf(one, index));
  const thinned = (all: ReadonlySet<number>) =>
    new Set([...all].sort((a, b) => a - b).filter((_, i) => i % every === 0));
  const replayedDays = { crypto: thinned(days.crypto), stocks: thinned(days.stocks) };
  const includes = (one: PastSeries, index: number) =>
    long(one, index) && replayedDays[kindOf(one.instrument)].has(dayOf(one, index));
  const moments = new Set(
    members.flatMap((one) => [...one.closes].filter((_, index) => includes(one, index))),
  );
  return { moments: [...moments].sort((a, b) => a - b), includes };
}

/** Returns the day on which a bar begins, in days since 1970. */
const dayOf = ({ series }: PastSeries, index: number): number => Math.floor(series.bars.time[index]! / DAY);
