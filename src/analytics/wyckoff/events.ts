import type { Bars } from "../../domain/market/bars.ts";
import { eachSpan } from "../span.ts";
import { climaxes } from "./climax.ts";
import { type EventMatch, mergeEventMatches, toEvent, type WyckoffEvent } from "./event-match.ts";
import { springs } from "./spring.ts";
import { backUpOf, strengthOf, supportOf } from "./strength.ts";
import { type View, viewsOf } from "./view.ts";

/**
 * Returns every event of the series, ascending by bar, with its status at the last bar. Springs and UTADs count only
 * after a decline or an advance. Of events of one type and side less than 5 bars apart, only the one confirmed first
 * remains. A candidate is dropped if its window ends unconfirmed; a confirmed event remains, and is void from the
 * first close beyond it. A prefix of the bars gives the same events up to its end. O(n).
 */
export function wyckoffEvents(bars: Bars): readonly WyckoffEvent[] {
  return eachSpan(bars).flatMap(({ bars: span, start }) =>
    spanEvents(viewsOf(span)).map((event) => (start === 0 ? event : withBarOffset(event, start))),
  );
}

/** Returns the events of both views of bars without a gap, ascending by bar. */
export const spanEvents = (views: readonly [View, View]): readonly WyckoffEvent[] =>
  views.flatMap((view) => matches(view).map((match) => toEvent(view, match))).sort((a, b) => a.bar - b.bar);

function matches(view: View): readonly EventMatch[] {
  const present = (list: readonly (EventMatch | null)[]) =>
    mergeEventMatches(list.filter((one) => one !== null));
  const distinctSprings = mergeEventMatches(springs(view).filter(({ context }) => context !== "none"));
  const signs = present(distinctSprings.map((spring) => strengthOf(view, spring)));
  const supports = present(signs.map((sign) => supportOf(view, sign)));
  const backUps = view.sign === 1 ? present(signs.map((sign) => backUpOf(view, sign))) : [];
  return [...climaxes(view), ...distinctSprings, ...signs, ...supports, ...backUps];
}

/** Returns an event with its bar indices moved from a span that begins at `start` to the full series. */
export function withBarOffset(event: WyckoffEvent, start: number): WyckoffEvent {
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
