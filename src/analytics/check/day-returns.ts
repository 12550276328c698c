import { type Bars, TIMEFRAME_MS } from "../../domain/market/bars.ts";
import { mean } from "../statistics.ts";

/** Number of newest returns that are read. */
const MAX_DAYS = 250;
/** Minimum number of common days of a correlation or a deviation. */
export const MIN_COMMON_DAYS = 40;
/** Share of the mean square up to which a variance is a rounding error. */
const ROUNDING = 1e-20;

/** Log returns of the close by day, ascending; a day is the number of days since 1970-01-01, UTC. */
export type DayReturns = ReadonlyMap<number, number>;

/** Returns the last 250 log returns of daily bars. */
export function dayReturns({ time, close }: Pick<Bars, "time" | "close">): DayReturns {
  const returns = new Map<number, number>();
  for (let bar = Math.max(1, close.length - MAX_DAYS); bar < close.length; bar++)
    returns.set(Math.floor(time[bar]! / TIMEFRAME_MS["1d"]), Math.log(close[bar]! / close[bar - 1]!));
  return returns;
}

/**
 * Returns the log returns of each series from one common day to the next, in the order of the series. A return on a day
 * that others lack is added to that of the next common day: the Monday of a coin beside a stock is its change since
 * Friday. The first common day has its own return.
 */
export function onCommonDays(series: readonly DayReturns[]): readonly Float64Array[] {
  const [first, ...others] = series;
  if (first === undefined) return [];
  const days = [...first.keys()].filter((day) => others.every((returns) => returns.has(day)));
  return series.map((returns) => betweenDays(returns, days));
}

/** Returns the sums of the returns after each day, up to the next; of the first day its return alone. */
function betweenDays(returns: DayReturns, days: readonly number[]): Float64Array {
  const sums = new Float64Array(days.length);
  let at = 0;
  for (const [day, change] of returns) {
    if (at === days.length) break;
    if (day < days[0]!) continue;
    sums[at]! += change;
    if (day === days[at]) at++;
  }
  return sums;
}

/**
 * Returns the correlation of two columns of equal length, -1 to 1. Null with fewer than 40 values, or if one of the
 * columns does not vary.
 */
export function correlationOf(a: Float64Array, b: Float64Array): number | null {
  if (a.length < MIN_COMMON_DAYS) return null;
  const [middleA, middleB] = [mean(a), mean(b)];
  let [products, squaresA, squaresB] = [0, 0, 0];
  for (let day = 0; day < a.length; day++) {
    const [fromA, fromB] = [a[day]! - middleA, b[day]! - middleB];
    products += fromA * fromB;
    squaresA += fromA * fromA;
    squaresB += fromB * fromB;
  }
  const isConstant = (squares: number, middle: number) => squares <= ROUNDING * a.length * middle * middle;
  if (isConstant(squaresA, middleA) || isConstant(squaresB, middleB)) return null;
  return Math.min(1, Math.max(-1, products / Math.sqrt(squaresA * squaresB)));
}

/** Returns the correlation of two symbols on their common days; null as `correlationOf`. */
export function correlation(a: DayReturns, b: DayReturns): number | null {
  const [ofA, ofB] = onCommonDays([a, b]);
  return correlationOf(ofA!, ofB!);
}
