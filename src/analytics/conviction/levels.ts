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
