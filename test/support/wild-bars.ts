import type { Bars } from "../../src/domain/market/bars.ts";
import { syntheticBars } from "./synthetic-bars.ts";

/**
 * Made-up bars; each of the last ones spans a multiple of the usual range, alternately up and down: gaps, crashes, days
 * without trades.
 */
export function wildBars(seed: number, count: number, spans: readonly number[]): Bars {
  const bars = syntheticBars(seed, count);
  const first = count - spans.length;
  const usual = bars.close[first - 1]! * 0.03;
  let price = bars.close[first - 1]!;
  for (const [i, span] of spans.entries()) {
    const at = first + i;
    const way = (seed + i) % 2 === 0 ? 1 : -1;
    const open = price;
    price = Math.max(0.2 * price, price + way * span * usual);
    bars.open[at] = open;
    bars.close[at] = price;
    bars.high[at] = Math.max(open, price) + (span / 10) * usual;
    bars.low[at] = Math.min(open, price) * (1 - Math.min(0.2, span / 200));
    if (span < 1) bars.volume[at] = 0;
  }
  return bars;
}
