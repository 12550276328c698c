import { kindOf } from "../../domain/market/market.ts";
import { SCORED_BARS } from "../signal/logged.ts";
import type { PastSeries } from "./past.ts";

const DAY = 86_400_000;

/** Closes that are replayed. */
export interface PastMoments {
  /** Ascending, epoch ms. */
  readonly moments: readonly number[];
  /** Returns true if the bar at this index of a series closed at one of the moments. */
  includes(one: PastSeries, place: number): boolean;
}

/**
 * Selects every nth close since `from` (epoch ms) of series that are long enough by then. Stock and crypto days are
 * counted separately, so that both are thinned alike and symbols stay on common days.
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
