import { z } from "zod";
import { Iso } from "../answers.ts";
import { FlowCoverage, FlowProvenance } from "./flow.ts";

const figure = z.number().nullable();

/** One put/call ratio and where it goes. */
export const RatioTrend = z.object({
  latest: figure,
  mean_5: figure.describe("Mean of the last 5 days"),
  mean_20: figure,
  strength: figure.describe("5-day mean less 20-day mean, in spreads of the last 60 days"),
  trend: z.enum(["rising", "falling", "flat"]).nullable().describe("Turned by half a spread or more"),
  days: z.number().int().describe("Days it is known of, 252 at the most"),
  reason: z.string().nullable().describe("Why it has no trend"),
});
export type RatioTrend = z.infer<typeof RatioTrend>;

/** Which way option flow of the whole market leans. */
export const MarketTide = z.object({
  direction: z
    .enum(["BULLISH", "BEARISH", "NEUTRAL"])
    .nullable()
    .describe("BULLISH: fewer puts for each call than in the month before; null with under 60 days"),
  basis: z.string().nullable().describe("Which ratio the direction is of"),
  reason: z.string().nullable().describe("Why there is no direction"),
  put_call: z.object({
    total: RatioTrend,
    equity: RatioTrend,
    etp: RatioTrend,
    index: RatioTrend,
  }),
  days: z
    .array(
      z.object({
        date: z.iso.date(),
        total: figure,
        equity: figure,
        etp: figure,
        index: figure,
        call_volume: figure,
        put_volume: figure,
      }),
    )
    .describe("Newest first"),
  coverage: FlowCoverage,
  provenance: FlowProvenance.nullable(),
  intraday: z
    .object({
      proxy: z
        .literal(true)
        .describe(
          "Not the market: three funds that stand for it. Funds have more puts than stocks: compare it with etp, not with total",
        ),
      of: z.array(z.string()),
      session: z.iso.date().describe("Session whose volumes these are: the one before, while none is open"),
      as_of: Iso,
      call_volume: figure,
      put_volume: figure,
      put_call: figure,
      provider: z.string(),
    })
    .nullable(),
  intraday_reason: z.string().nullable(),
  net_premium: z
    .object({
      as_of: Iso,
      call: z.number().describe("Dollars paid at the offer less at the bid, since the open"),
      put: z.number(),
      volume: z.number(),
      provider: z.string(),
    })
    .nullable()
    .describe("null without a tape of option trades"),
  net_premium_reason: z.string().nullable(),
});
export type MarketTide = z.infer<typeof MarketTide>;
