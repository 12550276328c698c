import { type EventMatch, mergeEventMatches } from "./event-match.ts";
import { contextOf, type Range } from "./range.ts";
import { closesHigh, firstCloseBelow, type View } from "./view.ts";

const WINDOW = 40;
const RALLY = 20;
const LOUD = 1.5;
const CLIMACTIC = 2;

/**
 * Returns selling climaxes with their related events (buying climaxes in the selling side's view). SC: after a decline,
 * a new 20-bar low whose volume and true range are both 2 deviations above the mean of the last 40 bars. AR: the
 * highest high of the next 20 bars, at least 3 ATR14 (of the bar before the climax) above its low and confirmed by the
 * first close 1 ATR14 below that high; it confirms the climax unless a lower low comes first. PS: the newest new low at
 * 1.5 deviations, 5 to 40 bars before the climax; confirmed with it. ST: within 40 bars of the confirmation, the first
 * low within .5 ATR14 of the climax's low with less volume, volume and true range under 1.5 deviations, and a close
 * above the climax's low in the better half of the bar. It is an upthrust (UT) if it exceeds the climax by .1 to 1.5
 * ATR14, a name used at tops only. The range extends from the climax's low to the rally's high; decline and advance are
 * measured relative to its height.
 */
export function climaxes(view: View): EventMatch[] {
  const found: { readonly climax: EventMatch; readonly rally: EventMatch | null }[] = [];
  for (let bar = WINDOW; bar < view.length; bar++) {
    if (!isLoudLow(view, bar, CLIMACTIC)) continue;
    const pair = climaxAt(view, bar);
    if (pair !== null) found.push(pair);
  }
  const distinct = mergeEventMatches(found.map(({ climax }) => climax));
  const pairs = found.filter(({ climax }) => distinct.includes(climax));
  const present = (list: readonly (EventMatch | null)[]) =>
    mergeEventMatches(list.filter((one) => one !== null));
  return [
    ...distinct,
    ...present(pairs.map(({ rally }) => rally)),
    ...present(pairs.map(({ climax }) => preliminary(view, climax))),
    ...present(pairs.map(({ climax }) => secondaryTest(view, climax))),
  ];
}

function isLoudLow(view: View, bar: number, least: number): boolean {
  return (
    view.low[bar]! < view.floor[bar - 1]! &&
    zScore(view.trueRange, bar) >= least &&
    zScore(view.volume, bar) >= least
  );
}

/**
 * Returns the z-score of a value among the last 40, including itself, with the population deviation; NaN if all are
 * equal.
 */
function zScore(x: Float64Array, bar: number): number {
  const origin = x[bar]!;
  let [sum, squares] = [0, 0];
  for (let i = bar - WINDOW + 1; i <= bar; i++) {
    const step = x[i]! - origin;
    sum += step;
    squares += step * step;
  }
  const mean = sum / WINDOW;
  return -mean / Math.sqrt(squares / WINDOW - mean * mean);
}

function climaxAt(
  view: View,
  bar: number,
): { readonly climax: EventMatch; readonly rally: EventMatch | null } | null {
  const { high, low, close, length } = view;
  const a = view.atr[bar - 1]!;
  const end = bar + RALLY;
  let top = -1;
  let known: number | null = null;
  for (let now = bar + 1; now <= end && now < length && known === null; now++) {
    if (low[now]! < low[bar]!) return null;
    if (top < 0 || high[now]! > high[top]!) top = now;
    if (high[top]! - low[bar]! >= 3 * a && high[top]! - close[now]! >= a) known = now;
  }
  if (known === null && end < length) return null;
  const reach = top < 0 ? high[bar]! : high[top]!;
  const range: Range = { low: low[bar]!, high: reach, first: bar, last: known ?? length - 1 };
  const context = contextOf(view, bar, range.high - range.low);
  if (context !== "after_decline") return null;
  const own = { confirmedAt: known, springType: null, testedAt: null, context, range };
  const voidAt = known === null ? null : firstCloseBelow(view, low[bar]!, known + 1);
  return {
    climax: { ...own, role: "SC", bar, price: low[bar]!, voidAt },
    rally: known === null ? null : { ...own, role: "AR", bar: top, price: reach, voidAt: null },
  };
}

function preliminary(view: View, climax: EventMatch): EventMatch | null {
  if (climax.confirmedAt === null) return null;
  for (let bar = climax.bar - 5; bar >= Math.max(WINDOW, climax.bar - WINDOW); bar--)
    if (isLoudLow(view, bar, LOUD))
      return { ...climax, role: "PS", bar, price: view.low[bar]!, voidAt: null };
  return null;
}

function secondaryTest(view: View, climax: EventMatch): EventMatch | null {
  if (climax.confirmedAt === null) return null;
  const { low, volume, atr, trueRange } = view;
  const end = Math.min(climax.confirmedAt + WINDOW, view.length - 1, (climax.voidAt ?? view.length) - 1);
  for (let bar = climax.confirmedAt + 1; bar <= end; bar++) {
    const a = atr[bar - 1]!;
    const below = climax.price - low[bar]!;
    if (!(below >= -0.5 * a && below <= 1.5 * a && view.close[bar]! > climax.price && closesHigh(view, bar)))
      continue;
    if (!(volume[bar]! < volume[climax.bar]!)) continue;
    if (!(zScore(volume, bar) < LOUD && zScore(trueRange, bar) < LOUD)) continue;
    const voidAt = firstCloseBelow(view, low[bar]!, bar + 1);
    const role = below >= 0.1 * a ? "UT" : "ST";
    return { ...climax, role, bar, price: low[bar]!, confirmedAt: bar, voidAt };
  }
  return null;
}
