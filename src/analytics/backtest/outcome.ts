import type { PartRow } from "../../domain/backtest/backtest.ts";
import { drawdownsOf, maxDrawdownPct } from "./drawdowns.ts";
import { annualSharpe } from "./moments.ts";
import { dailyReturns } from "./returns.ts";
import type { Ledger } from "./types.ts";

/** Summary figures for comparing many runs. */
export type Outcome = Pick<PartRow, "return_pct" | "max_drawdown" | "sharpe_arithmetic" | "trade_count">;

/** Computes the outcome of a ledger that started with `cash` (USD); `year` is the number of trading days per year. */
export function outcomeOf(ledger: Ledger, cash: number, year: number): Outcome {
  const { time, equity, trades } = ledger;
  return {
    return_pct: 100 * ((equity.at(-1) ?? cash) / cash - 1),
    max_drawdown: maxDrawdownPct(drawdownsOf(time, equity)),
    sharpe_arithmetic: annualSharpe(dailyReturns(ledger), year),
    trade_count: trades.length,
  };
}
