import type { Metrics } from "../../domain/backtest/metrics.ts";
import { mean, sum, variance } from "../statistics.ts";
import { annualSharpe } from "./moments.ts";
import { dailyReturns } from "./returns.ts";
import type { Ledger } from "./types.ts";

/** A figure, or the reason why it is undefined. */
export type Figure = number | string;

/**
 * Returns metrics of daily returns, each a fraction or the reason why it is undefined; `year` is the number of trading
 * days per year.
 */
export function returnFigures(ledger: Ledger, year: number) {
  const returns = dailyReturns(ledger);
  const growth = meanGrowth(returns);
  const annual = typeof growth === "string" ? growth : (1 + growth) ** year - 1;
  const volatility = volatilityOf(returns, growth, year);
  const few = returns.length < 2 ? FEW : null;
  return {
    annual,
    volatility,
    sharpe_ratio: ratio(annual, volatility, STILL),
    sharpe_arithmetic: few ?? annualSharpe(returns, year) ?? STILL,
    sortino_ratio: ratio(annual, downside(returns, year), "no losing day"),
  } satisfies Partial<Record<keyof Metrics, Figure>> & { annual: Figure; volatility: Figure };
}

/** Returns `top` / `bottom`; if either is undefined, its reason; `zero` if `bottom` is 0. */
export function ratio(top: Figure, bottom: Figure, zero: string): Figure {
  if (typeof top === "string") return top;
  if (typeof bottom === "string") return bottom;
  return bottom === 0 ? zero : top / bottom;
}

const FEW = "fewer than three days";
const STILL = "no variance";

/** Returns the geometric mean of daily returns. */
function meanGrowth(returns: Float64Array): Figure {
  if (returns.length === 0) return "fewer than two days";
  if (returns.some((value) => value <= -1)) return "equity fell to 0";
  return Math.exp(sum(returns.map(Math.log1p)) / returns.length) - 1;
}

function volatilityOf(returns: Float64Array, growth: Figure, year: number): Figure {
  if (typeof growth === "string") return growth;
  if (returns.length < 2) return FEW;
  const spread = variance(returns);
  if (spread === 0) return 0;
  const square = (1 + growth) ** 2;
  return Math.sqrt(Math.max(0, (spread + square) ** year - square ** year));
}

function downside(returns: Float64Array, year: number): number {
  const losses = returns.map((value) => Math.min(0, value) ** 2);
  return Math.sqrt(mean(losses)) * Math.sqrt(year);
}
