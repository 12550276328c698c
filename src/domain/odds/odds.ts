import { z } from "zod";
import { ComputedPrice, Odds, Price } from "../figures.ts";

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

/** How paths were simulated. */
export const OddsMethod = z.object({
  paths: z.number().int(),
  seed: z.number().int().describe("The same seed and bars give the same odds"),
  bars_read: z.number().int(),
  drift_percent_a_year: z.number().describe("Assumed drift; there is no view on direction"),
});
export type OddsMethod = z.infer<typeof OddsMethod>;

/** Odds of the levels of a signal, and the range of the price. */
export const SignalOdds = PlanOdds.extend({
  range_90: z
    .object({ low: ComputedPrice, high: ComputedPrice })
    .describe("Range that holds the close after these bars in 90 of 100 cases"),
  method: OddsMethod,
});
export type SignalOdds = z.infer<typeof SignalOdds>;
