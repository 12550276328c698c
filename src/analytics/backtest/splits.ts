import type { Bars } from "../../domain/market/bars.ts";

/** Shares that one becomes, as `[after, before]`; read backwards a reverse split. */
const RATIOS = [
  [5, 4],
  [4, 3],
  [3, 2],
  [5, 2],
  ...[2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 25, 30, 40, 50].map((shares) => [shares, 1] as const),
] as const;

/** How far an opening may lie from the price a split makes: the ordinary move of a night comes on top of it. */
const RATIO_TOLERANCE = 0.02;
/** The same for two for one and more, which no ordinary night comes close to. */
const RATIO_TOLERANCE_LARGE = 0.06;
/** Bars before that say what is usual. */
const BASELINE_BARS = 20;
/** Money traded on the day against the median of the bars before: news that moves a price as far multiplies it. */
const MAX_TURNOVER = 2.5;
const MAX_TURNOVER_LARGE = 4;
/** A fall of the kind without sellers is no less suspect, but a market that has ended is. */
const MIN_TURNOVER = 0.1;
/** Minimum ratio of a small split's move to the usual daily move. */
const MIN_MOVE_RATIO = 6;

/** A night on which a price changed as a split changes it, in bars that say nothing of one. */
export interface SuspectedSplit {
  /** Start of the first bar at the new price, epoch ms. */
  readonly time: number;
  readonly index: number;
  /** Shares after and before, "7:1"; "1:10" for a reverse split. */
  readonly ratio: string;
}

/**
 * Overnight changes that look like an unadjusted split, for a caution with a result: the open over the close before
 * lies within 2 % of a usual ratio under 2 (6 % from 2 on, which nights of ordinary moves blur
 * but do not reach), and the money traded is what it was, where a crash or a jump as large multiplies it. Ratios under
 * 2 must also be 6 times the usual daily move and need volume and 10 bars before them.
 */
export function suspectedSplits(bars: Bars): readonly SuspectedSplit[] {
  const found: SuspectedSplit[] = [];
  for (let index = 1; index < bars.time.length; index++) {
    const change = bars.open[index]! / bars.close[index - 1]!;
    if (change > 0.82 && change < 1.22) continue; // nearer to 1 than 5:4 and its 2 %
    const ratio = ratioOf(change);
    if (ratio === null) continue;
    const [after, before] = ratio;
    const large = isLarge(Math.max(after / before, before / after));
    if (agrees(bars, index, large))
      found.push({ time: bars.time[index]!, index, ratio: `${after}:${before}` });
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

/** Money traded against the median of the 20 bars before; null where volume is not known. */
function turnoverOf(bars: Bars, index: number): number | null {
  const money = (i: number) => bars.close[i]! * bars.volume[i]!;
  const median = medianBefore(index, money);
  return median !== null && median > 0 && bars.volume[index]! > 0 ? money(index) / median : null;
}

/** Median of a figure over the 20 bars before `index`; null under 10. */
function medianBefore(index: number, figure: (bar: number) => number): number | null {
  const start = Math.max(1, index - BASELINE_BARS);
  if (index - start < BASELINE_BARS / 2) return null;
  const values = Float64Array.from({ length: index - start }, (_, k) => figure(start + k)).sort();
  return values[values.length >> 1]!;
}
