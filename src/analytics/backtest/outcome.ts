import { dailySharpe } from "./moments.ts";
import { dailyReturns } from "./returns.ts";
import type { Ledger } from "./types.ts";

/** The few figures by which many runs are compared. */
export interface Outcome {
  /** USD. */
  readonly final_equity: number;
  /** Of the cash begun with, percent. */
  readonly return_pct: number;
  /** Deepest fall from a peak at closes, percent, at most 0. */
  readonly max_drawdown: number;
  /** Mean over standard deviation of daily returns, over a year; null where equity did not move. */
  readonly sharpe_arithmetic: number | null;
  /** Closed trades. */
  readonly trade_count: number;
}

/** The light figures of a ledger that began with `cash`, USD, for `year` trading days a year. */
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
