import { type Edge, edgeOf } from "../../analytics/edge/divergence.ts";
import { newsProbability } from "../../analytics/edge/news-lean.ts";
import type { Question } from "../../analytics/edge/questions.ts";
import type { Instrument } from "../../domain/market/market.ts";
import { rounded } from "../../lib/rounded.ts";
import type { NewsPorts } from "../news/read.ts";
import { type MarketSide, type MarketSidePorts, type Moment, readMarketSide } from "./edge-market-side.ts";
import { type NewsSide, readNewsSide } from "./edge-news-side.ts";

export type EdgePorts = MarketSidePorts & NewsPorts;

/** Both sides at a moment, and how far they are apart. Probabilities in percent to two digits, so that a reader can compute it again. */
export interface BothSides {
  readonly market: MarketSide;
  readonly news: NewsSide;
  readonly question: Question | null;
  readonly marketProbability: number | null;
  readonly neutralProbability: number | null;
  /** Points. */
  readonly halfSpread: number | null;
  readonly newsSentiment: number | null;
  /** null unless both sides are there. */
  readonly edge: Edge | null;
}

/** Reads both sides concurrently and compares them. A missing side has a reason, and then nothing is compared. */
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
  const lean = news.said?.lean ?? null;
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
    publishers: news.said!.publishers,
  });
  return { ...base, newsSentiment, edge };
}

/** A share in percent, to two digits. */
export const percent = (share: number): number => rounded(100 * share, 2);
