import type { Bars } from "../../domain/bars.ts";
import { highest, lowest, tail } from "../drivers/window.ts";

/**
 * Closes of the last bar at which a driver may turn or jump, in no order: between two neighbours among them each driver,
 * the average true range and the stop only rise or only fall as the close rises. For these bars with the last close
 * moved and its high and low stretched to hold it; 15 bars at the least.
 */
export function kinksOf(bars: Bars): readonly number[] {
  const { high, low, close } = bars;
  const at = close.length - 1;
  const [top, bottom, before] = [high[at]!, low[at]!, close[at - 1]!];
  const earlier = { high: high.subarray(0, at), low: low.subarray(0, at), close: close.subarray(0, at) };
  // where the typical price equals the one before: within the bar's own range, above it, below it
  const typical = high[at - 1]! + low[at - 1]! + before;
  return [
    ...[top, bottom, before],
    ...[typical - top - bottom, (typical - bottom) / 2, (typical - top) / 2],
    // the ground that choppiness sees covered, and the close it compares with
    ...[
      Math.max(before, highest(tail(trueHighs(earlier), 13))),
      Math.min(before, lowest(tail(trueLows(earlier), 13))),
    ],
    close[at - 14]!,
    // the extremes that stops lie behind
    ...[highest(tail(earlier.high, 4)), lowest(tail(earlier.low, 4))],
    narrowestBands(tail(earlier.close, 19)),
    straightest(tail(earlier.close, 59)),
  ].filter((price) => price > 0 && Number.isFinite(price));
}

const trueHighs = ({ high, close }: Pick<Bars, "high" | "close">): Float64Array =>
  high.map((top, i) => (i === 0 ? top : Math.max(top, close[i - 1]!)));
const trueLows = ({ low, close }: Pick<Bars, "low" | "close">): Float64Array =>
  low.map((bottom, i) => (i === 0 ? bottom : Math.min(bottom, close[i - 1]!)));

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
