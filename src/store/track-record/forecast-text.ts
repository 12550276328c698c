import { z } from "zod";
import type { HorizonForecast, OddsForecast } from "../../domain/odds/forecast.ts";
import type { PlanShares } from "../../domain/odds/plan-end.ts";
import { HORIZONS } from "../../domain/track-record/track.ts";
import { readRow } from "../row-schemas.ts";

/** Stored units in a log return of 1, and in odds of 1. */
const RETURN_UNITS = 100_000;
const PERCENT = 100;

const Numbers = z.array(z.number());
const Shares = z.tuple([z.number(), z.number(), z.number()]);
/** Quantiles, those of the base, touch odds, those of the base: integers. */
const PackedHorizon = z.tuple([Numbers, Numbers.nullable(), Numbers, Numbers.nullable()]);
/** The horizons 5, 20 and 60, then odds and base of the plan. */
const Packed = z.tuple([
  PackedHorizon,
  PackedHorizon,
  PackedHorizon,
  z.tuple([Shares, Shares.nullable()]).nullable(),
]);

const packed = (values: readonly number[], units: number): number[] =>
  values.map((value) => Math.round(value * units) + 0);
const unpacked = (values: readonly number[], units: number): number[] => values.map((value) => value / units);
const packedShares = ({ stop, target, neither }: PlanShares) => packed([stop, target, neither], PERCENT);
const sharesOf = ([stop, target, neither]: z.infer<typeof Shares>): PlanShares => ({
  stop: stop / PERCENT,
  target: target / PERCENT,
  neither: neither / PERCENT,
});

/** Formats a forecast as JSON of integers: returns in units of 0.00001, odds in percent. */
export function forecastText({ horizons, plan }: OddsForecast): string {
  const packedHorizons = horizons.map(({ quantiles, baseQuantiles, touch, baseTouch }) => [
    packed(quantiles, RETURN_UNITS),
    baseQuantiles && packed(baseQuantiles, RETURN_UNITS),
    packed(touch, PERCENT),
    baseTouch && packed(baseTouch, PERCENT),
  ]);
  const packedPlan = plan && [packedShares(plan.odds), plan.base && packedShares(plan.base)];
  return JSON.stringify([...packedHorizons, packedPlan]);
}

/** Parses a stored forecast; null if it is damaged. */
export function readForecast(version: string, text: string): OddsForecast | null {
  const stored = readRow(Packed, text);
  if (stored === null) return null;
  const [short, middle, long, plan] = stored;
  return {
    version,
    horizons: [short, middle, long].map(
      ([quantiles, baseQuantiles, touch, baseTouch], i): HorizonForecast => ({
        bars: HORIZONS[i]!,
        quantiles: unpacked(quantiles, RETURN_UNITS),
        baseQuantiles: baseQuantiles && unpacked(baseQuantiles, RETURN_UNITS),
        touch: unpacked(touch, PERCENT),
        baseTouch: baseTouch && unpacked(baseTouch, PERCENT),
      }),
    ),
    plan: plan && { odds: sharesOf(plan[0]), base: plan[1] && sharesOf(plan[1]) },
  };
}
