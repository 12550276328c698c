import type { EventMatch } from "./event-match.ts";
import { contextOf, tradingRange } from "./range.ts";
import { closesHigh, firstCloseBelow, usualVolume, type View } from "./view.ts";

const RECOVERY = 2; // bars within which price must close back inside the range
const TEST = 10;

/**
 * Returns the Springs in every context (UTADs in the selling side's view): a low below the range that ended one bar
 * earlier, by at least .1 ATR14 of that bar and at most the lesser of 1.5 ATR14 and a third of the height, followed
 * within 2 bars by a close back above the range's low in the better half of its bar, which confirms it. A close below
 * the Spring's low removes an unconfirmed candidate and voids a confirmed one. A test is the first bar after the
 * confirmation and within 10 bars of the Spring with a higher low, within .5 ATR14 of the range's low, and less than
 * .75 of its volume. A Spring requires volume on its bar and before.
 * @see Richard D. Wyckoff (1931); Henry O. Pruden, "The Three Skills of Top Trading" (2007)
 */
export function springs(view: View): EventMatch[] {
  const found: EventMatch[] = [];
  for (let bar = 20; bar < view.length; bar++) {
    // the floor is the upper limit of a range's low
    if (!(view.floor[bar - 1]! - view.low[bar]! >= 0.1 * view.atr[bar - 1]!)) continue;
    const spring = springAt(view, bar);
    if (spring !== null) found.push(spring);
  }
  return found;
}

function springAt(view: View, bar: number): EventMatch | null {
  const a = view.atr[bar - 1]!;
  const price = view.low[bar]!;
  if (recovery(view, bar, price + 0.09 * a) === "failed") return null; // avoids the search: the range's low is higher
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
