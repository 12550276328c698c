import { type Edge, edgeOf } from "../../analytics/edge/divergence.ts";
import { newsProbability } from "../../analytics/edge/news-lean.ts";
import type { Question } from "../../analytics/edge/questions.ts";
import type { Instrument } from "../../domain/market/market.ts";
import { rounded } from "../../lib/rounded.ts";
import type { NewsPorts } from "../news/read.ts";
import { type MarketSide, type MarketSidePorts, type Moment, readMarketSide } from "./edge-market-side.ts";
import { type NewsSide, readNewsSide } from "./edge-news-side.ts";

export type EdgePorts = MarketSidePorts & NewsPorts;

/**
 * Both sides at a given time and their divergence. Probabilities are in percent with two decimals, so that callers can
 * recompute the divergence.
 */
export interface BothSides {
  readonly market: MarketSide;
  readonly news: NewsSide;
  readonly question: Question | null;
  readonly marketProbability: number | null;
  readonly neutralProbability: number | null;
  /** Percentage points. */
  readonly halfSpread: number | null;
  readonly newsSentiment: number | null;
  /** null unless both sides are available. */
  readonly edge: Edge | null;
}

/** Reads both sides concurrently and compares them. If a side is missing, it has a reason and there is no comparison. */
export async function readBothSides(
  instrument: Instrument,
  moment: Moment,
  ports: EdgePorts,
): Promise<BothSides> {
  const [market, news] = await Promise.all([
    readMarketSide(instrument, moment, ports),
    readNewsSide(instrument, moment, ports),
  ]);
  const question = market.questions[0] ?? null;
  const lean = news.sentiment?.lean ?? null;
  const sides = { market, news, question };
  if (question === null)
    return {
      ...sides,
      marketProbability: null,
      neutralProbability: null,
      halfSpread: null,
      newsSentiment: null,
      edge: null,
    };
  const marketProbability = percent(question.probability);
  const neutralProbability = percent(question.neutral);
  const halfSpread = percent(question.halfSpread);
  const base = { ...sides, marketProbability, neutralProbability, halfSpread };
  if (lean === null) return { ...base, newsSentiment: null, edge: null };
  const newsSentiment = percent(newsProbability(question.neutral, lean));
  const edge = edgeOf({
    market: marketProbability,
    news: newsSentiment,
    neutral: neutralProbability,
    halfSpread,
    dollars: question.dollars,
    publishers: news.sentiment!.publishers,
  });
  return { ...base, newsSentiment, edge };
}

/** Converts a share to percent, rounded to two decimals. */
export const percent = (share: number): number => rounded(100 * share, 2);
