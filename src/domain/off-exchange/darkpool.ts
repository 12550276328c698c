import { z } from "zod";
import { Iso } from "../answers.ts";
import { Price, Ratio, Score, Units, Usd } from "../figures.ts";
import { PRINT_CONDITIONS } from "./prints.ts";

export const PrintRow = z.object({
  id: z.string(),
  symbol: z.string(),
  price: Price,
  size: Units.describe("Shares"),
  notional: Usd.describe("US dollars"),
  share_of_day: Ratio.nullable().describe(
    "Notional over the mean daily notional of 20 days; null without bars or a symbol",
  ),
  executed_at: Iso,
  reported_at: Iso,
  conditions: z
    .array(z.enum(PRINT_CONDITIONS))
    .describe("Why the price is no market price; not used for levels"),
  nbbo: z
    .object({ bid: Price, ask: Price })
    .nullable()
    .describe("Best bid and offer at execution, where known"),
  side: z
    .enum(["buy", "sell"])
    .nullable()
    .describe("Estimated by the Lee-Ready method; null without quotes at execution"),
  side_basis: z.enum(["quote", "tick"]).nullable().describe("Basis of the side estimate"),
});
export type PrintRow = z.infer<typeof PrintRow>;

/** Price level with several large prints, and how it held as support since. */
export const LevelRow = z.object({
  price: Price,
  notional: Usd.describe("US dollars"),
  first_seen: Iso,
  holds: z.number().int(),
  fails: z.number().int(),
});
export type LevelRow = z.infer<typeof LevelRow>;

/** Institutional conviction and its basis. */
export const ConvictionRow = z.object({
  score: Score.nullable().describe("0-100, 50 neutral; null with fewer than three tests of print levels"),
  conviction: z.enum(["STRONG", "HIGH", "NEUTRAL", "LOW", "WEAK", "INSUFFICIENT"]),
  source: z.string().describe("Provider of the prints; none without a score"),
  volume_proxy: Score.nullable().describe("0-100 from volume alone; not a measure of institutions"),
  tests: z.number().int(),
  hold_rate: Ratio.nullable(),
  control_rate: Ratio.nullable().describe(
    "Share of tests that held at comparable levels without prints, 0-1",
  ),
  reason: z.string().nullable().describe("Why there is no score"),
});
export type ConvictionRow = z.infer<typeof ConvictionRow>;

/** Volume reported off exchange on one day. */
export const OffExchangeRow = z.object({
  date: z.iso.date(),
  off_exchange_volume: Units.describe("Shares"),
  consolidated_volume: Units.nullable().describe("Shares on all venues, from the daily bar"),
  off_exchange_share: Ratio.nullable().describe(
    "Proxy, 0-1: off-exchange volume over the volume of the daily bar",
  ),
  short_volume: Units.describe("Shares sold short, including exempt short sales"),
  short_share: Ratio.nullable().describe("Short volume over off-exchange volume, 0-1"),
  published_at: Iso,
});
export type OffExchangeRow = z.infer<typeof OffExchangeRow>;

/** Volume of one week by kind of venue. */
export const OffExchangeWeekRow = z.object({
  week: z.iso.date().describe("Monday of the week"),
  kind: z.enum(["ats", "otc"]).describe("ats: alternative trading systems; otc: dealers and wholesalers"),
  shares: Units,
  trades: z.number(),
  notional: Usd.nullable(),
  published_at: Iso,
});

/** Volume of the newest day at one rounded price. */
export const PriceVolumeRow = z.object({
  price: Price,
  off_exchange_volume: Units,
  on_exchange_volume: Units,
});

/** Provenance of a part of an answer; the provider is null if none is connected. */
export const Coverage = z.object({
  source: z.string().nullable(),
  fetched_at: Iso.nullable(),
  as_of: Iso.nullable().describe("Time of the newest data"),
  stale: z.boolean(),
  reason: z
    .string()
    .nullable()
    .describe("Why something is missing: not connected, not covered, or no data that far back"),
});
export type Coverage = z.infer<typeof Coverage>;

/** Definition of "dark" used throughout the product. */
export const DARK_DEFINITION =
  "Dark means off-exchange: dark pools, wholesalers who fill retail orders, and other dealers alike. A print shows a trade, not who made it or why.";
