import type { Bars } from "../../domain/market/bars.ts";
import { countLeading } from "../../lib/count-leading.ts";
import type { SuspectedSplit } from "./splits.ts";

/** Smallest move of the market, as a log return, that explains a jump of a symbol. */
const MIN_MARKET_MOVE = 0.03;
/** Largest jump that a move of the market explains, in multiples of it. */
const MAX_MULTIPLE = 5;
/** Minimum number of other symbols whose median stands for the market. */
const MIN_MARKET_SYMBOLS = 8;

/** Log returns from the close before a bar to its open and to its close. */
export interface MarketMove {
  readonly open: number;
  readonly close: number;
}

/** Returns the move of a series at the bar that starts at `time`, epoch ms; null without this bar and one before. */
export function moveAt({ time, open, close }: Bars, at: number): MarketMove | null {
  const index = countLeading(time.length, (i) => time[i]! < at);
  if (index === 0 || time[index] !== at) return null;
  const before = close[index - 1]!;
  return { open: Math.log(open[index]! / before), close: Math.log(close[index]! / before) };
}

/** Returns the medians of the moves of several symbols; null for fewer than 8. */
export function medianMove(moves: readonly MarketMove[]): MarketMove | null {
  if (moves.length < MIN_MARKET_SYMBOLS) return null;
  const median = (name: keyof MarketMove) =>
    Float64Array.from(moves, (move) => move[name]).sort()[moves.length >> 1]!;
  return { open: median("open"), close: median("close") };
}

/**
 * Returns true if the market moved at least 3 % in the direction of a jump, and a fifth as far: the jump is then part of
 * that move and no split.
 */
export function isMarketMove(bars: Bars, { index }: SuspectedSplit, { open, close }: MarketMove): boolean {
  const jump = Math.log(bars.open[index]! / bars.close[index - 1]!);
  const moved = Math.max(Math.sign(jump) * open, Math.sign(jump) * close);
  return moved >= MIN_MARKET_MOVE && Math.abs(jump) <= MAX_MULTIPLE * moved;
}
