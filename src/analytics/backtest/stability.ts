import type { Interval, Intervals } from "./bootstrap.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import type { Account, Ledger } from "./types.ts";

/** Minimum number of closed trades for a meaningful result. */
export const MIN_TRADES = 30;

/** Cost multiples at which a run is repeated. */
const COST_MULTIPLES = [0, 1, 2, 3] as const;

export interface CostOutcome extends Outcome {
  /** Factor applied to commissions, slippage and borrowing fees. */
  readonly multiple: number;
}

/**
 * Returns the outcome of the run at 0, 1, 2 and 3 times its commissions, slippage and borrowing fees. `year` is the number of trading days
 * per year.
 */
export function runAtCostMultiples(
  run: (account: Account, multiple: number) => Ledger,
  account: Account,
  year: number,
): readonly CostOutcome[] {
  return COST_MULTIPLES.map((multiple) => {
    const dearer = {
      ...account,
      commission: account.commission * multiple,
      slippage: account.slippage * multiple,
      ...(account.perShare !== undefined && { perShare: account.perShare * multiple }),
      ...(account.borrow !== undefined && { borrow: account.borrow * multiple }),
    };
    return { multiple, ...outcomeOf(run(dearer, multiple), account.cash, year) };
  });
}

/** Returns true if an interval includes 0, so that the sign of the figure is uncertain; false if it is undefined. */
export const spansZero = ({ low, high }: Pick<Interval, "low" | "high">): boolean =>
  low !== null && high !== null && low <= 0 && high >= 0;

/** Weaknesses of a result; each is reported as a separate caution. */
export interface Stability {
  /** Figures whose 95 % interval includes 0. */
  readonly spans_zero: readonly (keyof Intervals)[];
  /** Number of closed trades if under 30, else null. */
  readonly few_trades: number | null;
  /** Lowest cost multiple at which the profit is gone; null if there is no profit, or if it remains at every multiple. */
  readonly profit_gone_at: number | null;
}

export function stabilityOf(
  intervals: Intervals,
  tradeCount: number,
  costs: readonly CostOutcome[],
): Stability {
  const figures = ["annual_return_pct", "sharpe_arithmetic", "mean_daily_return_pct"] as const;
  const lost = costs
    .filter(({ return_pct }) => return_pct <= 0)
    .reduce((least, { multiple }) => Math.min(least, multiple), Number.POSITIVE_INFINITY);
  const earns = costs.some(({ multiple, return_pct }) => multiple < lost && return_pct > 0);
  return {
    spans_zero: figures.filter((figure) => spansZero(intervals[figure])),
    few_trades: tradeCount < MIN_TRADES ? tradeCount : null,
    profit_gone_at: earns && Number.isFinite(lost) ? lost : null,
  };
}
