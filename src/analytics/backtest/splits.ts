import { type Bars, hasDateLabel, sliceBars, TIMEFRAME_MS } from "../../domain/market/bars.ts";

/** Ratios of small splits as `[after, before]`; inverted for reverse splits. */
const SMALL_RATIOS = [
  [5, 4],
  [4, 3],
  [3, 2],
  [5, 3],
] as const;

/** Maximum relative deviation of the open from the price after a small split: an ordinary overnight move. */
const SMALL_TOLERANCE = 0.02;
/** Smallest factor that is a large split whatever its ratio: that of 2:1 less an overnight move of 8 %. */
const MIN_LARGE = 1.83;
/** Factor from which higher turnover is accepted: a stock that moves this far is rare. */
const MIN_VERY_LARGE = 2.8;
/** Factor from which turnover does not matter: no stock moves this far overnight. */
const MIN_IMPOSSIBLE = 10;
/** Number of preceding bars that form the baseline. */
const BASELINE_BARS = 20;
/** Maximum turnover relative to the median of the baseline bars; news that moves a price this far multiplies turnover. */
const MAX_TURNOVER = { small: 2.5, large: 4, veryLarge: 10 } as const;
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
 * Returns the overnight changes that look like an unadjusted split: the open is at least 1.83 times the previous close,
 * or at most its 1.83rd part, or it is within 2 % of 5:4, 4:3, 3:2 or 5:3. Turnover must stay near its usual level,
 * because a genuine crash or jump multiplies it; from tenfold changes on it does not matter. Ratios below 1.83 must also
 * be at least 6 times the usual daily move and require volume and 10 preceding bars.
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
    if (change > 0.82 && change < 1.22) continue; // smaller than any 5:4 split, even with its 2 % tolerance
    const factor = Math.max(change, 1 / change);
    const ratio = factor < MIN_LARGE ? smallRatioOf(factor) : largeRatioOf(factor);
    if (ratio === undefined) continue;
    const [more, fewer] = ratio;
    const text = change < 1 ? `${more}:${fewer}` : `${fewer}:${more}`;
    found.push({ time: bars.time[index]!, index, ratio: text, factor });
  }
  return found;
}

const smallRatioOf = (factor: number): readonly [number, number] | undefined =>
  SMALL_RATIOS.find(([more, fewer]) => Math.abs((factor * fewer) / more - 1) <= SMALL_TOLERANCE);

/** Returns the nearest ratio to one share, or to two shares below 4:1. */
const largeRatioOf = (factor: number): readonly [number, number] => {
  const halves = Math.max(4, Math.round(2 * factor));
  return halves < 8 && halves % 2 === 1 ? [halves, 2] : [Math.round(halves / 2), 1];
};

function agrees(bars: Bars, index: number, factor: number): boolean {
  if (factor >= MIN_IMPOSSIBLE) return true;
  const turnover = turnoverOf(bars, index);
  if (turnover === null) return factor >= MIN_LARGE;
  if (turnover < MIN_TURNOVER) return false;
  if (factor >= MIN_VERY_LARGE) return turnover <= MAX_TURNOVER.veryLarge;
  if (factor >= MIN_LARGE) return turnover <= MAX_TURNOVER.large;
  const moves = medianOf(barsBefore(index), (i) => Math.abs(Math.log(bars.close[i]! / bars.close[i - 1]!)));
  return (
    moves !== null && turnover <= MAX_TURNOVER.small && Math.abs(Math.log(factor)) >= MIN_MOVE_RATIO * moves
  );
}

/** Returns the turnover relative to the median of comparable preceding bars; null if volume is unknown. */
function turnoverOf(bars: Bars, index: number): number | null {
  const money = (i: number) => bars.close[i]! * bars.volume[i]!;
  const compared = opensSession(bars, index) ? sessionOpensBefore(bars, index) : barsBefore(index);
  const median = medianOf(compared, money);
  return median !== null && median > 0 && bars.volume[index]! > 0 ? money(index) / median : null;
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
