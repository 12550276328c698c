import type { ProviderBar } from "../../domain/providers/price-provider.ts";

/** How far an opening price, and a close, may be from the split's own ratio: the market moves on that day too. */
const OPEN_OFF = 0.1;
const CLOSE_OFF = 0.2;

/**
 * Whether daily bars (in any order) hold a night after which prices stand in the ratio of a split, 3:2 or n:1 either
 * way, from the opening on: what prices look like that nobody adjusted. A crash or a leap of that size looks the same,
 * and a split smaller than 3:2 like any other day.
 */
export function looksSplit(bars: readonly ProviderBar[]): boolean {
  const traded = bars
    .flatMap(({ time, open, close }) => (open === null || close === null ? [] : [{ time, open, close }]))
    .sort((a, b) => a.time - b.time);
  return traded.some(({ open, close }, index) => {
    const before = traded[index - 1]?.close;
    if (before === undefined) return false;
    const jump = before / open;
    const ratio = jump > 1 ? splitNear(jump) : 1 / splitNear(1 / jump);
    return ratio !== 1 && off(jump, ratio) <= OPEN_OFF && off(before / close, ratio) <= CLOSE_OFF;
  });
}

/** New shares for one old that come nearest to a ratio of prices. */
const splitNear = (ratio: number): number => (ratio < 1.25 ? 1 : ratio < 1.75 ? 1.5 : Math.round(ratio));

/** Distance of two ratios, alike whichever way round they are taken. */
const off = (actual: number, expected: number): number => Math.max(actual / expected, expected / actual) - 1;
