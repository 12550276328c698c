import type { EventMatch } from "./event-match.ts";
import { closesHigh, firstCloseBelow, usualVolume, type View } from "./view.ts";

const STRENGTH = 40;
/** Number of bars after a sign of strength within which its last point of support and back-up may occur. */
export const SUPPORT = 20;

/**
 * Returns the sign of strength of a confirmed Spring: the first bar within 40 bars of it, from its confirmation on and
 * before it is void, that closes above the range in the upper third of its bar, with a true range of at least the
 * previous bar's ATR14 and at least 1.2 times the mean volume of the previous 20 bars. Confirmed at its close; void on
 * a close below the middle of the range. Null without one.
 */
export function strengthOf(view: View, spring: EventMatch): EventMatch | null {
  if (spring.confirmedAt === null) return null;
  const { high, low, close, volume, trueRange, atr } = view;
  const end = Math.min(spring.bar + STRENGTH, view.length - 1, (spring.voidAt ?? view.length) - 1);
  for (let bar = Math.max(spring.bar + 1, spring.confirmedAt); bar <= end; bar++) {
    if (!(close[bar]! > spring.range.high && trueRange[bar]! >= atr[bar - 1]!)) continue;
    if (!(close[bar]! >= high[bar]! - (high[bar]! - low[bar]!) / 3)) continue;
    if (!(volume[bar]! >= 1.2 * usualVolume(view, bar))) continue;
    const voidAt = firstCloseBelow(view, middle(spring), bar + 1);
    return after(spring, { role: "SOS", bar, price: close[bar]!, confirmedAt: bar, voidAt });
  }
  return null;
}

/**
 * Returns the last point of support after a sign of strength: the low of the pullback from the highest high since the
 * sign. It may not be below the range's middle, nor more than the ATR14 of the bar before it below the range's high.
 * The pullback, from the bar after the high to the bar before the confirmation, must have a mean volume of at most .8
 * of the sign's and a smaller mean true range. It is confirmed within 20 bars of the sign by a close above the
 * previous bar's high, pending while it can still be confirmed, and void on a close below its low.
 */
export function supportOf(view: View, sign: EventMatch): EventMatch | null {
  const { high, low, close, volume, trueRange, atr } = view;
  const deadline = sign.bar + SUPPORT;
  let top = sign.bar;
  let bottom = -1; // lowest bar of the pullback; -1 for none
  let [volumes, ranges] = [0, 0];
  for (let bar = sign.bar + 1; bar <= deadline && bar < view.length; bar++) {
    if (sign.voidAt === bar) return null;
    const bars = bar - 1 - top;
    const quiet = (count: number) =>
      volumes <= 0.8 * volume[sign.bar]! * count && ranges < trueRange[sign.bar]! * count;
    const lowest = bottom < 0 || low[bar]! < low[bottom]! ? bar : bottom;
    const floor = Math.max(middle(sign), sign.range.high - atr[lowest - 1]!);
    if (bars > 0 && close[bar]! > high[bar - 1]! && low[lowest]! >= floor && quiet(bars)) {
      const voidAt = firstCloseBelow(view, low[lowest]!, bar + 1);
      return after(sign, { role: "LPS", bar: lowest, price: low[lowest]!, confirmedAt: bar, voidAt });
    }
    if (high[bar]! > high[top]!) {
      [top, bottom, volumes, ranges] = [bar, -1, 0, 0];
      continue;
    }
    bottom = lowest;
    volumes += volume[bar]!;
    ranges += trueRange[bar]!;
    const open = bar === view.length - 1 && bar < deadline;
    if (open && low[bottom]! >= floor && quiet(bars + 1))
      return after(sign, { role: "LPS", bar: bottom, price: low[bottom]!, confirmedAt: null, voidAt: null });
  }
  return null;
}

/**
 * Returns the back-up after a sign of strength: the first bar within 20 bars whose low comes within .5 ATR14 (of the
 * previous bar) of the broken high and that closes above that high in the better half of its bar. Unlike the last
 * point of support it has no volume condition. Confirmed at its close; void on a close below the middle of the range.
 */
export function backUpOf(view: View, sign: EventMatch): EventMatch | null {
  const end = Math.min(sign.bar + SUPPORT, view.length - 1, (sign.voidAt ?? view.length) - 1);
  for (let bar = sign.bar + 1; bar <= end; bar++) {
    const near = Math.abs(view.low[bar]! - sign.range.high) <= 0.5 * view.atr[bar - 1]!;
    if (!near || !(view.close[bar]! > sign.range.high) || !closesHigh(view, bar)) continue;
    const voidAt = firstCloseBelow(view, middle(sign), bar + 1);
    return after(sign, { role: "BU", bar, price: view.low[bar]!, confirmedAt: bar, voidAt });
  }
  return null;
}

const middle = ({ range }: EventMatch): number => (range.low + range.high) / 2;

const after = (
  { context, range }: EventMatch,
  own: Pick<EventMatch, "role" | "bar" | "price" | "confirmedAt" | "voidAt">,
): EventMatch => ({ ...own, springType: null, testedAt: null, context, range });
