import { z } from "zod";
import { ComputedPrice, Odds, Percent, Price } from "../figures.ts";

/** How a trade ends, as shares of 100 that add up to 1. */
const Outcomes = {
  stop_first: Odds.describe("The stop is touched before the target"),
  target_first: Odds.describe("The target is touched before the stop"),
  neither: Odds.describe("Neither is touched; the trade ends at the close of the last bar"),
};

export const OutcomeBase = z
  .object({ ...Outcomes, windows: z.number().int().describe("Past windows counted; they overlap") })
  .describe("The same in the symbol's own past, at the same distances");

/** Odds of a plan: stop first, target first or neither. */
export const PlanOdds = z.object({
  version: z.string().describe("Method: odds-… simulates paths, odds-closed-form-… is a formula"),
  bars: z.number().int().describe("Bars after the decision bar in which the plan may end"),
  from: Price.describe("Close of the decision bar, from which the odds start"),
  ...Outcomes,
  base: OutcomeBase.nullable().describe("null without a past window of this length"),
});
export type PlanOdds = z.infer<typeof PlanOdds>;

/** Odds of the levels of a signal, and the range of the price. */
export const SignalOdds = PlanOdds.extend({
  range_90: z
    .object({ low: ComputedPrice, high: ComputedPrice })
    .describe("Range that holds the close after these bars in 90 of 100 cases"),
});
export type SignalOdds = z.infer<typeof SignalOdds>;

/** How paths were simulated. */
export const OddsMethod = z.object({
  paths: z.number().int(),
  seed: z.number().int().describe("The same seed and bars give the same odds"),
  bars_read: z.number().int(),
  drift_percent_a_year: z.number().describe("Assumed drift; there is no view on direction"),
});
export type OddsMethod = z.infer<typeof OddsMethod>;

const Quantiles = {
  p5: ComputedPrice.describe("The close is below it in 5 of 100 cases"),
  p10: ComputedPrice,
  p25: ComputedPrice,
  p50: ComputedPrice,
  p75: ComputedPrice,
  p90: ComputedPrice,
  p95: ComputedPrice,
};

/** Range of the close after a number of bars: prices that it is below in as many of 100 cases as their name says. */
export const RangeBand = z.object({ bars: z.number().int(), ...Quantiles });
export type RangeBand = z.infer<typeof RangeBand>;

/** Distribution of the close after a number of bars, with its base. */
export const OddsRange = RangeBand.extend({
  base: z.object(Quantiles).nullable().describe("The same from the symbol's own past windows"),
  move_percent: Percent.describe("Mean absolute change of the close"),
  base_move_percent: Percent.nullable(),
});

/** Odds of touching one price. */
export const OddsLevel = z.object({
  price: ComputedPrice,
  change_percent: Percent.describe("From the last close"),
  touch: z.array(
    z.object({
      bars: z.number().int(),
      odds: Odds.describe("Odds that the price trades there within these bars"),
      base: Odds.nullable().describe("Share of the symbol's own past windows"),
    }),
  ),
});

/** Odds of a stop and a target that the caller chose. */
export const OddsPlan = z.object({
  side: z.enum(["LONG", "SHORT"]),
  stop: ComputedPrice,
  target: ComputedPrice,
  ...PlanOdds.shape,
});

/** Volatility in percent a year, and the move that options imply. */
export const OddsVolatility = z.object({
  realized_20_percent: Percent.nullable().describe("Of the last 20 bars; null with fewer bars"),
  realized_60_percent: Percent.nullable(),
  next_bar_percent: Percent.describe("Forecast for the next bar"),
  horizon_percent: Percent.describe("Forecast over the horizon"),
  options: z
    .object({
      bars: z.number().int(),
      implied_move_percent: Percent.describe("Mean absolute move that options at the money imply"),
      forecast_move_percent: Percent.describe("The same of these odds"),
      day: z.string().describe("Day of the option chain"),
      nearer: z
        .object({ days: z.number().int(), forecast: z.number().int(), implied: z.number().int() })
        .nullable()
        .describe("Past days on which the forecast, or options, came nearer to the move that followed"),
    })
    .nullable(),
  options_reason: z.string().nullable().describe("Why options is null"),
});
export type VolatilityAnswer = z.infer<typeof OddsVolatility>;

/** How often past ranges held, by number of bars. */
export const PastCoverage = z.object({
  bars: z.number().int(),
  forecasts: z.number().int(),
  cover_50: Percent.describe("Percent of closes within ranges that should hold 50"),
  cover_80: Percent,
  cover_90: Percent,
});

/** Fields of an answer with odds. */
export const OddsAnswer = z.object({
  from: Price.describe("Last close, from which the odds start"),
  ranges: z.array(OddsRange).describe("By number of bars, ascending"),
  levels: z.array(OddsLevel),
  plan: OddsPlan.nullable(),
  volatility: OddsVolatility.describe("Percent a year"),
  method: OddsMethod.extend({ version: z.string() }),
  past_coverage: z
    .array(PastCoverage)
    .describe(
      "Daily forecasts of this kind on past prices, described in docs/odds.md; empty on shorter bars",
    ),
});
export type OddsAnswer = z.infer<typeof OddsAnswer>;
