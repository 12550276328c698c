import type { ProviderBar } from "../../domain/providers/price-provider.ts";

/** Maximum relative distance of open and close from the split ratio. */
const OPEN_OFF = 0.1;
const CLOSE_OFF = 0.2;

/**
 * Returns true if daily bars (in any order) jump overnight by a split ratio, 3:2 or n:1 in either direction, as
 * unadjusted prices do. Also returns true for a crash or surge of that size; does not detect splits smaller than 3:2. It
 * decides only whether another provider is asked, so an alarm silences no symbol; whether a jump is a split is decided by
 * `suspectedSplits`, which needs volumes and 20 bars before it, while a window of a provider may have 2 bars without volume.
 */
export function looksSplit(bars: readonly ProviderBar[]): boolean {
  const traded = bars
    .flatMap(({ time, open, close }) => (open === null || close === null ? [] : [{ time, open, close }]))
    .sort((a, b) => a.time - b.time);
  return traded.some(({ open, close }, index) => {
    const before = traded[index - 1]?.close;
    if (before === undefined) return false;
    const jump = before / open;
    const ratio = jump > 1 ? nearestSplitRatio(jump) : 1 / nearestSplitRatio(1 / jump);
    return (
      ratio !== 1 &&
      relativeDistance(jump, ratio) <= OPEN_OFF &&
      relativeDistance(before / close, ratio) <= CLOSE_OFF
    );
  });
}

const nearestSplitRatio = (ratio: number): number =>
  ratio < 1.25 ? 1 : ratio < 1.75 ? 1.5 : Math.round(ratio);

/** Returns the relative distance of two ratios, the same in either direction. */
const relativeDistance = (actual: number, expected: number): number =>
  Math.max(actual / expected, expected / actual) - 1;
