import { PUBLISHED_BANDS } from "../../analytics/edge/bands.ts";
import type { EdgeBands, EdgeMarket, EdgeNews } from "../../domain/prediction-markets/edge.ts";
import { plainText } from "../../lib/plain-text.ts";
import { rounded } from "../../lib/rounded.ts";
import { contractKey } from "./edge-market-side.ts";
import { type BothSides, percent } from "./edge-sides.ts";

const TITLE = 300;

export function edgeMarket({ market, question, neutralProbability, halfSpread }: BothSides): EdgeMarket {
  const { reason, price, priceAsOf, source, stale, questions, contracts } = market;
  const marketOrigin = { reason, price, price_as_of: priceAsOf, questions: questions.length, source, stale };
  if (question === null) return { ...NO_QUESTION, ...marketOrigin };
  const { kind, level, by, halfSpreadKnown, disagreement, dollars, estimates } = question;
  const busiest = contracts.get(contractKey(estimates[0]));
  return {
    ...marketOrigin,
    question: busiest === undefined ? null : plainText(busiest.question, TITLE),
    kind,
    level,
    by: isoOf(by),
    neutral_probability: neutralProbability,
    half_spread: halfSpread,
    half_spread_basis: halfSpreadKnown ? "book" : "widest",
    disagreement_points: disagreement === null ? null : percent(disagreement),
    volume_usd: Math.round(dollars),
    venues: estimates.map(({ venue }) => venue),
    contracts: estimates.map(({ venue, id, probability, dollars: traded, weight, at }) => {
      const contract = contracts.get(contractKey({ venue, id }));
      return {
        venue,
        id,
        market_probability: percent(probability),
        bid_percent: contract?.bid == null ? null : percent(contract.bid),
        ask_percent: contract?.ask == null ? null : percent(contract.ask),
        volume_usd: Math.round(traded),
        weight: rounded(weight, 4),
        as_of: isoOf(at),
      };
    }),
    as_of: isoOf(Math.max(...estimates.map(({ at }) => at))),
  };
}

const NO_QUESTION = {
  question: null,
  kind: null,
  level: null,
  by: null,
  neutral_probability: null,
  half_spread: null,
  half_spread_basis: null,
  disagreement_points: null,
  volume_usd: null,
  as_of: null,
  venues: [],
  contracts: [],
};

export function edgeNews({ news, question }: BothSides): EdgeNews {
  const { sentiment, source, fetchedAt, stale } = news;
  const reason =
    news.reason ??
    (question === null ? "A news probability requires a market on a price level, and none qualifies" : null);
  const head = { reason, source, fetched_at: fetchedAt, stale };
  if (sentiment === null) return { ...NO_NEWS, ...head };
  const { lean, weight, stories, scored, positive, neutral, negative, publishers, newest } = sentiment;
  return {
    ...head,
    lean: lean === null ? null : rounded(lean, 4),
    weight: rounded(weight, 4),
    stories,
    scored,
    positive,
    neutral,
    negative,
    publishers,
    positive_publishers: sentiment.positivePublishers,
    negative_publishers: sentiment.negativePublishers,
    as_of: newest === null ? null : isoOf(newest),
  };
}

const NO_NEWS = {
  lean: null,
  weight: null,
  stories: null,
  scored: null,
  positive: null,
  neutral: null,
  negative: null,
  publishers: null,
  positive_publishers: null,
  negative_publishers: null,
  as_of: null,
};

/** Returns the bands in use in the market with this id. No market stores divergences, so none has bands of its own. */
export function edgeBands(market: string): EdgeBands {
  const { medium, high, medium_percentile, high_percentile, observations, from, until, published } =
    PUBLISHED_BANDS;
  return {
    medium,
    high,
    basis: "published",
    medium_percentile,
    high_percentile,
    observations,
    measured_market: PUBLISHED_BANDS.market,
    from,
    until,
    published,
    reason:
      market === PUBLISHED_BANDS.market
        ? null
        : "Past headlines are not stored, so this installation has no divergences of its own to measure",
  };
}

const isoOf = (time: number): string => new Date(time).toISOString();
