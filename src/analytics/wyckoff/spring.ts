import { rollingMin } from "../indicators/rolling.ts";
import { contextOf, tradingRange } from "./range.ts";
import type { Sighting } from "./sighting.ts";
import { closesHigh, firstCloseBelow, usualVolume, type View } from "./view.ts";

const RECOVERY = 2; // bars in which price must close back inside
const TEST = 10;

/**
 * Springs of every context (a UTAD in the view of the selling side): a low below the range that ended one bar
 * earlier, by .1 ATR14 of that bar up to the lesser of 1.5 ATR14 and a third of the height, and a close back
 * above its low, in the better half of its bar, within 2 bars. That bar confirms it. A close below the Spring's low
 * ends a candidate before that, which is then not listed at all, and makes it void ever after. A test is the first
 * bar after the confirmation and within 10 of the Spring whose low is higher and within .5 ATR14 of the range's
 * low, on less than .75 of its volume. Without volume before it or on it there is no Spring.
 * @see Richard D. Wyckoff (1931); Henry O. Pruden, "The Three Skills of Top Trading" (2007)
 */
export function springs(view: View): Sighting[] {
  const floor = rollingMin(view.low, 20); // no range's low lies above it
  const found: Sighting[] = [];
  for (let bar = 20; bar < view.length; bar++) {
    if (!(floor[bar - 1]! - view.low[bar]! >= 0.1 * view.atr[bar - 1]!)) continue;
    const spring = springAt(view, bar);
    if (spring !== null) found.push(spring);
  }
  return found;
}

function springAt(view: View, bar: number): Sighting | null {
  const a = view.atr[bar - 1]!;
  const price = view.low[bar]!;
  if (recovery(view, bar, price + 0.09 * a) === "failed") return null; // spares the search: the range's low is higher
  const range = tradingRange(view, bar - 1);
  if (range === null) return null;
  const depth = range.low - price;
  const height = range.high - range.low;
  if (!(depth >= 0.1 * a && depth <= Math.min(1.5 * a, height / 3))) return null;
  const share = view.volume[bar]! / usualVolume(view, bar);
  if (!(share > 0)) return null;
  const recovered = recovery(view, bar, range.low);
  if (recovered === "failed") return null;
  const voidAt = recovered === null ? null : firstCloseBelow(view, price, recovered + 1);
  return {
    role: "SPRING",
    bar,
    price,
    confirmedAt: recovered,
    voidAt,
    springType: share > 1.5 ? 1 : share >= 0.8 ? 2 : 3,
    testedAt: recovered === null ? null : testOf(view, bar, recovered, range.low, a, voidAt),
    context: contextOf(view, range.first, height),
    range,
  };
}

function recovery(view: View, bar: number, low: number): number | null | "failed" {
  const last = bar + RECOVERY;
  for (let now = bar; now <= last && now < view.length; now++) {
    if (view.close[now]! < view.low[bar]!) return "failed";
    if (view.close[now]! > low && closesHigh(view, now)) return now;
  }
  return last < view.length ? "failed" : null;
}

function testOf(
  view: View,
  bar: number,
  recovered: number,
  low: number,
  a: number,
  voidAt: number | null,
): number | null {
  const end = Math.min(bar + TEST, view.length - 1, (voidAt ?? view.length) - 1);
  for (let now = recovered + 1; now <= end; now++) {
    const near = view.low[now]! > view.low[bar]! && Math.abs(view.low[now]! - low) <= 0.5 * a;
    if (near && view.volume[now]! < 0.75 * view.volume[bar]!) return now;
  }
  return null;
}
