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

/** A ratio of two sums with its 95 % interval; null where it is undefined or there are fewer than five blocks. */
export interface Ratio {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * Returns the ratio of the sums of two figures over all items, with a 95 % percentile interval: blocks are drawn with
 * replacement, with everything that any symbol has in them, so that errors that symbols share are not averaged away.
 */
export function blockRatio<Item>(
  items: Iterable<Item>,
  blockOf: (item: Item) => number,
  figures: (item: Item) => readonly [numerator: number, denominator: number],
): Ratio {
  const sums = new Map<number, [number, number]>();
  for (const item of items) {
    const block = blockOf(item);
    const [numerator, denominator] = figures(item);
    const sum = sums.get(block) ?? [0, 0];
    sums.set(block, [sum[0] + numerator, sum[1] + denominator]);
  }
  const blocks = [...sums].sort(([a], [b]) => a - b).map(([, sum]) => sum);
  const value = ratioOf(blocks);
  if (value === null || blocks.length < MIN_BLOCKS) return { value, low: null, high: null };
  const random = seededRandom(SEED);
  const drawn = Float64Array.from(
    { length: RESAMPLES },
    () =>
      // a draw without any denominator repeats the observed value
      ratioOf(blocks.map(() => blocks[random.below(blocks.length)]!)) ?? value,
  ).sort();
  return { value, low: sortedQuantile(drawn, 0.025), high: sortedQuantile(drawn, 0.975) };
}

function ratioOf(blocks: readonly (readonly [number, number])[]): number | null {
  let [numerator, denominator] = [0, 0];
  for (const block of blocks) {
    numerator += block[0];
    denominator += block[1];
  }
  return denominator > 0 ? numerator / denominator : null;
}
