import { clip } from "../../analytics/drivers/driver-value.ts";
import {
  type Composite,
  compositeOf,
  type PartName,
  partDirection,
  priceSum,
} from "../../analytics/enhanced/composite.ts";
import { MODEL_VERSION } from "../../analytics/score/consensus.ts";
import type { MarketsPart, NewsPart, TechnicalPart } from "../../domain/signal/enhanced.ts";
import { rounded } from "../../lib/rounded.ts";
import { isStale } from "../../market/calendar/stale-bars.ts";
import { edgeMarket, edgeNews } from "../prediction-markets/edge-answer.ts";
import type { BothSides } from "../prediction-markets/edge-sides.ts";
import { confidenceOf } from "./confidence.ts";
import { agedBars, servedTier } from "./notes.ts";
import type { Picture } from "./picture.ts";

/** Difference in percentage points at which the prediction-market part reaches its maximum, as in the driver k_mkt. */
const FULL_DIFFERENCE_POINTS = 15;

export interface Enhanced {
  readonly composite: Composite;
  readonly technical: TechnicalPart;
  readonly markets: MarketsPart;
  readonly news: NewsPart;
}

/**
 * Combines three parts: a signal's price groups; the difference between the prediction-market and the neutral
 * probability, in units of 15 points; and the sentiment of a week of news. The last two are computed as in detect_edge.
 * A missing part has a reason and weight 0.
 */
export function enhancedOf(picture: Picture, sides: BothSides): Enhanced {
  const { consensus, series, decidedAt } = picture;
  const { marketProbability, neutralProbability, news } = sides;
  const technical = consensus.score === null ? null : priceSum(consensus.groups);
  const markets =
    marketProbability === null || neutralProbability === null
      ? null
      : clip((marketProbability - neutralProbability) / FULL_DIFFERENCE_POINTS);
  const lean = news.sentiment?.lean ?? null;
  const composite = compositeOf({ technical, markets, news: lean });
  const shared = (name: PartName, value: number | null, reason: string | null) => ({
    score: value === null ? null : rounded(50 + 50 * value, 2),
    way: value === null ? null : partDirection(value),
    weight: rounded(composite.weights[name], 4),
    reason: value === null ? reason : null,
  });
  const market = edgeMarket(sides);
  const { stories, scored, positive, neutral, negative, publishers, ...origin } = edgeNews(sides);
  const { direction, score, grade } = consensus;
  const tier = servedTier(picture);
  const { confidence } = confidenceOf(picture);
  return {
    composite,
    technical: {
      ...shared("technical", technical, consensus.reason),
      source: series.source,
      as_of: decidedAt,
      stale: series.origin?.stale === true || isStale(agedBars(picture)),
      signal: { direction, score, grade, tier, confidence, model_version: MODEL_VERSION },
    },
    markets: {
      ...shared("markets", markets, market.reason),
      source: market.source,
      as_of: market.as_of,
      stale: market.stale,
      market_probability: marketProbability,
      neutral_probability: neutralProbability,
      kind: market.kind,
      level: market.level,
      by: market.by,
      venues: market.venues,
    },
    news: {
      ...shared("news", lean, news.reason),
      source: origin.source,
      as_of: origin.as_of,
      stale: origin.stale,
      stories,
      scored,
      positive,
      neutral,
      negative,
      publishers,
      positive_publishers: origin.positive_publishers,
      negative_publishers: origin.negative_publishers,
    },
  };
}
