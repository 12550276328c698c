/** A price at a Fibonacci ratio of a wave. */
export interface FibonacciLevel {
  readonly ratio: number;
  readonly price: number;
}

const RETRACEMENTS = [0.236, 0.382, 0.5, 0.618, 0.786];
const EXTENSIONS = [0.618, 1, 1.618, 2.618, 4.236];
const GOLDEN = 1.618;

/** Returns the Fibonacci retracements of the move from `start` to `end`, nearest first; linear in price. */
export const retracements = (start: number, end: number): readonly FibonacciLevel[] =>
  RETRACEMENTS.map((ratio) => ({ ratio, price: end + ratio * (start - end) }));

/**
 * Returns the Fibonacci extensions of the move from `start` to `end`, projected from `from`, nearest first; linear in
 * price.
 */
export const extensions = (start: number, end: number, from: number): readonly FibonacciLevel[] =>
  EXTENSIONS.map((ratio) => ({ ratio, price: from + ratio * (end - start) }));

/** Returns the length of a wave as an absolute log return, which makes moves at different prices comparable. */
export const logLength = (from: number, to: number): number => Math.abs(Math.log(to / from));

/** Returns how well a ratio fits a band, 0-1: 1 inside it, 0 at 1.618 times beyond an edge, logarithmic in between. */
export function closeness(ratio: number, low: number, high: number): number {
  const beyond = Math.max(Math.log(low / ratio), Math.log(ratio / high), 0);
  return Math.max(0, 1 - beyond / Math.log(GOLDEN));
}
