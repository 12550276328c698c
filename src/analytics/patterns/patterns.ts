import type { Bars } from "../../domain/market/bars.ts";
import { eachSpan } from "../span.ts";
import { breakoutsIn } from "./breakouts.ts";
import { candlesIn, insideBarsIn } from "./candles.ts";
import type { PatternId } from "./definitions.ts";
import { swingsIn } from "./swings.ts";
import { type PatternMatch, type PatternView, viewsOf } from "./view.ts";

/** One pattern that was complete at the close of `confirmedAt`; later bars change only `voidAt`. */
export interface PatternFound {
  readonly id: PatternId;
  /** First bar of the pattern. */
  readonly from: number;
  /** Bar at whose close the pattern was complete; the pattern is unknown before. */
  readonly confirmedAt: number;
  /** Price whose crossing confirmed the pattern; null for candles, which need no crossing. */
  readonly level: number | null;
  /** Price beyond which a later close voids the pattern; null if it has no direction. */
  readonly voidPrice: number | null;
  /** First bar that closed beyond `voidPrice`; null if none has. */
  readonly voidAt: number | null;
}

/** Number of bars for which a pattern counts as recent. */
export const RECENT_BARS = 5;

/**
 * Returns every pattern completed at bar `since` or later, in order of completion. A bar without volume or range, with
 * a value that is not a number, or before the first ATR completes no pattern. No pattern spans a gap in the series.
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
  const complete = (bar: number): boolean =>
    bars.volume[bar]! > 0 && up.atr[bar]! > 0 && Number.isFinite(bars.open[bar]! + bars.close[bar]!);
  const found: PatternFound[] = [];
  const add = (view: PatternView, matches: readonly PatternMatch[]) => {
    for (const match of matches)
      if (match.confirmedAt >= since && complete(match.confirmedAt)) found.push(foundFrom(view, match));
  };
  for (const view of views) {
    add(view, candlesIn(view, since));
    add(view, breakoutsIn(view, since));
    add(view, swingsIn(view));
  }
  add(up, insideBarsIn(up, since));
  return found.sort((one, other) => one.confirmedAt - other.confirmedAt);
}

/** Returns the patterns completed within the last `last` bars, oldest first. */
export const readPatterns = (bars: Bars, last = RECENT_BARS): readonly PatternFound[] =>
  findPatterns(bars, bars.close.length - last);

const shifted = (found: PatternFound, by: number): PatternFound => ({
  ...found,
  from: found.from + by,
  confirmedAt: found.confirmedAt + by,
  voidAt: found.voidAt === null ? null : found.voidAt + by,
});

function foundFrom({ sign, close, length }: PatternView, match: PatternMatch): PatternFound {
  const { bullish, bearish, from, confirmedAt, level, floor } = match;
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
