import type { ProviderBar } from "../../domain/providers/price-provider.ts";

/** Tolerated distance of open and close from the split's ratio. */
const OPEN_OFF = 0.1;
const CLOSE_OFF = 0.2;

/**
 * True if daily bars (in any order) jump overnight by the ratio of a split, 3:2 or n:1 either way, as unadjusted prices
 * do. A crash or a leap of that size looks the same; a split smaller than 3:2 is not found.
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

/** Split ratio nearest to a ratio of prices. */
const splitNear = (ratio: number): number => (ratio < 1.25 ? 1 : ratio < 1.75 ? 1.5 : Math.round(ratio));

/** Symmetric distance of two ratios. */
const off = (actual: number, expected: number): number => Math.max(actual / expected, expected / actual) - 1;
