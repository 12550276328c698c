import type { PatternId } from "./definitions.ts";
import { lowestLow, type PatternMatch, type PatternView } from "./view.ts";

const CONTEXT = 10;
const MOVE = 1.5;
const LONG = 0.6; // bodies in ATR14, as is the preceding move
const SOLDIER = 0.5;
const SMALL = 0.3;

interface CandleRule {
  readonly bullish: PatternId;
  readonly bearish: PatternId;
  readonly bars: 1 | 2 | 3;
  /** Returns true if the pattern ends at a bar; `a` is the ATR14 of the bar before its first. */
  readonly holds: (view: PatternView, bar: number, a: number) => boolean;
}

/** The candle rules in their bullish form. @see Steve Nison, "Japanese Candlestick Charting Techniques" (1991) */
const RULES: readonly CandleRule[] = [
  { bullish: "hammer", bearish: "shooting_star", bars: 1, holds: hammer },
  { bullish: "bullish_engulfing", bearish: "bearish_engulfing", bars: 2, holds: engulfing },
  { bullish: "piercing_line", bearish: "dark_cloud_cover", bars: 2, holds: piercing },
  { bullish: "morning_star", bearish: "evening_star", bars: 3, holds: star },
  { bullish: "three_white_soldiers", bearish: "three_black_crows", bars: 3, holds: soldiers },
];

/** Returns the candle patterns of one side from bar `since` on. */
export function candlesIn(view: PatternView, since: number): PatternMatch[] {
  const found: PatternMatch[] = [];
  for (let bar = Math.max(0, since); bar < view.length; bar++) {
    for (const { bullish, bearish, bars, holds } of RULES) {
      const from = bar - bars + 1;
      const a = view.atr[from - 1];
      if (a === undefined || !(a > 0) || !holds(view, bar, a)) continue;
      const floor = lowestLow(view, from, bar);
      found.push({ bullish, bearish, from, confirmedAt: bar, floor, level: null });
    }
  }
  return found;
}

/**
 * Returns narrow inside bars from bar `since` on, equal on both sides. @see Toby Crabel, "Day Trading with Short Term
 * Price Patterns and Opening Range Breakout" (1990)
 */
export function insideBarsIn(view: PatternView, since: number): PatternMatch[] {
  const { high, low } = view;
  const found: PatternMatch[] = [];
  for (let bar = Math.max(3, since); bar < view.length; bar++) {
    const range = high[bar]! - low[bar]!;
    const inside = high[bar]! < high[bar - 1]! && low[bar]! > low[bar - 1]! && range > 0;
    if (!inside || !(range < high[bar - 2]! - low[bar - 2]!) || !(range < high[bar - 3]! - low[bar - 3]!))
      continue;
    const id = "narrow_inside_bar";
    found.push({ bullish: id, bearish: id, from: bar - 1, confirmedAt: bar, floor: Number.NaN, level: null });
  }
  return found;
}

/** Returns the change of the close over the 10 bars up to a bar. */
const changeTo = ({ close }: PatternView, bar: number): number => close[bar]! - close[bar - CONTEXT]!;
const declined = (view: PatternView, before: number, a: number): boolean =>
  changeTo(view, before) <= -MOVE * a;
/** Returns close minus open: positive for a rising body. */
const body = ({ open, close }: PatternView, bar: number): number => close[bar]! - open[bar]!;

function hammer(view: PatternView, bar: number, a: number): boolean {
  const { open, high, low, close } = view;
  const range = high[bar]! - low[bar]!;
  const size = Math.abs(body(view, bar));
  const under = Math.min(open[bar]!, close[bar]!) - low[bar]!;
  const over = high[bar]! - Math.max(open[bar]!, close[bar]!);
  // a body under a twentieth of the range is a doji
  const shaped = range >= 0.75 * a && size >= 0.05 * range && over <= 0.1 * range;
  return shaped && under >= 2 * size && under >= 0.6 * range && declined(view, bar - 1, a);
}

function engulfing(view: PatternView, bar: number, a: number): boolean {
  const { open, close } = view;
  const covers = open[bar]! <= close[bar - 1]! && close[bar]! > open[bar - 1]!;
  return covers && body(view, bar - 1) < 0 && body(view, bar) >= LONG * a && declined(view, bar - 2, a);
}

function piercing(view: PatternView, bar: number, a: number): boolean {
  const { open, close } = view;
  if (!(body(view, bar - 1) <= -LONG * a && open[bar]! < close[bar - 1]!)) return false;
  const into = close[bar]! > middle(view, bar - 1) && close[bar]! <= open[bar - 1]!;
  return into && declined(view, bar - 2, a);
}

function star(view: PatternView, bar: number, a: number): boolean {
  const { open, close } = view;
  if (!(body(view, bar - 2) <= -LONG * a && Math.abs(body(view, bar - 1)) <= SMALL * a)) return false;
  const below = Math.max(open[bar - 1]!, close[bar - 1]!) <= close[bar - 2]!;
  const turns = body(view, bar) > 0 && close[bar]! > middle(view, bar - 2);
  return below && turns && declined(view, bar - 3, a);
}

function soldiers(view: PatternView, bar: number, a: number): boolean {
  const { open, high, low, close } = view;
  for (let one = bar - 2; one <= bar; one++) {
    if (!(body(view, one) >= SOLDIER * a)) return false;
    if (!(high[one]! - close[one]! <= 0.25 * (high[one]! - low[one]!))) return false;
    const first = one === bar - 2;
    const within = open[one]! >= open[one - 1]! && open[one]! <= close[one - 1]!;
    if (!first && !(within && close[one]! > close[one - 1]!)) return false;
  }
  return changeTo(view, bar - 3) < MOVE * a;
}

const middle = ({ open, close }: PatternView, bar: number): number => (open[bar]! + close[bar]!) / 2;
