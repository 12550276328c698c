import { z } from "zod";
import { ComputedPrice, Odds, Percent, Price, Ratio, RMultiple } from "../figures.ts";

/** Probabilities of the three outcomes of a plan, 0-1 in whole percents; they add up to 1. */
const Outcomes = {
  stop_first: Odds.describe("Stop before target, 0-1"),
  target_first: Odds.describe("Target before stop, 0-1"),
  neither: Odds.describe("Within these bars, 0-1"),
};

export const OutcomeBase = z
  .object({
    ...Outcomes,
    windows: z.number().int().describe("Number of past windows; they overlap"),
    n_eff: z.number().int().optional().describe("Independent windows, about"),
    margin: Ratio.optional().describe("Of target_first, 95%"),
    mean_r: RMultiple.optional().describe("Mean result"),
  })
  .describe(
    "Base rates: shares of the symbol's past windows with this outcome, at the same percent distances",
  );

/** Odds of a plan: stop first, target first or neither. */
export const PlanOdds = z.object({
  version: z
    .string()
    .describe("Method: odds-… simulates paths; odds-closed-form-… of earlier versions is a formula"),
  bars: z.number().int().describe("Length of the plan in bars; after them it ends at the close"),
  from: Price.describe("Price from which the odds start: the last close, or the price of a trade"),
  ...Outcomes,
  expected_r: z
    .object({
      mean: RMultiple,
      at_stop: RMultiple.nullable().optional(),
      at_target: RMultiple.nullable().optional(),
      at_neither: RMultiple.nullable().optional(),
    })
    .optional()
    .describe("Mean result in R, and by outcome"),
  base: OutcomeBase.nullable().describe("null without a past window of this length"),
});
export type PlanOdds = z.infer<typeof PlanOdds>;

/** Odds that an order which waits for its price fills within the bars of its odds. */
export const FillOdds = z.object({ odds: Odds, base: Odds.nullable().describe("Share of past windows") });
export type FillOdds = z.infer<typeof FillOdds>;

/** Odds of the stop and the first target of a signal, and the 90 % range of the close. */
export const SignalOdds = PlanOdds.extend({
  range_90: z
    .object({ low: ComputedPrice, high: ComputedPrice })
    .describe("90% range of the close after these bars"),
});
export type SignalOdds = z.infer<typeof SignalOdds>;

/** Method of the simulation. */
export const OddsMethod = z.object({
  paths: z.number().int(),
  seed: z.number().int(),
  bars_read: z.number().int(),
  drift_percent_a_year: z.number().describe("Assumed change of the median price"),
});
export type OddsMethod = z.infer<typeof OddsMethod>;

const Quantiles = {
  p5: ComputedPrice.describe("5th percentile"),
  p10: ComputedPrice,
  p25: ComputedPrice,
  p50: ComputedPrice,
  p75: ComputedPrice,
  p90: ComputedPrice,
  p95: ComputedPrice,
};

/** Range of the close after a number of bars: prices below which the close falls with the probability in their name. */
export const RangeBand = z.object({ bars: z.number().int(), ...Quantiles });
export type RangeBand = z.infer<typeof RangeBand>;

/** Distribution of the close after a number of bars, with its base. */
export const OddsRange = RangeBand.extend({
  base: z
    .object(Quantiles)
    .nullable()
    .describe("Percentiles of the symbol's past windows of this length, scaled to the last close"),
  move_percent: Percent.describe("Forecast mean absolute change of the close"),
  base_move_percent: Percent.nullable().describe("Mean absolute change in past windows"),
});

/** Odds of touching one price. */
export const OddsLevel = z.object({
  price: ComputedPrice,
  change_percent: Percent.describe("From the last close"),
  touch: z.array(
    z.object({
      bars: z.number().int(),
      odds: Odds.describe("0-1"),
      base: Odds.nullable(),
    }),
  ),
});

/** Odds of the stop and target of the request. */
export const OddsPlan = z.object({
  side: z.enum(["LONG", "SHORT"]),
  stop: ComputedPrice,
  target: ComputedPrice,
  ...PlanOdds.shape,
});

/** Annualized volatility in percent, and the move that options imply. */
export const OddsVolatility = z.object({
  realized_20_percent: Percent.nullable().describe("Realized over the last 20 bars; null with fewer bars"),
  realized_60_percent: Percent.nullable(),
  next_bar_percent: Percent.describe("Forecast for the next bar"),
  horizon_percent: Percent.describe("Forecast over the horizon"),
  options: z
    .object({
      bars: z.number().int(),
      implied_move_percent: Percent.describe("Mean absolute move implied by at-the-money options"),
      forecast_move_percent: Percent.describe("Mean absolute move that the odds forecast"),
      day: z.string().describe("Day of the options"),
      nearer: z
        .object({ days: z.number().int(), forecast: z.number().int(), implied: z.number().int() })
        .nullable()
        .describe(
          "Of past days: on how many the closed-form forecast, or options, was nearer to the actual move",
        ),
    })
    .nullable(),
  options_reason: z.string().nullable().describe("Reason why options is null"),
});
export type VolatilityAnswer = z.infer<typeof OddsVolatility>;

/** Coverage of past ranges after one number of bars. */
export const PastCoverage = z.object({
  bars: z.number().int(),
  forecasts: z.number().int(),
  cover_50: Ratio.describe("0-1"),
  cover_80: Ratio,
  cover_90: Ratio,
});

/** Fields of an answer with odds. */
export const OddsAnswer = z.object({
  from: Price.describe("Last close, from which the odds start"),
  ranges: z.array(OddsRange).describe("By number of bars, ascending"),
  levels: z.array(OddsLevel),
  plan: OddsPlan.nullable(),
  volatility: OddsVolatility.describe("Annualized, percent"),
  method: OddsMethod.extend({ version: z.string() }),
  past_coverage: z
    .array(PastCoverage)
    .describe("Coverage on past daily bars of this asset class, see docs/odds.md; empty on intraday bars"),
  past_coverage_basis: z
    .string()
    .nullable()
    .describe("Prices on which past_coverage was measured; null if it is empty"),
});
export type OddsAnswer = z.infer<typeof OddsAnswer>;
