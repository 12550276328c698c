import {
  type Bars,
  hasDateLabel,
  type NoSplit,
  type SessionZone,
  sliceBars,
  TIMEFRAME_MS,
} from "../../domain/market/bars.ts";
import { newYorkDay } from "../../lib/newyork.ts";

/** Ratios of small splits as `[after, before]`; inverted for reverse splits. */
const SMALL_RATIOS = [
  [5, 4],
  [4, 3],
  [3, 2],
  [5, 3],
] as const;

/**
 * Maximum relative deviation of the open from the price after a small split: an ordinary overnight move, which is that
 * many usual daily moves of the symbol within the limits.
 */
const SMALL_TOLERANCE = { least: 0.02, most: 0.035, usualMoves: 2 } as const;
/** Smallest factor that is a large split whatever its ratio: that of 2:1 less an overnight move of 8 %. */
const MIN_LARGE = 1.83;
/** Factor from which higher turnover is accepted: a stock that moves this far is rare. */
const MIN_VERY_LARGE = 2.8;
/** Factor from which turnover and the bars around do not matter: no stock moves this far overnight. */
const MIN_IMPOSSIBLE = 9.5;
/** Number of preceding bars that form the baseline. */
const BASELINE_BARS = 20;
/**
 * Maximum turnover relative to the median of the baseline bars; news that moves a price this far multiplies turnover. Of
 * money and units the smaller counts, because volumes may be adjusted where prices are not.
 */
const MAX_TURNOVER = { small: 2.5, large: 4, veryLarge: 10 } as const;
/** Minimum relative turnover; below it trading has probably ended, unless the ratio is exact. */
const MIN_TURNOVER = 0.1;
/** Maximum relative deviation of the open from an exact ratio. */
const EXACT_TOLERANCE = 0.02;
/** Minimum ratio of a small split's move to the usual daily move. */
const MIN_MOVE_RATIO = 6;
/** Numbers of bars before and from the change on whose ranges are compared with it. */
const NEAR_BARS = { before: 5, from: 3 } as const;
/**
 * Minimum ratio of the change to the mean true range of the bars near it, the change itself left out: a genuine crash or
 * jump comes among volatile days or begins them, a split among days like any others.
 */
const MIN_RANGE_RATIO = { small: 5.5, large: 5.5, veryLarge: 4 } as const;

/** An overnight price change that looks like a split in unadjusted bars. */
export interface SuspectedSplit {
  /** Start of the first bar at the new price, epoch ms. */
  readonly time: number;
  readonly index: number;
  /** Shares after and before: "7:1"; "1:10" for a reverse split. */
  readonly ratio: string;
}

/**
 * Returns the overnight changes that look like an unadjusted split: the open is at least 1.83 times the previous close,
 * or at most its 1.83rd part, or it is within an ordinary overnight move of 5:4, 4:3, 3:2 or 5:3. Turnover must stay near
 * its usual level and the change must be at least 5.5 times the mean range of the bars before and after it, because a
 * genuine crash or jump comes with neither; from 9.5-fold changes on both do not matter. Ratios below 1.83 must also be
 * at least 6 times the usual daily move and require volume and 10 preceding bars. Changes in `noSplits` are left out.
 */
export const suspectedSplits = (bars: Bars): readonly SuspectedSplit[] =>
  changesLikeSplits(bars).filter(({ index, factor }) => agrees(bars, index, factor));

/**
 * Returns a function that gives the same splits as `suspectedSplits` of the bars from `start` to `at`, both included,
 * without a search of them.
 */
export function suspectedSplitsWithin(bars: Bars): (start: number, at: number) => readonly SuspectedSplit[] {
  const changes = changesLikeSplits(bars);
  return (start, at) => {
    const inside = changes.filter(({ index }) => index > start && index <= at);
    if (inside.length === 0) return [];
    const window = sliceBars(bars, start, at + 1);
    return inside.filter(({ index, factor }) => agrees(window, index - start, factor));
  };
}

/** Returns the changes whose size is that of a split, before the turnover is compared. */
function changesLikeSplits(bars: Bars): readonly (SuspectedSplit & { readonly factor: number })[] {
  const found = [];
  for (let index = 1; index < bars.time.length; index++) {
    const change = bars.open[index]! / bars.close[index - 1]!;
    if (change > 0.83 && change < 1.206) continue; // smaller than any 5:4 split, even with its 3.5 % tolerance
    const factor = Math.max(change, 1 / change);
    const ratio = factor < MIN_LARGE ? smallRatioOf(factor) : largeRatioOf(factor);
    if (ratio === undefined) continue;
    if (noSplitAt(bars, bars.time[index]!) !== undefined) continue;
    const [more, fewer] = ratio;
    const text = change < 1 ? `${more}:${fewer}` : `${fewer}:${more}`;
    found.push({ time: bars.time[index]!, index, ratio: text, factor });
  }
  return found;
}

/** Returns what is known about the bar that starts at a time: that its change is no split; undefined otherwise. */
export function noSplitAt({ noSplits, timeframe, zone }: Bars, time: number): NoSplit | undefined {
  if (noSplits === undefined || noSplits.length === 0) return;
  const from = hasDateLabel(timeframe) ? time : sessionDate(time, zone);
  const days = timeframe === "1w" ? 7 : 1;
  return noSplits.find(({ date }) => date >= from && date < from + days * TIMEFRAME_MS["1d"]);
}

/** Returns 00:00 UTC of the date that an instant has in a zone, epoch ms. */
export const sessionDate = (at: number, zone: SessionZone): number =>
  zone === "UTC" ? Math.floor(at / TIMEFRAME_MS["1d"]) * TIMEFRAME_MS["1d"] : newYorkDay(at);

const smallRatioOf = (factor: number): readonly [number, number] | undefined =>
  SMALL_RATIOS.map((ratio) => ({ ratio, off: deviationOf(factor, ratio) }))
    .filter(({ off }) => off <= SMALL_TOLERANCE.most)
    .sort((a, b) => a.off - b.off)[0]?.ratio;

/** Returns the relative deviation of a factor from a ratio. */
const deviationOf = (factor: number, [more, fewer]: readonly [number, number]): number =>
  Math.abs((factor * fewer) / more - 1);

/** Returns the nearest ratio to one share, or to two shares below 4:1. */
const largeRatioOf = (factor: number): readonly [number, number] => {
  const halves = Math.max(4, Math.round(2 * factor));
  return halves < 8 && halves % 2 === 1 ? [halves, 2] : [Math.round(halves / 2), 1];
};

function agrees(bars: Bars, index: number, factor: number): boolean {
  if (factor >= MIN_IMPOSSIBLE) return true;
  const isLarge = factor >= MIN_LARGE;
  const size = isLarge ? (factor >= MIN_VERY_LARGE ? "veryLarge" : "large") : "small";
  if (Math.log(factor) < MIN_RANGE_RATIO[size] * meanRangeNear(bars, index)) return false;
  if (!isLarge && !isNearSmallRatio(bars, index, factor)) return false;
  const turnover = turnoverOf(bars, index);
  if (turnover === null) return isLarge;
  if (turnover < MIN_TURNOVER) return isExact(factor);
  return turnover <= MAX_TURNOVER[size];
}

/** Returns true if a change is near a small ratio for the usual daily moves of the symbol, and far above them. */
function isNearSmallRatio(bars: Bars, index: number, factor: number): boolean {
  const usual = medianOf(barsBefore(index), (i) => Math.abs(Math.log(bars.close[i]! / bars.close[i - 1]!)));
  if (usual === null) return false;
  const { least, most, usualMoves } = SMALL_TOLERANCE;
  const tolerance = Math.min(most, Math.max(least, usualMoves * usual));
  return (
    deviationOf(factor, smallRatioOf(factor)!) <= tolerance && Math.log(factor) >= MIN_MOVE_RATIO * usual
  );
}

const isExact = (factor: number): boolean =>
  deviationOf(factor, factor < MIN_LARGE ? smallRatioOf(factor)! : largeRatioOf(factor)) <= EXACT_TOLERANCE;

/** Returns the mean true range, as a log ratio, of the bars near a change, without the change itself. */
function meanRangeNear({ high, low, close }: Bars, index: number): number {
  const first = Math.max(1, index - NEAR_BARS.before);
  const end = Math.min(close.length, index + NEAR_BARS.from);
  let sum = 0;
  for (let i = first; i < end; i++) {
    const before = i === index ? high[i]! : close[i - 1]!;
    sum += Math.log(Math.max(high[i]!, before) / Math.min(low[i]!, before));
  }
  return sum / (end - first);
}

/** Returns the turnover in money or units, whichever grew less; null if volume is unknown. */
function turnoverOf(bars: Bars, index: number): number | null {
  const compared = opensSession(bars, index) ? sessionOpensBefore(bars, index) : barsBefore(index);
  const units = (i: number) => bars.volume[i]!;
  const money = (i: number) => bars.close[i]! * bars.volume[i]!;
  const [unit, turnover] = [medianOf(compared, units), medianOf(compared, money)];
  if (unit === null || turnover === null || unit <= 0 || turnover <= 0 || bars.volume[index]! <= 0)
    return null;
  return Math.min(units(index) / unit, money(index) / turnover);
}

/** Returns up to 20 bars before `index`. */
function barsBefore(index: number): readonly number[] {
  const start = Math.max(1, index - BASELINE_BARS);
  return Array.from({ length: Math.max(0, index - start) }, (_, k) => start + k);
}

/** Returns true for an intraday bar after a pause: the first bars of a session trade several times the usual amount. */
const opensSession = ({ time, timeframe }: Bars, index: number): boolean =>
  !hasDateLabel(timeframe) && time[index]! - time[index - 1]! > TIMEFRAME_MS[timeframe];

/** Returns up to 20 bars before `index` that open a session too. */
function sessionOpensBefore(bars: Bars, index: number): readonly number[] {
  const found: number[] = [];
  for (let i = index - 1; i > 0 && found.length < BASELINE_BARS; i--)
    if (opensSession(bars, i)) found.push(i);
  return found;
}

/** Returns the median of a figure over bars; null for fewer than 10. */
function medianOf(compared: readonly number[], figure: (bar: number) => number): number | null {
  if (compared.length < BASELINE_BARS / 2) return null;
  const values = Float64Array.from(compared, figure).sort();
  return values[values.length >> 1]!;
}
