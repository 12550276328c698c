import { mean } from "../statistics.ts";
import type { Figure } from "./return-figures.ts";
import { rowFrom } from "./timeline.ts";
import type { Account, Stream } from "./types.ts";

/** First bar of a stream a strategy could be in after: the close before its first decision could be filled. */
const firstRow = ({ bars, decisions }: Stream, from: number): number =>
  Math.max(0, decisions.start - 1, rowFrom(bars.time, from));

/**
 * What equal parts in the symbols came to when held from the close of the last warm-up bar (or the first bar of the run)
 * to the last close, without cost; a fraction, null where no symbol has such a bar.
 */
export function heldReturn(streams: readonly Stream[], { from = -Infinity }: Account): number | null {
  const returns = streams.flatMap((stream) => {
    const { close } = stream.bars;
    const first = close[firstRow(stream, from)];
    return first === undefined ? [] : close[close.length - 1]! / first - 1;
  });
  return returns.length === 0 ? null : mean(returns);
}

/**
 * Worth of equal parts in the symbols at every time, each bought at the close from which `heldReturn` holds it and 1
 * until then: its last value is 1 and that return.
 */
export function holdingCurve(
  streams: readonly Stream[],
  time: Float64Array,
  { from = -Infinity }: Account,
): Float64Array {
  return curveOf(streams, time, (stream) => firstRow(stream, from));
}

/** Worth of equal parts in the symbols at every time, each 1 at its first bar of the run and until then. */
export const heldCurve = (streams: readonly Stream[], time: Float64Array): Float64Array =>
  curveOf(streams, time, ({ bars }) => rowFrom(bars.time, time[0] ?? 0));

/** Worth of equal parts in the symbols at every time, each bought at the close of a row of its own and 1 until then. */
function curveOf(
  streams: readonly Stream[],
  time: Float64Array,
  startOf: (stream: Stream) => number,
): Float64Array {
  const curve = new Float64Array(time.length);
  for (const stream of streams) {
    const { time: own, close } = stream.bars;
    const start = startOf(stream);
    let row = rowFrom(own, time[0] ?? 0);
    let worth = 1;
    for (let t = 0; t < time.length; t++) {
      if (own[row] === time[t]) {
        if (row >= start) worth = close[row]! / close[start]!;
        row += 1;
      }
      curve[t]! += worth / streams.length;
    }
  }
  return curve;
}

/**
 * Covariance of the log returns of equity with those of the market over the market's variance; a reason where it is not
 * defined.
 */
export function betaOf(equity: Float64Array, market: Float64Array): Figure {
  const count = equity.length - 1;
  if (count < 2) return "fewer than three bars";
  if (equity.some((worth) => worth <= 0)) return "equity fell to 0";
  const ours = (t: number) => Math.log(equity[t + 1]! / equity[t]!);
  const theirs = (t: number) => Math.log(market[t + 1]! / market[t]!);
  const middle = Math.log(equity[count]! / equity[0]!) / count;
  const drift = Math.log(market[count]! / market[0]!) / count;
  let together = 0;
  let alone = 0;
  for (let t = 0; t < count; t++) {
    const off = theirs(t) - drift;
    together += (ours(t) - middle) * off;
    alone += off * off;
  }
  return alone > 0 ? together / alone : "prices did not vary";
}
