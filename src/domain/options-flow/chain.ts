import { z } from "zod";
import { Figure, Iso, NextCursor } from "../answers.ts";
import { IndicatorFigure, Price, Ratio } from "../figures.ts";
import { FlowCoverage, FlowProvenance } from "./flow.ts";

export const ChainContract = z.object({
  contract: z.string().describe("OSI symbol without padding"),
  expiry: z.iso.date(),
  days: z.number().int().describe("Calendar days to expiry"),
  type: z.enum(["call", "put"]),
  strike: z.number(),
  bid: Price.nullable().describe("US dollars per share; null: no bid"),
  ask: Price.nullable(),
  mid: Price.nullable().describe("Midpoint; null without both a bid and an ask"),
  last: Price.nullable().describe("Last trade; null: none known"),
  last_traded_at: Iso.nullable(),
  volume: Figure.describe("Contracts traded in `session`"),
  open_interest: Figure.describe("Open contracts as of the previous session"),
  iv: Ratio.nullable().describe("Annualized implied volatility as a fraction"),
  delta: Ratio.nullable(),
  gamma: IndicatorFigure.nullable().describe("Change of delta per dollar"),
  theta: IndicatorFigure.nullable().describe("US dollars per share and calendar day"),
  vega: IndicatorFigure.nullable().describe("US dollars per share and percentage point of volatility"),
  greeks: z
    .enum(["provider", "computed"])
    .nullable()
    .describe("computed: Black-Scholes from iv, without interest and dividends; null: no volatility known"),
});
export type ChainContract = z.infer<typeof ChainContract>;

/** Page of an option chain. */
export const OptionChainPage = z.object({
  coverage: FlowCoverage,
  as_of: Iso.nullable().describe("Time the figures refer to; null without a chain"),
  delay_minutes: Figure.describe("Delay of the figures behind the market"),
  session: z.iso.date().nullable().describe("Session of the volumes"),
  underlying: z.object({ price: Figure, traded_at: Iso.nullable() }),
  expiries: z.array(z.iso.date()).describe("All listed expiries, ascending"),
  contracts: z.array(ChainContract).describe("By expiry, strike, call before put"),
  total: z
    .number()
    .int()
    .nullable()
    .describe("Number of matching contracts on all pages; null without a chain"),
  next_cursor: NextCursor,
  missing: z
    .array(z.object({ field: z.string(), contracts: z.number().int(), reason: z.string() }))
    .describe("Fields that are null in some contracts of this page, in how many, and why"),
  provenance: FlowProvenance.nullable(),
});
export type OptionChainPage = z.infer<typeof OptionChainPage>;
