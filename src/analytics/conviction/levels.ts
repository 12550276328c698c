import type { Bars } from "../../domain/market/bars.ts";
import type { Block } from "./blocks.ts";
import type { Step } from "./tests.ts";

const REACH = 0.25;

/** State of a level from one bar on. */
export interface LevelStep extends Step {
  readonly notional: number;
}

/** A price at which large prints came together. */
export interface PrintLevel {
  /** Report of its first print, epoch ms. */
  readonly firstSeen: number;
  /** How it grew, ascending by bar; a bar is tested against the step that was known when it began. */
  readonly steps: readonly LevelStep[];
}

/**
 * Gathers blocks, ascending by report, to levels. A block joins the nearest level within .25 average true ranges
 * (of the last bar before it counts) and moves it to the mean price weighted by notional, from then on; otherwise
 * it begins one. Blocks from before the first average true range are left out.
 */
export function levelsOf(blocks: readonly Block[], atr: Float64Array): readonly PrintLevel[] {
  const levels: { readonly firstSeen: number; readonly steps: LevelStep[] }[] = [];
  const prices: number[] = []; // of each level's newest step
  for (const { print, notional, days, from } of blocks) {
    const reach = REACH * atr[from - 1]!;
    if (!(reach > 0)) continue;
    const place = nearest(prices, print.price, reach);
    const steps = levels[place]?.steps ?? [];
    const old = steps.at(-1) ?? { from, price: print.price, notional: 0, days: 0 };
    const total = old.notional + notional;
    const price = old.price + ((print.price - old.price) * notional) / total;
    if (old.from === from) steps.pop();
    steps.push({ from, price, notional: total, days: old.days + days });
    prices[place] = price;
    if (place === levels.length) levels.push({ firstSeen: print.reportedAt, steps });
  }
  return levels;
}

/** Index of the price nearest to another within a reach, the first of equals; their number if none is. */
function nearest(prices: readonly number[], price: number, reach: number): number {
  let found = prices.length;
  let least = reach;
  for (let i = 0; i < prices.length; i++) {
    const distance = Math.abs(prices[i]! - price);
    if (distance < least || (distance === least && found === prices.length)) {
      least = distance;
      found = i;
    }
  }
  return found;
}

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
