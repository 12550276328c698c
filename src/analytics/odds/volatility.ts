import { type Bars, type BarTimeframe, TIMEFRAME_MS } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { barsPerYear } from "../drivers/context.ts";
import { variance } from "../statistics.ts";

/** Returns the standard deviation of the last `count` log returns of the close, per bar; null with fewer bars. */
export function realizedVolatility({ close }: Pick<Bars, "close">, count: number): number | null {
  if (close.length <= count) return null;
  const returns = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const bar = close.length - count + i;
    returns[i] = Math.log(close[bar]! / close[bar - 1]!);
  }
  return Math.sqrt(variance(returns));
}

/** Regular session of stocks, ms. */
const SESSION_MS = 6.5 * 3_600_000;

/** Returns the number of bars in a year, whose square root annualizes a volatility. */
export function barsInYear(assetClass: AssetClass, timeframe: BarTimeframe): number {
  const days = barsPerYear(assetClass);
  if (timeframe === "1d") return days;
  const dayMs = assetClass === "crypto" ? TIMEFRAME_MS["1d"] : SESSION_MS;
  return days * Math.ceil(dayMs / TIMEFRAME_MS[timeframe]);
}
