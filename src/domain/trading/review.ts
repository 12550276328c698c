import { z } from "zod";
import { PositionRow } from "./positions.ts";
import { Amount } from "./trading.ts";

/** A position as listed in a review. */
export const ReviewedRow = PositionRow.extend({
  weight_pct: z
    .number()
    .nullable()
    .describe("Percent of what all positions with a price are worth; null without a price"),
  open_risk: Amount.nullable().describe(
    "Lost against the average price at the stop in opening, US dollars, before costs; null without such a stop",
  ),
  over_max_notional: z
    .boolean()
    .nullable()
    .describe("Worth more than max_notional_usd lets one order open; null without price or limit"),
});
export type ReviewedRow = z.infer<typeof ReviewedRow>;

/** How much hangs on few positions; shares are of what all positions with a price are worth. */
export const ConcentrationSummary = z.object({
  gross: Amount.describe("What all positions with a price are worth, each side above 0, US dollars"),
  net: Amount.describe("The same with shorts below 0, US dollars"),
  largest: z
    .object({ symbol: z.string(), weight_pct: z.number().describe("Percent of gross") })
    .nullable()
    .describe("Heaviest symbol over all accounts; null without any price"),
  herfindahl: z.number().nullable().describe("Sum of squared weights, 0-1; 1: all in one symbol"),
  effective_positions: z
    .number()
    .nullable()
    .describe("So many positions of equal weight are as concentrated: 1 / herfindahl"),
  unpriced: z.array(z.string()).describe("Symbols without a price, in none of these figures"),
});
export type ConcentrationSummary = z.infer<typeof ConcentrationSummary>;

/** Combined loss if all stops are hit, and its limit. */
export const OpenRiskSummary = z.object({
  amount: Amount.describe("Lost if every known stop is met, US dollars, before costs"),
  unstopped: z.array(z.string()).describe("Symbols without a known stop: what they risk is not in it"),
  max_open_risk_pct: Amount.nullable().describe("The owner's limit, percent of equity; null: none"),
  least_equity: Amount.nullable().describe(
    "US dollars of equity that keep the amount within the limit; null without a limit. sync_positions tells the equity",
  ),
});
export type OpenRiskSummary = z.infer<typeof OpenRiskSummary>;
