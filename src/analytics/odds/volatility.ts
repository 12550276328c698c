import type { Bars } from "../../domain/market/bars.ts";
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
