import type { Bars } from "../../domain/market/bars.ts";
import { eachSpan } from "../span.ts";
import { breakoutsIn } from "./breakouts.ts";
import { candlesIn, insideBarsIn } from "./candles.ts";
import type { PatternId } from "./definitions.ts";
import { swingsIn } from "./swings.ts";
import { type PatternView, type Sighting, viewsOf } from "./view.ts";

/** One pattern that was complete at the close of `confirmedAt`; bars after it change nothing but `voidAt`. */
export interface PatternFound {
  readonly id: PatternId;
  /** First bar of the pattern. */
  readonly from: number;
  /** The bar at whose close the pattern was complete; it is unknown before. */
  readonly confirmedAt: number;
  /** The price whose crossing confirmed it; null for candles, which confirm themselves. */
  readonly level: number | null;
  /** A later close beyond this price denies the pattern; null where it has no direction. */
  readonly voidPrice: number | null;
  /** The first bar that closed beyond `voidPrice`; null while none has. */
  readonly voidAt: number | null;
}

/** Bars a pattern is news for. */
export const RECENT_BARS = 5;

/**
 * Every pattern in closed bars that was complete at bar `since` or later, in the order in which they were. A bar
 * without volume or range, or with something that is no number, completes none; neither does one before there is an
 * average true range. None reaches across a hole in the series.
 */
export const findPatterns = (bars: Bars, since = 0): PatternFound[] =>
  eachSpan(bars).flatMap(({ bars: span, start }) =>
    start + span.time.length <= since
      ? []
      : patternsIn(span, since - start).map((one) => shifted(one, start)),
  );

function patternsIn(bars: Bars, since: number): PatternFound[] {
  const views = viewsOf(bars);
  const [up] = views;
  const whole = (bar: number): boolean =>
    bars.volume[bar]! > 0 && up.atr[bar]! > 0 && Number.isFinite(bars.open[bar]! + bars.close[bar]!);
  const found: PatternFound[] = [];
  const add = (view: PatternView, sightings: readonly Sighting[]) => {
    for (const sighting of sightings)
      if (sighting.confirmedAt >= since && whole(sighting.confirmedAt)) found.push(foundFrom(view, sighting));
  };
  for (const view of views) {
    add(view, candlesIn(view, since));
    add(view, breakoutsIn(view, since));
    add(view, swingsIn(view));
  }
  add(up, insideBarsIn(up, since));
  return found.sort((one, other) => one.confirmedAt - other.confirmedAt);
}

/** The patterns that were complete within the last `last` bars, oldest first. */
export const readPatterns = (bars: Bars, last = RECENT_BARS): readonly PatternFound[] =>
  findPatterns(bars, bars.close.length - last);

const shifted = (found: PatternFound, by: number): PatternFound => ({
  ...found,
  from: found.from + by,
  confirmedAt: found.confirmedAt + by,
  voidAt: found.voidAt === null ? null : found.voidAt + by,
});

function foundFrom({ sign, close, length }: PatternView, sighting: Sighting): PatternFound {
  const { bullish, bearish, from, confirmedAt, level, floor } = sighting;
  const denied = (): number | null => {
    for (let bar = confirmedAt + 1; bar < length; bar++) if (close[bar]! < floor) return bar;
    return null;
  };
  return {
    id: sign === 1 ? bullish : bearish,
    from,
    confirmedAt,
    level: level === null ? null : sign * level,
    voidPrice: Number.isNaN(floor) ? null : sign * floor,
    voidAt: denied(),
  };
}
