import type { Interval, Intervals } from "./bootstrap.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import type { Account, Ledger } from "./types.ts";

/** Closed trades under which a result says little about a rule. */
export const MIN_TRADES = 30;

/** Multiples of the costs a run is repeated at. */
const COST_MULTIPLES = [1, 2, 3] as const;

export interface AtCosts extends Outcome {
  /** Factor of commission and slippage. */
  readonly multiple: number;
}

/**
 * The same run where trading costs as much, two and three times as much; commission and slippage alone are changed.
 * `year` is the trading days in one.
 */
export function atCosts(
  run: (account: Account) => Ledger,
  account: Account,
  year: number,
): readonly AtCosts[] {
  return COST_MULTIPLES.map((multiple) => {
    const dearer = {
      ...account,
      commission: account.commission * multiple,
      slippage: account.slippage * multiple,
    };
    return { multiple, ...outcomeOf(run(dearer), account.cash, year) };
  });
}

/** True if an interval includes 0, so that the sign of the figure is not known; false for one that is not defined. */
export const spansZero = ({ low, high }: Pick<Interval, "low" | "high">): boolean =>
  low !== null && high !== null && low <= 0 && high >= 0;

/** Weaknesses of a result; each one is a caution of its own. */
export interface Stability {
  /** Figures whose 95 % interval holds 0. */
  readonly spans_zero: readonly (keyof Intervals)[];
  /** Closed trades, where they are fewer than 30; null where they are enough. */
  readonly few_trades: number | null;
  /** The least multiple of costs at which a profit is one no more; null where there is none to lose or it stays one. */
  readonly profit_gone_at: number | null;
}

/** Derives the cautions from a run's intervals, its closed trades and its results at higher costs. */
export function stabilityOf(intervals: Intervals, tradeCount: number, costs: readonly AtCosts[]): Stability {
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
