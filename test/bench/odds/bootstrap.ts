import { seededRandom } from "../../../src/analytics/backtest/random.ts";
import { sortedQuantile } from "../../../src/analytics/odds/quantiles.ts";

/** Length of a block in sessions. */
export const BLOCK_SESSIONS = 60;
const RESAMPLES = 2_000;
const SEED = 60;
/** Blocks below which there is no interval. */
const MIN_BLOCKS = 5;

/** Returns the block of a date, epoch ms. */
export type BlockOf = (time: number) => number;

/** Divides the dates on which any symbol traded into blocks of 60 that all symbols share. */
export function calendarBlocks(calendars: Iterable<ArrayLike<number>>, length = BLOCK_SESSIONS): BlockOf {
  const dates = new Set<number>();
  for (const calendar of calendars) for (let i = 0; i < calendar.length; i++) dates.add(calendar[i]!);
  const blocks = new Map([...dates].sort((a, b) => a - b).map((date, i) => [date, Math.floor(i / length)]));
  return (time) => {
    const block = blocks.get(time);
    if (block === undefined) throw new RangeError(`No bar at ${time}`);
    return block;
  };
}

/** A figure with its 95 % interval; null where it is undefined or there are fewer than five blocks. */
export interface Estimate {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * Returns a figure of the sums over all items, with a 95 % percentile interval: blocks are drawn with replacement, with
 * everything that any symbol has in them, so that errors that symbols share are not averaged away.
 */
export function blockEstimate<Item>(
  items: Iterable<Item>,
  blockOf: (item: Item) => number,
  figures: (item: Item) => readonly number[],
  figureOf: (sums: readonly number[]) => number | null,
): Estimate {
  const sums = new Map<number, number[]>();
  for (const item of items) {
    const block = blockOf(item);
    sums.set(block, added(sums.get(block), figures(item)));
  }
  const blocks = [...sums].sort(([a], [b]) => a - b).map(([, sum]) => sum);
  const value = figureOf(total(blocks));
  if (value === null || blocks.length < MIN_BLOCKS) return { value, low: null, high: null };
  const random = seededRandom(SEED);
  const drawn = Float64Array.from(
    { length: RESAMPLES },
    () =>
      // a draw without a figure repeats the observed value
      figureOf(total(blocks.map(() => blocks[random.below(blocks.length)]!))) ?? value,
  ).sort();
  return { value, low: sortedQuantile(drawn, 0.025), high: sortedQuantile(drawn, 0.975) };
}

/** Returns the ratio of the sums of two figures over all items, with its interval; null unless the second is above 0. */
export const blockRatio = <Item>(
  items: Iterable<Item>,
  blockOf: (item: Item) => number,
  figures: (item: Item) => readonly [numerator: number, denominator: number],
): Estimate =>
  blockEstimate(items, blockOf, figures, ([numerator = 0, denominator = 0]) =>
    denominator > 0 ? numerator / denominator : null,
  );

/** Adds figures to their sums, in place. */
function added(sums: number[] | undefined, figures: readonly number[]): number[] {
  if (sums === undefined) return [...figures];
  for (let i = 0; i < figures.length; i++) sums[i]! += figures[i]!;
  return sums;
}

function total(blocks: readonly (readonly number[])[]): readonly number[] {
  let sums: number[] | undefined;
  for (const block of blocks) sums = added(sums, block);
  return sums ?? [];
}
