import type { Bars } from "../../domain/market/bars.ts";
import { highest, lowest, tail } from "../drivers/window.ts";

/** Closes of the last bar at which some driver changes its course, in no order. */
export interface Kinks {
  /** Closes at which a driver bends without a jump. */
  readonly bends: readonly number[];
  /** Closes at which a driver may jump. */
  readonly jumps: readonly number[];
}

/**
 * The kinks of these bars with the last close moved and its high and low stretched to hold it: between two neighbours
 * among them each driver, the average true range and the stop only rise or only fall as the close rises, but for jumps
 * of drivers that only rise anyway. Needs 15 bars.
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
      // the ground that choppiness sees covered, and the extremes that stops lie behind
      ...[Math.max(before, highest(trueHighs(recent))), Math.min(before, lowest(trueLows(recent)))],
      ...[highest(tail(earlier.high, 4)), lowest(tail(earlier.low, 4))],
      ...[narrowestBands(tail(earlier.close, 19)), straightest(tail(earlier.close, 59))],
    ].filter(isPrice),
    jumps: [before, close[at - 14]!, typicalAt(high[at - 1]! + low[at - 1]! + before, top, bottom)].filter(
      isPrice,
    ),
  };
}

const isPrice = (value: number): boolean => value > 0 && Number.isFinite(value);

/** The close that makes high, low and close add up to a sum: within the bar's own range, above it, or below it. */
function typicalAt(sum: number, top: number, bottom: number): number {
  const within = sum - top - bottom;
  return within > top ? (sum - bottom) / 2 : within < bottom ? (sum - top) / 2 : within;
}

/** True highs, and true lows, of all bars but the first. */
const trueHighs = ({ high, close }: Pick<Bars, "high" | "close">): Float64Array =>
  high.subarray(1).map((top, i) => Math.max(top, close[i]!));
const trueLows = ({ low, close }: Pick<Bars, "low" | "close">): Float64Array =>
  low.subarray(1).map((bottom, i) => Math.min(bottom, close[i]!));

/** The value that, added to these, makes deviation over mean least: the sum of squares over the sum. */
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
 * The value after these at which the correlation of their logarithms with time is most or least: with y the last
 * logarithm, it goes as (c + xy) / sqrt(q + py + ry2), which has one such place.
 */
function straightest(others: Float64Array): number {
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
