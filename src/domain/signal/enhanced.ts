import { z } from "zod";
import { EdgeNews } from "../prediction-markets/edge.ts";
import { Direction, Grade, Tier } from "./signal.ts";

const Iso = z.iso.datetime();
const Score = z.number().min(0).max(100).nullable();

const part = {
  score: Score.describe("0-100, 50 neutral; null with reason"),
  way: z.enum(["up", "down", "flat"]).nullable().describe("flat: within 5 of 50"),
  weight: z.number().describe("Its part of the composite, 0-1; renormalised over those present"),
  reason: z.string().nullable().describe("Why the score is null"),
  source: z.string().nullable(),
  as_of: Iso.nullable().describe("When the newest of what it read was so"),
  stale: z.boolean().describe("true: its source does not answer now, or its newest bar is 5 days old"),
};

/** Technical part of the composite: the signal without its tilts. */
export const TechnicalPart = z.object({
  ...part,
  signal: z
    .object({
      direction: Direction,
      score: Score,
      grade: Grade.nullable(),
      tier: Tier,
      confidence: z.number(),
      model_version: z.string(),
    })
    .describe("What get_signal answers, prints, options, news and markets among it"),
});

/** Prediction-market part of the composite. */
export const MarketsPart = z.object({
  ...part,
  probability: z
    .number()
    .nullable()
    .describe("Percent that venues give the level; detect_edge's marketProbability"),
  neutral_probability: z.number().nullable().describe("Percent that price and volatility alone give it"),
  kind: z.enum(["at", "touch"]).nullable().describe("at: above level on the day; touch: reached until then"),
  level: z.number().nullable().describe("US dollars"),
  by: Iso.nullable(),
  venues: z.array(z.string()),
});

/** News part of the composite. */
export const NewsPart = z.object({
  ...part,
  ...EdgeNews.pick({
    stories: true,
    judged: true,
    positive: true,
    neutral: true,
    negative: true,
    publishers: true,
    positive_publishers: true,
    negative_publishers: true,
  }).shape,
});

export const AgreementRow = z.object({
  same_way: z.number().int().describe("Parts that point the way of the composite"),
  of: z.number().int().describe("Parts present"),
  share: z.number().describe("same_way / of"),
  way: z.enum(["up", "down", "flat"]),
});
export type TechnicalPart = z.infer<typeof TechnicalPart>;
export type MarketsPart = z.infer<typeof MarketsPart>;
export type NewsPart = z.infer<typeof NewsPart>;
