import { effectiveCount, type ProbabilityInterval, wilson } from "../../../src/analytics/track/interval.ts";
import type { Horizon, ScoredSignal } from "../../../src/domain/track-record/track.ts";
import { grouped, type Mean, meanOf } from "./rates.ts";

/** Weight of the base rate against a group's outcomes, in effective outcomes, as in the published record. */
const PRIOR = 20;
/** Bin width of forecasts. */
const BIN = 0.05;

/** A forecast of a rise from the past of its group, and the forecast from the base rate alone. */
export interface Forecast {
  readonly at: number;
  readonly horizon: Horizon;
  readonly group: string;
  readonly asset_class: ScoredSignal["asset_class"];
  readonly forecast: number;
  readonly reference: number;
  readonly rose: boolean;
}

/**
 * The forecast for every LONG and SHORT of a horizon, from outcomes known at its decision. Recomputes the published
 * record, which stores only sums, without sharing its code.
 */
export function forecastsOf(scored: readonly ScoredSignal[], horizon: Horizon): readonly Forecast[] {
  const own = scored.filter((one) => one.horizon === horizon);
  const byClass = grouped(own, ({ asset_class }) => asset_class);
  return [...byClass.values()].flatMap(classForecasts).sort((a, b) => a.at - b.at);
}

function classForecasts(own: readonly ScoredSignal[]): readonly Forecast[] {
  const decided = own.toSorted((a, b) => a.at - b.at);
  const byKnown = own.toSorted((a, b) => a.known - b.known);
  const counts = new Map<string, { rises: number; count: number }>();
  const countOf = (name: string) => counts.get(name) ?? { rises: 0, count: 0 };
  const drawn = (name: string, horizon: Horizon, toward: number) =>
    (effectiveCount(countOf(name).rises, horizon) + PRIOR * toward) /
    (effectiveCount(countOf(name).count, horizon) + PRIOR);
  let known = 0;
  return decided.flatMap(({ at, horizon, change, direction, grade, asset_class }) => {
    for (let next = byKnown[known]; next !== undefined && next.known <= at; next = byKnown[++known])
      for (const name of ["all", groupOf(next)]) {
        const { rises, count } = countOf(name);
        counts.set(name, { rises: rises + (next.change > 0 ? 1 : 0), count: count + 1 });
      }
    if (direction === "WAIT") return [];
    const group = groupOf({ direction, grade });
    const reference = drawn("all", horizon, 0.5);
    const forecast = drawn(group, horizon, reference);
    return [{ at, horizon, group, asset_class, forecast, reference, rose: change > 0 }];
  });
}

/** A bin of similar forecasts, and how often the price rose after them. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly n: number;
  readonly n_eff: number;
  readonly forecast: number;
  readonly happened: number;
  readonly interval: ProbabilityInterval;
}

/** Quality of the forecasts of one horizon; `brier` to `uncertainty` are mean squared errors. */
export interface Calibration {
  readonly n: number;
  readonly bins: readonly Bin[];
  readonly brier: number;
  /** Brier score of forecasts by the base rate alone. */
  readonly reference: number;
  /** Mean squared difference between forecasts and outcomes of the bins: 0 is best. */
  readonly reliability: number;
  /** Mean squared difference between bin outcomes and the base rate: higher is better. */
  readonly resolution: number;
  readonly uncertainty: number;
  /** Share of rises. */
  readonly base: number;
  /** Share of the reference's error that is saved, with its error. */
  readonly skill: Mean;
}

/**
 * Groups forecasts into bins of five points and scores them. @throws RangeError without forecasts @see A. H. Murphy, "A
 * new vector partition of the probability score", 1973
 */
export function calibrationOf(forecasts: readonly Forecast[]): Calibration {
  const [first] = forecasts;
  if (first === undefined) throw new RangeError("No forecasts");
  const n = forecasts.length;
  const rose = (one: Forecast) => (one.rose ? 1 : 0);
  const mean = (all: readonly Forecast[], of: (one: Forecast) => number) =>
    all.reduce((sum, one) => sum + of(one), 0) / all.length;
  const binned = grouped(forecasts, ({ forecast }) => Math.floor(forecast / BIN + 1e-9));
  const bins = [...binned]
    .sort(([a], [b]) => a - b)
    .map(([place, own]): Bin => {
      const happened = mean(own, rose);
      const n_eff = effectiveCount(own.length, first.horizon);
      return {
        from: place * BIN,
        to: (place + 1) * BIN,
        n: own.length,
        n_eff,
        happened,
        forecast: mean(own, ({ forecast }) => forecast),
        interval: wilson(happened, n_eff)!,
      };
    });
  const base = mean(forecasts, rose);
  const spreadOf = (of: (bin: Bin) => number) => bins.reduce((sum, bin) => sum + bin.n * of(bin), 0) / n;
  const reference = mean(forecasts, (one) => (one.reference - rose(one)) ** 2);
  const saved = meanOf(
    forecasts,
    (one) => (one.reference - rose(one)) ** 2 - (one.forecast - rose(one)) ** 2,
  );
  return {
    n,
    bins,
    reference,
    base,
    brier: mean(forecasts, (one) => (one.forecast - rose(one)) ** 2),
    reliability: spreadOf(({ forecast, happened }) => (forecast - happened) ** 2),
    resolution: spreadOf(({ happened }) => (happened - base) ** 2),
    uncertainty: base * (1 - base),
    skill: {
      mean: saved.mean / reference,
      error: saved.error === null ? null : saved.error / reference,
    },
  };
}

const groupOf = ({ direction, grade }: Pick<ScoredSignal, "direction" | "grade">): string =>
  `${direction}|${grade}`;
