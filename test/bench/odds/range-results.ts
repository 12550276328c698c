import { CLOSE_SCALE } from "../../../src/analytics/indicators/range-position.ts";
import { type BlockOf, blockRatio, type Estimate } from "./bootstrap.ts";
import type { RangePositionScore, StandardizedReturn } from "./range-scores.ts";
import { type FileScores, HORIZONS, type Horizon } from "./walk.ts";

/** Scales of `range_position` from US files: root mean squares of their standardized returns. */
export interface UsScales {
  /** Median date of the forecasts, epoch ms. */
  readonly cut: number;
  /** Of the returns before that date. */
  readonly early: Estimate;
  /** Of all returns. */
  readonly all: Estimate;
}

/** Coverage of the 90 % range of `range_position` at one horizon, 0-1. */
export interface RangeCoverage {
  readonly horizon: Horizon;
  readonly forecasts: number;
  /** With the scale of the product. */
  readonly shipped: Estimate;
  /** With the scale of the early dates; null without one. */
  readonly early: Estimate | null;
}

type Scores = Pick<FileScores, "positions" | "returns">;

/** Returns the scale of all returns, and that of the returns before the median date of the forecasts. */
export function usScales(scored: readonly Scores[], blockOf: BlockOf): UsScales {
  const times = scored
    .flatMap(({ positions }) => positions.filter(({ horizon }) => horizon === HORIZONS[0]))
    .map(({ time }) => time)
    .sort((a, b) => a - b);
  const cut = times[times.length >> 1]!;
  const all = scored.flatMap(({ returns }) => returns);
  const early = all.filter(({ time }) => time < cut);
  return { cut, early: scaleOf(early, blockOf), all: scaleOf(all, blockOf) };
}

function scaleOf(returns: readonly StandardizedReturn[], blockOf: BlockOf): Estimate {
  const { value, low, high } = blockRatio(
    returns,
    ({ time }) => blockOf(time),
    (each) => [each.value ** 2, 1],
  );
  const root = (square: number | null) => (square === null ? null : Math.sqrt(square));
  return { value: root(value), low: root(low), high: root(high) };
}

/** Returns the coverage of the forecasts from a date on, by horizon; a horizon without forecasts is left out. */
export function rangeCoverage(
  scored: readonly Scores[],
  blockOf: BlockOf,
  { from, scale }: { readonly from: number; readonly scale: number | null },
): readonly RangeCoverage[] {
  const positions = scored.flatMap((file) => file.positions.filter(({ time }) => time >= from));
  return HORIZONS.flatMap((horizon) => {
    const own = positions.filter((each) => each.horizon === horizon);
    if (own.length === 0) return [];
    const coverOf = (width: number) =>
      blockRatio(
        own,
        ({ time }) => blockOf(time),
        (each) => [Number(isInside(each, width)), 1],
      );
    return {
      horizon,
      forecasts: own.length,
      shipped: coverOf(CLOSE_SCALE),
      early: scale === null ? null : coverOf(scale),
    };
  });
}

/** Returns true if the close is inside the range with another scale. */
const isInside = ({ position }: RangePositionScore, scale: number): boolean =>
  Math.abs(position - 50) <= 50 * (scale / CLOSE_SCALE);
