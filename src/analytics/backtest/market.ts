import { mean } from "../statistics.ts";
import { isMember } from "./members.ts";
import type { Figure } from "./return-figures.ts";
import { rowFrom, timelineOf } from "./timeline.ts";
import type { Account, Stream } from "./types.ts";

/** Returns the row of the close before the first bar at which a decision of the strategy could be filled. */
const firstRow = ({ bars, decisions }: Stream, from: number): number =>
  Math.max(0, decisions.start - 1, rowFrom(bars.time, from));

/**
 * Returns the buy-and-hold return of an equal-weighted portfolio of the symbols, without costs and with its
 * dividends, which are not reinvested, as a fraction. Each
 * symbol is held from the close of its last warm-up bar (or its first bar of the run) to its last close. Null if no
 * symbol has such a bar.
 */
export function heldReturn(
  streams: readonly Stream[],
  { from = -Infinity }: Pick<Account, "from">,
): number | null {
  if (streams.some(({ memberships }) => memberships !== undefined))
    return holdingCurve(streams, timelineOf(streams, from), { from }).at(-1)! - 1;
  const returns = streams.flatMap((stream) => {
    const { close } = stream.bars;
    const start = firstRow(stream, from);
    const first = close[start];
    if (first === undefined) return [];
    const paid = stream.dividends?.subarray(start + 1).reduce((sum, amount) => sum + amount, 0) ?? 0;
    return (close[close.length - 1]! + paid) / first - 1;
  });
  return returns.length === 0 ? null : mean(returns);
}

/**
 * Returns the value of the portfolio of `heldReturn` at every time, starting at 1. Each symbol counts 1 until it is
 * bought; the last value is 1 plus that return.
 */
export function holdingCurve(
  streams: readonly Stream[],
  time: Float64Array,
  { from = -Infinity }: Pick<Account, "from">,
): Float64Array {
  return curveOf(streams, time, (stream) => firstRow(stream, from));
}

/**
 * Returns the value of an equal-weighted portfolio at every time; each symbol counts 1 up to its first bar of the run.
 */
export const heldCurve = (streams: readonly Stream[], time: Float64Array): Float64Array =>
  curveOf(streams, time, ({ bars }) => rowFrom(bars.time, time[0] ?? 0));

/**
 * Returns the value of an equal-weighted portfolio at every time; each symbol is bought at the close of row
 * `startOf(stream)` and counts 1 until then.
 */
function curveOf(
  streams: readonly Stream[],
  time: Float64Array,
  startOf: (stream: Stream) => number,
): Float64Array {
  if (streams.some(({ memberships }) => memberships !== undefined))
    return memberCurve(streams, time, startOf);
  const curve = new Float64Array(time.length);
  for (const stream of streams) {
    const { time: own, close } = stream.bars;
    const start = startOf(stream);
    let row = rowFrom(own, time[0] ?? 0);
    let worth = 1;
    let paid = 0;
    for (let t = 0; t < time.length; t++) {
      if (own[row] === time[t]) {
        if (row > start) paid += stream.dividends?.[row] ?? 0;
        if (row >= start) worth = (close[row]! + paid) / close[start]!;
        row += 1;
      }
      curve[t]! += worth / streams.length;
    }
  }
  return curve;
}

/**
 * Returns the value of a portfolio that is spread equally over the members of each bar, from the close before: a symbol
 * counts from its first bar as a member to its last.
 */
function memberCurve(
  streams: readonly Stream[],
  time: Float64Array,
  startOf: (stream: Stream) => number,
): Float64Array {
  const sums = new Float64Array(time.length);
  const counts = new Float64Array(time.length);
  for (const stream of streams) {
    const { time: own, close } = stream.bars;
    const start = startOf(stream);
    let row = rowFrom(own, time[0] ?? 0);
    for (let t = 0; t < time.length; t++) {
      if (own[row] !== time[t]) continue;
      if (row > start && isMember(stream.memberships ?? [], time[t]!)) {
        sums[t]! += (close[row]! + (stream.dividends?.[row] ?? 0)) / close[row - 1]! - 1;
        counts[t]! += 1;
      }
      row += 1;
    }
  }
  let worth = 1;
  return sums.map((sum, t) => {
    if (counts[t]! > 0) worth *= 1 + sum / counts[t]!;
    return worth;
  });
}

/**
 * Returns the beta of equity to the market, from log returns: their covariance over the market's variance; or the
 * reason why it is undefined.
 */
export function betaOf(equity: Float64Array, market: Float64Array): Figure {
  const count = equity.length - 1;
  if (count < 2) return "fewer than three bars";
  if (equity.some((worth) => worth <= 0)) return "equity fell to 0";
  const ours = (t: number) => Math.log(equity[t + 1]! / equity[t]!);
  const marketReturn = (t: number) => Math.log(market[t + 1]! / market[t]!);
  const middle = Math.log(equity[count]! / equity[0]!) / count;
  const drift = Math.log(market[count]! / market[0]!) / count;
  let together = 0;
  let alone = 0;
  for (let t = 0; t < count; t++) {
    const off = marketReturn(t) - drift;
    together += (ours(t) - middle) * off;
    alone += off * off;
  }
  return alone > 0 ? together / alone : "prices did not vary";
}
