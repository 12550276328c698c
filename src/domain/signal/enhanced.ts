import { z } from "zod";
import { Percent, Price, Ratio, Score } from "../figures.ts";
import { EdgeNews } from "../prediction-markets/edge.ts";
import { Direction, Grade, Tier } from "./signal.ts";

const Iso = z.iso.datetime();
const FullScore = Score.min(0).max(100).nullable();

const part = {
  score: FullScore.describe("0-100, 50 neutral; null with reason"),
  way: z.enum(["up", "down", "flat"]).nullable().describe("flat: within 5 of 50"),
  weight: Ratio.describe("Weight in the composite, 0-1; renormalized over the available parts"),
  reason: z.string().nullable().describe("Why the score is null"),
  source: z.string().nullable(),
  as_of: Iso.nullable().describe("Time of its newest input"),
  stale: z.boolean().describe("true: the provider does not respond now, or the newest bar is 5 days old"),
};

/** Technical part of the composite: the signal without its tilts. */
export const TechnicalPart = z.object({
  ...part,
  signal: z
    .object({
      direction: Direction,
      score: FullScore,
      grade: Grade.nullable(),
      tier: Tier,
      confidence: Ratio,
      model_version: z.string(),
    })
    .describe("The output of get_signal, including prints, options, news and markets"),
});

/** Prediction-market part of the composite. */
export const MarketsPart = z.object({
  ...part,
  market_probability: Percent.nullable().describe(
    "Probability of the level at the venues, percent; marketProbability of detect_edge",
  ),
  neutral_probability: Percent.nullable().describe(
    "Probability of the level from price and volatility alone, percent",
  ),
  kind: z.enum(["at", "touch"]).nullable().describe("at: above level on the day; touch: reached by then"),
  level: Price.nullable().describe("US dollars"),
  by: Iso.nullable(),
  venues: z.array(z.string()),
});

export const NewsPart = z.object({
  ...part,
  ...EdgeNews.pick({
    stories: true,
    scored: true,
    positive: true,
    neutral: true,
    negative: true,
    publishers: true,
    positive_publishers: true,
    negative_publishers: true,
  }).shape,
});

export const AgreementRow = z.object({
  same_way: z.number().int().describe("Parts that agree"),
  of: z.number().int().describe("Available parts"),
  share: Ratio.describe("same_way / of"),
  way: z.enum(["up", "down", "flat"]),
});
export type TechnicalPart = z.infer<typeof TechnicalPart>;
export type MarketsPart = z.infer<typeof MarketsPart>;
export type NewsPart = z.infer<typeof NewsPart>;
