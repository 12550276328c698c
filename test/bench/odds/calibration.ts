import { mean } from "../../../src/analytics/statistics.ts";
import { groupBy } from "../../../src/lib/group-by.ts";
import { type BlockOf, blockEstimate, blockRatio, type Estimate } from "./bootstrap.ts";
import type { ScoredOdds } from "./walk.ts";

const BINS = 10;

/** Odds and what happened. */
type Outcome = Pick<ScoredOdds, "odds" | "happened">;

interface DatedOutcome extends Outcome {
  /** Bar of the forecast, epoch ms. */
  readonly time: number;
}

/** Odds in one tenth of 0-1, and the share that happened. */
export interface Bin {
  readonly forecast: number;
  readonly happened: Estimate;
  readonly count: number;
}

const binOf = ({ odds }: Outcome): number => Math.min(BINS - 1, Math.floor(odds * BINS + 1e-9));

/**
 * Returns the calibration error, the mean distance between odds and the share that happened over ten bins, weighted by
 * count, with its interval over blocks of dates; null without any odds.
 */
export function calibrationEstimate(scored: readonly DatedOutcome[], blockOf: BlockOf): Estimate {
  return blockEstimate(
    scored,
    ({ time }) => blockOf(time),
    (outcome) => {
      const bin = binOf(outcome);
      const distance = outcome.odds - Number(outcome.happened);
      return [1, ...Array.from({ length: BINS }, (_, i) => (i === bin ? distance : 0))];
    },
    ([count, ...distances]) =>
      count! > 0 ? distances.reduce((sum, distance) => sum + Math.abs(distance), 0) / count! : null,
  );
}

/** Returns the ten bins of the odds, each with the interval of the share that happened; null for an empty bin. */
export function reliability(scored: readonly DatedOutcome[], blockOf: BlockOf): readonly (Bin | null)[] {
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
