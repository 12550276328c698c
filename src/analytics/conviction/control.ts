import type { Bars } from "../../domain/market/bars.ts";
import type { PrintLevel } from "./levels.ts";
import type { Step } from "./tests.ts";

/** Bars by which controls come before and after their level. */
const SHIFTS = [-10, 10] as const;
const APART = 0.25;

/**
 * Levels that no print made, to compare with: up to two for each print level, 10 bars before and after it,
 * as many average true ranges from the close as its first price was. None lies within .25 of those of the level itself.
 */
export function controlsOf(levels: readonly PrintLevel[], { close }: Bars, atr: Float64Array): Step[][] {
  const controls: Step[][] = [];
  for (const { steps } of levels) {
    const { from, price } = steps[0]!;
    const distance = (price - close[from - 1]!) / atr[from - 1]!;
    for (const shift of SHIFTS) {
      const a = atr[from - 1 + shift] ?? Number.NaN;
      const moved = close[from - 1 + shift]! + distance * a;
      if (Math.abs(moved - price) > APART * a) controls.push([{ from: from + shift, price: moved, days: 1 }]);
    }
  }
  return controls;
}
