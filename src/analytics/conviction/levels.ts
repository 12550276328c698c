import type { Bars } from "../../domain/market/bars.ts";
import type { Block } from "./blocks.ts";
import type { Step } from "./tests.ts";

const REACH = 0.25;

/** State of a level from bar `from` on. */
export interface LevelStep extends Step {
  readonly notional: number;
}

/** A price level formed by large prints. */
export interface PrintLevel {
  /** Report time of its first print, epoch ms. */
  readonly firstSeen: number;
  /** States of the level, ascending by bar; a bar is tested against the state known when it began. */
  readonly steps: readonly LevelStep[];
}

/**
 * Groups blocks, ascending by report time, into levels. A block joins the nearest level within .25 ATR (of the bar
 * before it counts) and moves it from then on to the mean price weighted by notional; otherwise it starts a new level.
 * Blocks before the first ATR are omitted.
 */
export function levelsOf(blocks: readonly Block[], atr: Float64Array): readonly PrintLevel[] {
  const levels: { readonly firstSeen: number; readonly steps: LevelStep[] }[] = [];
  const prices: number[] = []; // newest price of each level
  for (const { print, notional, days, from } of blocks) {
    const tolerance = REACH * atr[from - 1]!;
    if (!(tolerance > 0)) continue;
    const index = nearest(prices, print.price, tolerance);
    const steps = levels[index]?.steps ?? [];
    const old = steps.at(-1) ?? { from, price: print.price, notional: 0, days: 0 };
    const total = old.notional + notional;
    const price = old.price + ((print.price - old.price) * notional) / total;
    if (old.from === from) steps.pop();
    steps.push({ from, price, notional: total, days: old.days + days });
    prices[index] = price;
    if (index === levels.length) levels.push({ firstSeen: print.reportedAt, steps });
  }
  return levels;
}

/**
 * Returns the index of the nearest price within `reach`, the first on a tie; the number of prices if none is that near.
 */
function nearest(prices: readonly number[], price: number, tolerance: number): number {
  let found = prices.length;
  let least = tolerance;
  for (let i = 0; i < prices.length; i++) {
    const distance = Math.abs(prices[i]! - price);
    if (distance < least || (distance === least && found === prices.length)) {
      least = distance;
      found = i;
    }
  }
  return found;
}

/** Offsets of the controls from their level, in bars. */
const SHIFTS = [-10, 10] as const;
const APART = 0.25;

/**
 * Returns control levels, at which no print occurred: up to two per print level, 10 bars before and after it, at the
 * same distance from the close in ATR as the level's first price. Controls within .25 ATR of that price are omitted.
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
