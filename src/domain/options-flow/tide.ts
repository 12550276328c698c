import { z } from "zod";
import { Iso } from "../answers.ts";
import { Ratio } from "../figures.ts";
import { FlowCoverage, FlowProvenance } from "./flow.ts";

const figure = z.number().nullable();

export const RatioTrend = z.object({
  latest: Ratio.nullable(),
  mean_5: Ratio.nullable().describe("Mean of the last 5 days"),
  mean_20: Ratio.nullable(),
  strength: Ratio.nullable().describe(
    "5-day mean minus 20-day mean, in standard deviations of the last 60 days",
  ),
  trend: z
    .enum(["rising", "falling", "flat"])
    .nullable()
    .describe("rising or falling when the means differ by at least half a standard deviation"),
  days: z.number().int().describe("Days with data, at most 252"),
  reason: z.string().nullable().describe("Why there is no trend"),
});
export type RatioTrend = z.infer<typeof RatioTrend>;

/** Direction of option flow in the whole market. */
export const MarketTide = z.object({
  direction: z
    .enum(["BULLISH", "BEARISH", "NEUTRAL"])
    .nullable()
    .describe(
      "BULLISH: fewer puts per call in the last 5 days than in the last 20; null with fewer than 60 days of data",
    ),
  basis: z.string().nullable().describe("Ratio that decides the direction"),
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
        total: Ratio.nullable(),
        equity: Ratio.nullable(),
        etp: Ratio.nullable(),
        index: Ratio.nullable(),
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
          "Not the market: three index funds as a proxy. Funds have more puts than stocks: compare with etp, not with total.",
        ),
      of: z.array(z.string()),
      session: z.iso.date().describe("Session of the volumes: the previous one while the market is closed"),
      as_of: Iso,
      call_volume: figure,
      put_volume: figure,
      put_call: Ratio.nullable(),
      provider: z.string(),
    })
    .nullable(),
  intraday_reason: z.string().nullable(),
  net_premium: z
    .object({
      as_of: Iso,
      call: z.number().describe("At the ask minus at the bid since the open, USD"),
      put: z.number(),
      volume: z.number(),
      provider: z.string(),
    })
    .nullable()
    .describe("null without a feed of option trades"),
  net_premium_reason: z.string().nullable(),
});
export type MarketTide = z.infer<typeof MarketTide>;
