import type { Bars } from "../../domain/market/bars.ts";
import { eachSpan } from "../span.ts";
import { climaxes } from "./climax.ts";
import { merged, published, type Sighting, type WyckoffEvent } from "./sighting.ts";
import { springs } from "./spring.ts";
import { backUpOf, strengthOf, supportOf } from "./strength.ts";
import { type View, viewsOf } from "./view.ts";

/**
 * Every event of the series, ascending by bar, with its status as of the last bar. Springs and UTADs count after a
 * decline or an advance only. Events of one type and side less than 5 bars apart are one: the one known first. A
 * candidate that was never confirmed leaves the list when its window ends; a confirmed one stays for good, void
 * from the first close beyond it. A prefix of the bars gives the same events as far as it goes. O(n).
 */
export function wyckoffEvents(bars: Bars): readonly WyckoffEvent[] {
  return eachSpan(bars).flatMap(({ bars: span, start }) =>
    spanEvents(viewsOf(span)).map((event) => (start === 0 ? event : shifted(event, start))),
  );
}

/** The events of both views of bars without a hole, ascending. */
export const spanEvents = (views: readonly [View, View]): readonly WyckoffEvent[] =>
  views
    .flatMap((view) => sightings(view).map((sighting) => published(view, sighting)))
    .sort((a, b) => a.bar - b.bar);

function sightings(view: View): readonly Sighting[] {
  const present = (list: readonly (Sighting | null)[]) => merged(list.filter((one) => one !== null));
  const distinctSprings = merged(springs(view).filter(({ context }) => context !== "none"));
  const signs = present(distinctSprings.map((spring) => strengthOf(view, spring)));
  const supports = present(signs.map((sign) => supportOf(view, sign)));
  const backUps = view.sign === 1 ? present(signs.map((sign) => backUpOf(view, sign))) : [];
  return [...climaxes(view), ...distinctSprings, ...signs, ...supports, ...backUps];
}

/** An event of bars that begin at `start` of a longer series. */
export function shifted(event: WyckoffEvent, start: number): WyckoffEvent {
  const moved = (bar: number | null) => (bar === null ? null : bar + start);
  const { range } = event;
  return {
    ...event,
    bar: event.bar + start,
    confirmedAt: moved(event.confirmedAt),
    voidAt: moved(event.voidAt),
    testedAt: moved(event.testedAt),
    range: { ...range, first: range.first + start, last: range.last + start },
  };
}
