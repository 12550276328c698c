import { variance } from "../statistics.ts";
import {
  correlationOf,
  correlation as correlationOnCommonDays,
  type DayReturns,
  MIN_COMMON_DAYS,
  onCommonDays,
} from "./day-returns.ts";

/** Number of largest holdings that are read. */
export const MAX_HOLDINGS = 25;
/** Number of holdings in `nearest`. */
const MAX_NEAREST = 3;
/** Correlation from which a holding and an order count as one risk. */
export const CLUSTER_CORRELATION = 0.7;

/** A position, or an order as the position that it adds. */
export interface Holding {
  readonly symbol: string;
  /** Current value, USD; negative: short. */
  readonly value: number;
  readonly returns: DayReturns;
}

/**
 * Correlation of an order with a holding, -1 to 1. Above 0 both usually gain on the same days: a short holding beside a
 * long order in the same market is below 0.
 */
export interface HoldingCorrelation {
  readonly symbol: string;
  readonly correlation: number;
}

/** What an order adds to the risk of an account. */
export interface AccountRisk {
  /**
   * Usual daily move, USD: the sample standard deviation (n - 1) of the profit of a day. 0 without a position; null with
   * fewer than 40 common days.
   */
  readonly before: number | null;
  readonly after: number | null;
  /** Correlation with the profits of all holdings together, that of its own symbol included; null if unknown. */
  readonly correlation: number | null;
  /** The three other holdings with the highest correlation, highest first. */
  readonly nearest: readonly HoldingCorrelation[];
  /** The other holdings with a correlation of at least 0.7, highest first, and the sum of their absolute values, USD. */
  readonly cluster: { readonly holdings: readonly HoldingCorrelation[]; readonly value: number };
}

/**
 * Returns the risk of an account before and after an order, from the 25 largest holdings. Rows of one symbol are added
 * up. Both moves are on the days that the holdings and the order's symbol have in common; if these are fewer than 40,
 * `before` is on those of the holdings. Values must be finite, and that of the order not 0.
 */
export function accountRisk(rows: readonly Holding[], order: Holding): AccountRisk {
  const holdings = largestOf(rows);
  const before = dayProfits(holdings, [order]);
  const ofOrder = dayProfits([order], holdings);
  const after = before.map((profit, day) => profit + ofOrder[day]!);
  const related = correlationsOf(holdings, order);
  const cluster = related.filter(({ correlation }) => correlation >= CLUSTER_CORRELATION);
  const withoutValue = ({ symbol, correlation }: HoldingCorrelation) => ({ symbol, correlation });
  return {
    before: holdings.length === 0 ? 0 : (usualMove(before) ?? usualMove(dayProfits(holdings))),
    after: usualMove(after),
    correlation: correlationOf(ofOrder, before),
    nearest: related.slice(0, MAX_NEAREST).map(withoutValue),
    cluster: {
      holdings: cluster.map(withoutValue),
      value: cluster.reduce((sum, { value }) => sum + Math.abs(value), 0),
    },
  };
}

/** Returns the 25 holdings with the largest absolute value, largest first, one of each symbol. */
function largestOf(rows: readonly Holding[]): readonly Holding[] {
  const bySymbol = new Map<string, Holding>();
  for (const row of rows)
    bySymbol.set(row.symbol, { ...row, value: row.value + (bySymbol.get(row.symbol)?.value ?? 0) });
  return [...bySymbol.values()]
    .filter(({ value }) => value !== 0)
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
    .slice(0, MAX_HOLDINGS);
}

/**
 * Returns the profit of holdings on each day that they and `others` have in common, USD, ascending: the sum of current
 * value times log return.
 */
export function dayProfits(holdings: readonly Holding[], others: readonly Holding[] = []): Float64Array {
  const columns = onCommonDays([...holdings, ...others].map(({ returns }) => returns));
  const profits = new Float64Array(columns[0]?.length ?? 0);
  for (const [i, { value }] of holdings.entries())
    for (let day = 0; day < profits.length; day++) profits[day]! += value * columns[i]![day]!;
  return profits;
}

/** Returns the sample standard deviation of the profits of days; null with fewer than 40. */
export const usualMove = (profits: Float64Array): number | null =>
  profits.length < MIN_COMMON_DAYS ? null : Math.sqrt(variance(profits));

/** Returns the correlation of an order with each holding of another symbol, highest first. */
function correlationsOf(holdings: readonly Holding[], order: Holding) {
  return holdings
    .filter(({ symbol }) => symbol !== order.symbol)
    .flatMap(({ symbol, value, returns }) => {
      const ofReturns = correlationOnCommonDays(returns, order.returns);
      if (ofReturns === null) return [];
      return [{ symbol, value, correlation: Math.sign(value) * Math.sign(order.value) * ofReturns }];
    })
    .sort((a, b) => b.correlation - a.correlation);
}
