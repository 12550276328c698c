import type { Bars } from "../../src/domain/market/bars.ts";
import { barsAround, randomFrom } from "./synthetic-bars.ts";

/** One bar of a tape. */
export interface TapeBar {
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume?: number;
}

/** Bars from rows. Default: daily, around the clock, volume 1000. */
export const tapeOf = (rows: readonly TapeBar[]): Bars =>
  barsAround(
    rows.map(({ close }) => close),
    {
      high: rows.map(({ high }) => high),
      low: rows.map(({ low }) => low),
      volume: rows.map(({ volume }) => volume ?? 1000),
    },
  );

/** A bar from 2 below to 2 above its close. */
export const around = (close: number): TapeBar => ({ high: close + 2, low: close - 2, close });

/** Bars around every second price from one close to another, inclusive. */
export const steps = (from: number, to: number): TapeBar[] =>
  Array.from({ length: Math.abs(to - from) / 2 + 1 }, (_, i) => around(from + Math.sign(to - from) * 2 * i));

/**
 * 109 bars with a true range of 4 each, so ATR14 is exactly 4: down from a close of 222 to one of 102 (bar 60), then
 * three times up to 118 and back. The range before bar 109 is 100 to 122: its high of 122 is that of bar 51, within 2
 * of the peaks at 120; with bar 50 the high would be 124, touched only by the adjacent bars 50 and 51.
 */
export const BASE: readonly TapeBar[] = [
  ...steps(222, 102),
  ...[1, 2, 3].flatMap(() => [...steps(104, 118), ...steps(116, 102)]),
];

/** The same tape mirrored vertically, for prices from 0 to `mirror`. */
export const mirrored = (rows: readonly TapeBar[], mirror = 400): TapeBar[] =>
  rows.map(({ high, low, close, volume }) => ({
    high: mirror - low,
    low: mirror - high,
    close: mirror - close,
    ...(volume === undefined ? {} : { volume }),
  }));

const GRID = 64;

/**
 * `count` daily bars of a random walk without drift on a grid of 1/64 around 1000, the same for the same seed:
 * mirroring or doubling its prices is exact. Wide bars have more volume; about one in twenty has very high volume.
 */
export function wanderingBars(seed: number, count: number): Bars {
  const random = randomFrom(seed);
  let price = 1000 * GRID;
  return tapeOf(
    Array.from({ length: count }, () => {
      const loud = random() < 0.05 ? 3 : 1;
      const path = Array.from({ length: 8 }, () => (price += Math.round(loud * 8 * GRID * (random() - 0.5))));
      const [high, low] = [Math.max(...path), Math.min(...path)];
      const volume = Math.round(1000 * loud * (0.5 + random()));
      return { high: high / GRID, low: low / GRID, close: price / GRID, volume };
    }),
  );
}
