import type { ForecastOutcome, OddsForecast } from "../../domain/odds/forecast.ts";
import type { PlanEnd, PlanShares } from "../../domain/odds/plan-end.ts";
import type { Side } from "../levels/side.ts";
import { TOUCH_LEVELS } from "./forecast.ts";
import { QUANTILES } from "./quantiles.ts";
import { quantileScore } from "./scores.ts";

/** Tolerance of a touch, because levels and prices are logs. */
const ROUNDING = 1e-9;

/** One horizon of a forecast against what happened. Bases are null without a past window of this length. */
export interface ForecastScore {
  /** true if the close was within the range of this probability. */
  readonly inside: Readonly<Record<50 | 80 | 90, boolean>>;
  /** Width of the range of 80 %, a log ratio. */
  readonly width80: number;
  /** Quantile scores, 0 is best. */
  readonly score: number;
  readonly baseScore: number | null;
  readonly touches: readonly {
    /** true for a level above the close. */
    readonly isAbove: boolean;
    readonly odds: number;
    readonly base: number | null;
    readonly touched: boolean;
  }[];
  readonly plan: {
    readonly odds: PlanShares;
    readonly base: PlanShares | null;
    readonly end: PlanEnd;
    /** Null: unknown. */
    readonly side: Side | null;
  } | null;
}

/** Returns the score of a forecast over the bars of an outcome; null if it has no such horizon. */
export function scoreForecast(forecast: OddsForecast, outcome: ForecastOutcome): ForecastScore | null {
  const horizon = forecast.horizons.find(({ bars }) => bars === outcome.bars);
  if (horizon === undefined) return null;
  const { bars, quantiles, baseQuantiles, touch, baseTouch } = horizon;
  const { close, high, low, planEnd, planSide } = outcome;
  const isWithin = (share: (typeof QUANTILES)[number]) => {
    const index = QUANTILES.indexOf(share);
    return close >= quantiles[index]! && close <= quantiles[QUANTILES.length - 1 - index]!;
  };
  return {
    inside: { 50: isWithin(0.25), 80: isWithin(0.1), 90: isWithin(0.05) },
    width80: quantiles[QUANTILES.indexOf(0.9)]! - quantiles[QUANTILES.indexOf(0.1)]!,
    score: quantileScore(quantiles, QUANTILES, close),
    baseScore: baseQuantiles && quantileScore(baseQuantiles, QUANTILES, close),
    touches: TOUCH_LEVELS[bars].map((change, i) => {
      const level = Math.log1p(change);
      return {
        isAbove: level > 0,
        odds: touch[i]!,
        base: baseTouch?.[i] ?? null,
        touched: level > 0 ? high >= level - ROUNDING : low <= level + ROUNDING,
      };
    }),
    plan: forecast.plan && planEnd && { ...forecast.plan, end: planEnd, side: planSide },
  };
}
