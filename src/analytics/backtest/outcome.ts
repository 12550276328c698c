import { dailySharpe } from "./moments.ts";
import { dailyReturns } from "./returns.ts";
import type { Ledger } from "./types.ts";

/** Summary figures for comparing many runs. */
export interface Outcome {
  /** USD. */
  readonly final_equity: number;
  /** Return on the starting cash, percent. */
  readonly return_pct: number;
  /** Maximum drawdown of equity at closes, percent; 0 or negative. */
  readonly max_drawdown: number;
  /** Annualized mean of daily returns divided by their standard deviation; null if equity did not move. */
  readonly sharpe_arithmetic: number | null;
  /** Closed trades. */
  readonly trade_count: number;
}

/**
 * Computes the outcome of a ledger that started with `cash` (USD); `year` is the number of trading days in a
 * year.
 */
export function outcomeOf(ledger: Ledger, cash: number, year: number): Outcome {
  const { equity, trades } = ledger;
  const last = equity.at(-1) ?? cash;
  const sharpe = dailySharpe(dailyReturns(ledger));
  return {
    final_equity: last,
    return_pct: 100 * (last / cash - 1),
    max_drawdown: deepestFall(equity),
    sharpe_arithmetic: sharpe === null ? null : sharpe * Math.sqrt(year),
    trade_count: trades.length,
  };
}

function deepestFall(equity: Float64Array): number {
  let [peak, deepest] = [Number.NEGATIVE_INFINITY, 0];
  for (let i = 0; i < equity.length; i++) {
    if (equity[i]! > peak) peak = equity[i]!;
    const fall = equity[i]! / peak - 1;
    if (fall < deepest) deepest = fall;
  }
  return 100 * deepest;
}
