import { lowestLow, type PatternMatch, type PatternView } from "./view.ts";

const CHANNEL = 20;
const POLE = 10;
const POLE_HEIGHT = 5; // in ATR14
const MIN_FLAG_BARS = 5;
const MAX_FLAG_BARS = 15;

/** Returns breakouts of the 20-bar channel and of flags on one side, from bar `since` on. */
export function breakoutsIn(view: PatternView, since: number): PatternMatch[] {
  const found: PatternMatch[] = [];
  let last = Number.NEGATIVE_INFINITY; // newest close above its channel
  for (let bar = Math.max(CHANNEL, since - CHANNEL); bar < view.length; bar++) {
    if (!(view.close[bar]! > view.high[bar - 1]!)) continue; // cheap first test: both patterns imply it
    const a = view.atr[bar - 1]!;
    const top = highestBar(view, bar - CHANNEL, bar - 1);
    if (a > 0 && view.close[bar]! > view.high[top]!) {
      if (bar >= since && bar - last > CHANNEL) found.push(channel(view, bar, top));
      last = bar;
    }
    const flag = bar >= since ? flagAt(view, bar, a) : null;
    if (flag !== null) found.push(flag);
  }
  return found;
}

/** @see Richard Donchian, "Trend-Following Methods in Commodity Price Analysis" (1957) */
const channel = (view: PatternView, bar: number, top: number): PatternMatch => ({
  bullish: "channel_breakout",
  bearish: "channel_breakdown",
  from: bar - CHANNEL,
  confirmedAt: bar,
  floor: lowestLow(view, bar - CHANNEL, bar),
  level: view.high[top]!,
});

/** @see Thomas Bulkowski, "Encyclopedia of Chart Patterns" (2005), flags */
function flagAt(view: PatternView, bar: number, a: number): PatternMatch | null {
  const { high, low, close } = view;
  const top = highestBar(view, bar - MAX_FLAG_BARS, bar - 1);
  if (!(close[bar]! > high[top]!) || bar - top <= MIN_FLAG_BARS) return null;
  let foot = top - 1;
  for (let one = Math.max(0, top - POLE); one < top; one++) {
    if (high[one]! >= high[top]!) return null; // the pole must end at its highest bar
    if (low[one]! < low[foot]!) foot = one;
  }
  const height = high[top]! - low[foot]!;
  const floor = lowestLow(view, top + 1, bar - 1);
  if (!(height >= POLE_HEIGHT * a && a > 0 && high[top]! - floor <= height / 2)) return null;
  return {
    bullish: "bull_flag",
    bearish: "bear_flag",
    from: foot,
    confirmedAt: bar,
    floor,
    level: high[top]!,
  };
}

/** Returns the bar of the highest high between two bars, the newest on a tie. */
function highestBar({ high }: PatternView, from: number, to: number): number {
  let top = from;
  for (let bar = from + 1; bar <= to; bar++) if (high[bar]! >= high[top]!) top = bar;
  return top;
}
