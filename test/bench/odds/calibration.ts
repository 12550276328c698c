import { mean } from "../../../src/analytics/statistics.ts";
import { groupBy } from "../../../src/lib/group-by.ts";
import { type BlockOf, blockFigure, blockRatio, type Ratio } from "./bootstrap.ts";
import type { ScoredOdds } from "./walk.ts";

const BINS = 10;

/** Odds and what happened. */
type Outcome = Pick<ScoredOdds, "odds" | "happened">;

/** Odds in one tenth of 0-1, and the share that happened. */
export interface Bin {
  readonly forecast: number;
  readonly happened: Ratio;
  readonly count: number;
}

const binOf = ({ odds }: Outcome): number => Math.min(BINS - 1, Math.floor(odds * BINS + 1e-9));

/** Returns the mean distance between odds and the share that happened over ten bins, weighted by count; NaN without any. */
export function calibrationError(scored: readonly Outcome[]): number {
  const distances = new Float64Array(BINS);
  for (const one of scored) distances[binOf(one)]! += one.odds - Number(one.happened);
  return distances.reduce((sum, distance) => sum + Math.abs(distance), 0) / scored.length;
}

/** Returns the calibration error with its interval over blocks of dates; null without any odds. */
export function calibrationRatio(
  scored: readonly (Outcome & { readonly time: number })[],
  blockOf: BlockOf,
): Ratio {
  return blockFigure(
    scored,
    ({ time }) => blockOf(time),
    (one) => {
      const bin = binOf(one);
      const distance = one.odds - Number(one.happened);
      return [1, ...Array.from({ length: BINS }, (_, i) => (i === bin ? distance : 0))];
    },
    ([count, ...distances]) =>
      count! > 0 ? distances.reduce((sum, distance) => sum + Math.abs(distance), 0) / count! : null,
  );
}

/** Returns the ten bins of the odds, each with the interval of the share that happened; null for an empty bin. */
export function reliability(
  scored: readonly (Outcome & { readonly time: number })[],
  blockOf: BlockOf,
): readonly (Bin | null)[] {
  const bins = groupBy(scored, binOf);
  return Array.from({ length: BINS }, (_, i) => {
    const own = bins.get(i);
    if (own === undefined) return null;
    return {
      count: own.length,
      forecast: mean(own.map(({ odds }) => odds)),
      happened: blockRatio(
        own,
        ({ time }) => blockOf(time),
        ({ happened }) => [Number(happened), 1],
      ),
    };
  });
}
