import type { Actionability } from "../../domain/prediction-markets/edge.ts";
import published from "./bands.json" with { type: "json" };

/** Thresholds of actionability, in points of the divergence beyond the half-spread. */
export interface EdgeBands {
  readonly medium: number;
  readonly high: number;
}

/** Thresholds with the observations from which they were computed. */
export interface PublishedBands extends EdgeBands {
  /** Id of the simulated market that was measured. */
  readonly market: string;
  /** Day on which they were published. */
  readonly published: string;
  /** Times of observations: at or after `from`, before `until`. */
  readonly from: string;
  readonly until: string;
  readonly symbols: number;
  readonly observations: number;
  readonly medium_percentile: number;
  readonly high_percentile: number;
  /** Share of the observations with each actionability, in percent. */
  readonly shares: Readonly<Record<Actionability, number>>;
}

/**
 * Bands in use: percentiles of the divergence beyond the half-spread on the simulated market. `npm run bench --
 * edge-bands --write` computes them.
 */
export const PUBLISHED_BANDS: PublishedBands = published;

/** Returns the percentile of `values` by linear interpolation. @see R. J. Hyndman and Y. Fan, 1996, definition 7 */
export function percentileOf(values: readonly number[], percentile: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = (percentile / 100) * (sorted.length - 1);
  const below = sorted[Math.floor(rank)]!;
  return below + (rank - Math.floor(rank)) * (sorted[Math.ceil(rank)]! - below);
}
