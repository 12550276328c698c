import { z } from "zod";
import { Percent, Ratio } from "../figures.ts";
import { PositionRow } from "./positions.ts";
import { Amount } from "./trading.ts";

export const ReviewedRow = PositionRow.extend({
  weight_pct: Percent.nullable().describe(
    "Percent of the value of all priced positions; null without a price",
  ),
  open_risk: Amount.nullable().describe(
    "US dollars from the average price to the stop in opening; null without such a stop",
  ),
  open_risk_from_market: Amount.nullable().describe(
    "US dollars from the current value to that stop; null without a stop or a price",
  ),
  over_max_notional: z
    .boolean()
    .nullable()
    .describe("true: its value exceeds max_notional_usd; null without price or limit"),
});
export type ReviewedRow = z.infer<typeof ReviewedRow>;

/** Concentration in few positions, relative to the value of all priced positions. */
export const ConcentrationSummary = z.object({
  gross: Amount.describe("Value of all priced positions, shorts counted positive, US dollars"),
  net: Amount.describe("Value of all priced positions, shorts counted negative, US dollars"),
  largest: z
    .object({ symbol: z.string(), weight_pct: Percent.describe("Percent of gross") })
    .nullable()
    .describe("Largest symbol over all accounts; null without any price"),
  herfindahl: Ratio.nullable().describe("Sum of squared weights, 0-1; 1: all in one symbol"),
  effective_positions: z
    .number()
    .nullable()
    .describe("Number of equally weighted positions with the same concentration: 1 / herfindahl"),
  unpriced: z.array(z.string()).describe("Symbols without a price, excluded from these figures"),
});
export type ConcentrationSummary = z.infer<typeof ConcentrationSummary>;

/** Combined loss if all stops are hit, and its limit. */
export const OpenRiskSummary = z.object({
  amount: Amount.describe(
    "Loss if every known stop is hit, from the average prices, US dollars, before costs",
  ),
  amount_from_market: Amount.nullable().describe(
    "From current prices: the fall of equity, USD, before costs; without a price, from cost",
  ),
  unstopped: z.array(z.string()).describe("Symbols without a known stop, whose risk is not included"),
  max_open_risk_pct: Amount.nullable().describe("The owner's limit, percent of equity; null: none"),
  least_equity: Amount.nullable().describe(
    "US dollars of equity needed to keep amount_from_market within the limit",
  ),
});
export type OpenRiskSummary = z.infer<typeof OpenRiskSummary>;
