import { z } from "zod";
import { Percent, Price, Ratio, Usd } from "../figures.ts";
import { outsideText } from "../outside-text.ts";

const Iso = z.iso.datetime();
const FullPercent = Percent.min(0).max(100);

/** Notice on text written by venues, in every answer. */
export const EDGE_OUTSIDE_TEXT = outsideText("markets.question and contract ids");

/** Market probability compared with the news: too low, too high, or neither. */
export const EdgeType = z.enum(["UNDERPRICED", "OVERPRICED", "FAIR"]);
export type EdgeType = z.infer<typeof EdgeType>;
/** Strength of a divergence after costs. */
export const Actionability = z.enum(["HIGH", "MEDIUM", "LOW", "NONE"]);
export type Actionability = z.infer<typeof Actionability>;

/** A contract that contributes to the market's probability. */
export const EdgeContract = z.object({
  venue: z.string(),
  id: z.string().describe("Id at the venue"),
  market_probability: FullPercent.describe("Midpoint of bid and ask, percent"),
  bid_percent: FullPercent.nullable().describe("null if not recorded"),
  ask_percent: FullPercent.nullable(),
  volume_usd: Usd.describe("Dollars traded since it was listed"),
  weight: Ratio.describe("Weight in marketProbability, 0-1"),
  as_of: Iso,
});

export const EdgeMarket = z.object({
  reason: z.string().nullable().describe("Why marketProbability is null"),
  question: z.string().nullable().describe("Outside text, of the most traded contract; null if not recorded"),
  kind: z.enum(["at", "touch"]).nullable().describe("at: above level on the day; touch: reached by then"),
  level: Price.nullable().describe("US dollars"),
  by: Iso.nullable().describe("When it is resolved"),
  neutral_probability: FullPercent.nullable().describe(
    "n: probability of the level from price and volatility alone, percent",
  ),
  price: Price.nullable().describe("Price used for n"),
  price_as_of: Iso.nullable(),
  half_spread: Percent.nullable().describe("Points, weighted like the probability"),
  half_spread_basis: z
    .enum(["book", "widest"])
    .nullable()
    .describe("widest: bid and ask were not recorded, so half of the widest accepted spread is used"),
  disagreement_points: Percent.nullable().describe("Points between venues; null for one venue"),
  volume_usd: Usd.nullable(),
  venues: z.array(z.string()),
  contracts: z.array(EdgeContract).describe("Liquid real-money contracts, one per venue"),
  questions: z
    .number()
    .int()
    .describe("Qualifying questions; this one is the most uncertain and most traded"),
  source: z.string().nullable().describe("Providers; `stored`: a snapshot from the 24 hours before as_of"),
  as_of: Iso.nullable().describe("Time of the newest price"),
  stale: z.boolean(),
});
export type EdgeMarket = z.infer<typeof EdgeMarket>;

const Count = z.number().int().nullable();

export const EdgeNews = z.object({
  reason: z.string().nullable().describe("Why newsSentiment is null"),
  lean: Ratio.nullable().describe("S: sum(score x w) / (sum(w) + 4), -1 to 1"),
  weight: Ratio.nullable().describe("sum(w), w = relevance x exp(-age / 3 days)"),
  stories: Count.describe("Stories of the last 7 days; near-duplicates count once"),
  scored: Count,
  positive: Count,
  neutral: Count,
  negative: Count,
  publishers: Count.describe("Distinct publishers that were first with a scored story"),
  positive_publishers: Count.describe("The same for positive stories"),
  negative_publishers: Count,
  source: z.string().nullable().describe("Provider; `sample` is simulated"),
  as_of: Iso.nullable().describe("Publication time of the newest story"),
  fetched_at: Iso.nullable(),
  stale: z.boolean(),
});
export type EdgeNews = z.infer<typeof EdgeNews>;

/** Thresholds of actionability and the measurement from which they come. */
export const EdgeBands = z.object({
  medium: Percent.describe("MEDIUM from here on: points of |divergence| less markets.half_spread"),
  high: Percent,
  basis: z
    .literal("published")
    .describe("Percentiles measured on the simulated market, the same in every installation"),
  medium_percentile: z.number(),
  high_percentile: z.number(),
  observations: z.number().int(),
  measured_market: z.string(),
  from: Iso.describe("Observations are from here until `until`, also when as_of is earlier"),
  until: Iso,
  published: z.iso.date(),
  reason: z
    .string()
    .nullable()
    .describe("Why the bands are those of another market; null in the measured market"),
});
export type EdgeBands = z.infer<typeof EdgeBands>;

/** Past accuracy of both sides on settled questions. */
export const EdgeTrack = z.object({
  brier_market: Ratio.nullable().describe("Mean squared error, 0 best, 0.25 even odds"),
  brier_news: Ratio.nullable(),
  brier_neutral: Ratio.nullable().describe("From price and volatility alone"),
  resolved: z.number().int().describe("Resolved questions"),
  since: Iso.nullable().describe("Date of the first forecast"),
  until: Iso.nullable().describe("Nothing resolved later is counted"),
  reason: z.string().nullable().describe("Why the scores are null"),
});
export type EdgeTrack = z.infer<typeof EdgeTrack>;
