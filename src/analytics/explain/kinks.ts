import type { Bars } from "../../domain/market/bars.ts";
import { highest, lowest, tail } from "../drivers/window.ts";

/** Closes of the last bar at which a driver has a kink or a jump, unordered. */
export interface Kinks {
  /** Closes at which a driver changes slope without a jump. */
  readonly bends: readonly number[];
  /** Closes at which a driver may jump. */
  readonly jumps: readonly number[];
}

/**
 * Returns the kinks when the last close moves and the bar's high and low are widened to include it. Between two
 * neighbouring kinks each driver, the ATR and the stop are monotonic in the close, except for jumps of drivers that
 * only rise. Requires 15 bars.
 */
export function kinksOf(bars: Bars): Kinks {
  const { high, low, close } = bars;
  const at = close.length - 1;
  const [top, bottom, before] = [high[at]!, low[at]!, close[at - 1]!];
  const earlier = { high: high.subarray(0, at), low: low.subarray(0, at), close: close.subarray(0, at) };
  const recent = { high: tail(earlier.high, 14), low: tail(earlier.low, 14), close: tail(earlier.close, 14) };
  return {
    bends: [
      ...[top, bottom],
      // the range that choppiness covers, and the extremes behind which stops lie
      ...[Math.max(before, highest(trueHighs(recent))), Math.min(before, lowest(trueLows(recent)))],
      ...[highest(tail(earlier.high, 4)), lowest(tail(earlier.low, 4))],
      ...[narrowestBands(tail(earlier.close, 19)), extremeCorrelation(tail(earlier.close, 59))],
    ].filter(isPrice),
    jumps: [before, close[at - 14]!, typicalAt(high[at - 1]! + low[at - 1]! + before, top, bottom)].filter(
      isPrice,
    ),
  };
}

const isPrice = (value: number): boolean => value > 0 && Number.isFinite(value);

/** Returns the close at which high, low and close add up to `sum`: within the bar's own range, above it, or below it. */
function typicalAt(sum: number, top: number, bottom: number): number {
  const within = sum - top - bottom;
  return within > top ? (sum - bottom) / 2 : within < bottom ? (sum - top) / 2 : within;
}

/** True highs and true lows of all bars except the first. */
const trueHighs = ({ high, close }: Pick<Bars, "high" | "close">): Float64Array =>
  high.subarray(1).map((top, i) => Math.max(top, close[i]!));
const trueLows = ({ low, close }: Pick<Bars, "low" | "close">): Float64Array =>
  low.subarray(1).map((bottom, i) => Math.min(bottom, close[i]!));

/** Returns the value that, added to `others`, minimises standard deviation over mean: the sum of squares over the sum. */
function narrowestBands(others: Float64Array): number {
  let sum = 0;
  let squares = 0;
  for (const value of others) {
    sum += value;
    squares += value * value;
  }
  return squares / sum;
}

/**
 * Returns the next value at which the correlation of log values with time is extreme. With y the last logarithm, the
 * correlation is proportional to (c + xy) / sqrt(q + py + ry2), which has a single extremum.
 */
function extremeCorrelation(others: Float64Array): number {
  const n = others.length + 1;
  const x = (n - 1) / 2;
  const origin = Math.log(others[0]!);
  let [c, total, squares] = [0, 0, 0];
  for (let i = 0; i < others.length; i++) {
    const y = Math.log(others[i]!) - origin;
    c += (i - x) * y;
    total += y;
    squares += y * y;
  }
  const [r, p, q] = [1 - 1 / n, (-2 * total) / n, squares - (total * total) / n];
  return Math.exp(origin + (x * q - (c * p) / 2) / (c * r - (x * p) / 2));
}
