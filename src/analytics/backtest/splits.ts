import { type Bars, sliceBars } from "../../domain/market/bars.ts";

/** Usual split ratios as `[after, before]`; inverted for reverse splits. */
const RATIOS = [
  [5, 4],
  [4, 3],
  [3, 2],
  [5, 2],
  ...[2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 25, 30, 40, 50].map((shares) => [shares, 1] as const),
] as const;

/** Maximum relative deviation of the open from the split price, which leaves room for an ordinary overnight move. */
const RATIO_TOLERANCE = 0.02;
/** Maximum deviation for ratios of 2 and above, which exceed any ordinary overnight move. */
const RATIO_TOLERANCE_LARGE = 0.06;
/** Number of preceding bars that form the baseline. */
const BASELINE_BARS = 20;
/** Maximum turnover relative to the median of the baseline bars; news that moves a price this far multiplies turnover. */
const MAX_TURNOVER = 2.5;
const MAX_TURNOVER_LARGE = 4;
/** Minimum relative turnover; below it trading has probably ended. */
const MIN_TURNOVER = 0.1;
/** Minimum ratio of a small split's move to the usual daily move. */
const MIN_MOVE_RATIO = 6;

/** An overnight price change that looks like a split in unadjusted bars. */
export interface SuspectedSplit {
  /** Start of the first bar at the new price, epoch ms. */
  readonly time: number;
  readonly index: number;
  /** Shares after and before: "7:1"; "1:10" for a reverse split. */
  readonly ratio: string;
}

/**
 * Returns the overnight changes that look like an unadjusted split, for a caution in the result. The ratio of open to
 * previous close must lie within 2 % of a usual split ratio (6 % for ratios of 2 and above), and turnover must stay
 * near its usual level; a genuine crash or jump multiplies it. Ratios under 2 must also be at least 6 times the usual
 * daily move and require volume and 10 preceding bars.
 */
export const suspectedSplits = (bars: Bars): readonly SuspectedSplit[] =>
  changesLikeSplits(bars).filter(({ index, large }) => agrees(bars, index, large));

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
    return inside.filter(({ index, large }) => agrees(window, index - start, large));
  };
}

/** Returns the changes whose size is that of a split, before the turnover is compared. */
function changesLikeSplits(bars: Bars): readonly (SuspectedSplit & { readonly large: boolean })[] {
  const found = [];
  for (let index = 1; index < bars.time.length; index++) {
    const change = bars.open[index]! / bars.close[index - 1]!;
    if (change > 0.82 && change < 1.22) continue; // smaller than any 5:4 split, even with its 2 % tolerance
    const ratio = ratioOf(change);
    if (ratio === null) continue;
    const [after, before] = ratio;
    const large = isLarge(Math.max(after / before, before / after));
    found.push({ time: bars.time[index]!, index, ratio: `${after}:${before}`, large });
  }
  return found;
}

function ratioOf(change: number): readonly [number, number] | null {
  const forward = change < 1;
  const factor = forward ? 1 / change : change;
  let [best, nearest]: [readonly [number, number] | null, number] = [null, Number.POSITIVE_INFINITY];
  for (const [more, fewer] of RATIOS) {
    const off = Math.abs((factor * fewer) / more - 1);
    if (off > (isLarge(more / fewer) ? RATIO_TOLERANCE_LARGE : RATIO_TOLERANCE) || off >= nearest) continue;
    nearest = off;
    best = forward ? [more, fewer] : [fewer, more];
  }
  return best;
}

const isLarge = (factor: number): boolean => factor >= 2;

function agrees(bars: Bars, index: number, large: boolean): boolean {
  const turnover = turnoverOf(bars, index);
  if (turnover === null) return large;
  if (turnover < MIN_TURNOVER) return false;
  if (large) return turnover <= MAX_TURNOVER_LARGE;
  const moves = medianBefore(index, (i) => Math.abs(Math.log(bars.close[i]! / bars.close[i - 1]!)));
  const jump = Math.abs(Math.log(bars.open[index]! / bars.close[index - 1]!));
  return moves !== null && turnover <= MAX_TURNOVER && jump >= MIN_MOVE_RATIO * moves;
}

/** Returns the turnover relative to the median of the 20 preceding bars; null if volume is unknown. */
function turnoverOf(bars: Bars, index: number): number | null {
  const money = (i: number) => bars.close[i]! * bars.volume[i]!;
  const median = medianBefore(index, money);
  return median !== null && median > 0 && bars.volume[index]! > 0 ? money(index) / median : null;
}

/** Returns the median of `figure` over up to 20 bars before `index`; null with fewer than 10. */
function medianBefore(index: number, figure: (bar: number) => number): number | null {
  const start = Math.max(1, index - BASELINE_BARS);
  if (index - start < BASELINE_BARS / 2) return null;
  const values = Float64Array.from({ length: index - start }, (_, k) => figure(start + k)).sort();
  return values[values.length >> 1]!;
}
