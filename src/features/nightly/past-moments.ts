import { kindOf } from "../../domain/market/market.ts";
import { SCORED_BARS } from "../signal/logged.ts";
import type { PastSeries } from "./past.ts";

const DAY = 86_400_000;

/** Closes to replay. */
export interface PastMoments {
  /** Ascending, epoch ms. */
  readonly moments: readonly number[];
  /** Returns true when the bar at index `place` of a series is replayed. */
  includes(one: PastSeries, place: number): boolean;
}

/**
 * Selects every nth close since `from` (epoch ms) at which a series has enough bars for a score. Stock and crypto days
 * are counted separately, so that all symbols of a kind are replayed on the same days.
 */
export function pastMoments(
  members: readonly PastSeries[],
  { from, every }: { readonly from: number; readonly every: number },
): PastMoments {
  const long = (one: PastSeries, place: number) => place + 1 >= SCORED_BARS && one.closes[place]! >= from;
  const days = { crypto: new Set<number>(), stocks: new Set<number>() };
  for (const one of members)
    for (const place of one.closes.keys())
      if (long(one, place)) days[kindOf(one.instrument)].add(dayOf(one, place));
  const thinned = (all: ReadonlySet<number>) =>
    new Set([...all].sort((a, b) => a - b).filter((_, i) => i % every === 0));
  const taken = { crypto: thinned(days.crypto), stocks: thinned(days.stocks) };
  const includes = (one: PastSeries, place: number) =>
    long(one, place) && taken[kindOf(one.instrument)].has(dayOf(one, place));
  const moments = new Set(
    members.flatMap((one) => [...one.closes].filter((_, place) => includes(one, place))),
  );
  return { moments: [...moments].sort((a, b) => a - b), includes };
}

/** Returns the day on which a bar begins, in days since 1970. */
const dayOf = ({ series }: PastSeries, place: number): number => Math.floor(series.bars.time[place]! / DAY);
