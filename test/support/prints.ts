import type { Bars } from "../../src/domain/market/bars.ts";
import type { Print } from "../../src/domain/off-exchange/prints.ts";
import { randomFrom } from "./synthetic-bars.ts";

const HOUR = 3_600_000;

/** A print of $2M at 100 without conditions or quotes, reported at its execution. */
export const printAt = (reportedAt: number, more: Partial<Print> = {}): Print => ({
  id: `print-${reportedAt}`,
  price: 100,
  size: 20_000,
  executedAt: reportedAt,
  reportedAt,
  conditions: [],
  nbbo: null,
  ...more,
});

/** `count` large prints within the ranges of daily bars, ascending by report time; the same for the same seed. */
export function printsWithin({ time, low, high }: Bars, seed: number, count: number): readonly Print[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, i) => {
    const bar = Math.floor(random() * time.length);
    const price = low[bar]! + (high[bar]! - low[bar]!) * random();
    const size = Math.ceil((1 + 5 * random()) * (1.2e6 / price));
    return printAt(time[bar]! + 12 * HOUR + Math.floor(10 * HOUR * random()), { id: `${i}`, price, size });
  }).sort((a, b) => a.reportedAt - b.reportedAt);
}
