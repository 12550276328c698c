import { z } from "zod";
import { Odds, Percent, Price } from "../figures.ts";
import { PlanOdds } from "./odds.ts";

/** Odds of a plan after one change of its levels or of the assumptions. */
export const OddsChange = z.object({
  change: z
    .enum(["stop_farther", "stop_nearer", "target_nearer", "low_volatility", "high_volatility", "no_drift"])
    .describe(
      "stop_farther, stop_nearer: by 0.5 ATR14. target_nearer: at 2/3 of its distance. low_volatility, high_volatility: at the 10th or 90th percentile of the forecast volatility of the last 250 bars. no_drift: without the assumed drift.",
    ),
  price: Price.nullable().describe("The moved level; null if none is moved"),
  volatility_percent: Percent.nullable()
    .optional()
    .describe(
      "Only for low_volatility and high_volatility: changed forecast for the next bar, percent a year; null without odds",
    ),
  stop_first: Odds.nullable(),
  target_first: Odds.nullable(),
  neither: Odds.nullable(),
  base: z
    .object({ stop_first: Odds, target_first: Odds, neither: Odds })
    .nullable()
    .describe("Base rates of the moved levels; null for a changed assumption"),
  reason: z.string().nullable().describe("Why there are no odds"),
});
export type OddsChange = z.infer<typeof OddsChange>;

/** Odds of the levels of a signal, and what would change them. */
export const OddsExplanation = PlanOdds.extend({
  volatility_percent: Percent.describe("Forecast for the next bar, percent a year"),
  changes: z
    .array(OddsChange)
    .describe("Odds after one change, on the same simulated paths; full detail also changes the assumptions"),
});
export type OddsExplanation = z.infer<typeof OddsExplanation>;
