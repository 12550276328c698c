import { PUBLISHED_BANDS } from "../../analytics/edge/bands.ts";
import {
  type Edge,
  FULL_SCORE_POINTS,
  MARGIN_POINTS,
  MOST_NEWS_SHARE,
} from "../../analytics/edge/divergence.ts";
import { PRIOR_STORIES } from "../../analytics/edge/news-lean.ts";
import { NEWS_DAYS } from "../../analytics/news/fact.ts";
import { rounded } from "../../lib/rounded.ts";
import type { BothSides } from "./edge-sides.ts";

const NO_PROFIT = "A divergence is not a profit: neither side is proven right";

export function formatRecommendation({ edge }: BothSides, missing: string | null): string {
  if (edge === null) return `No verdict: ${missing ?? "a side is missing"}.`;
  if (edge.type === "FAIR")
    return `FAIR: both sides lie within the half-spread and ${MARGIN_POINTS} points of each other. This alone is no reason to act.`;
  const side = edge.type === "UNDERPRICED" ? "above" : "below";
  const next =
    edge.actionability === "HIGH" || edge.actionability === "MEDIUM"
      ? "Weigh it against get_signal before acting"
      : "Watch it; the evidence is too thin to act on";
  const points = Math.abs(edge.divergence).toFixed(1);
  return `${edge.type}: price, volatility and news imply a probability ${points} points ${side} the markets${formatNewsShare(edge)}. ${next}. ${NO_PROFIT}.`;
}

/** Describes the share of the divergence that comes from news. */
function formatNewsShare({ fromNews, divergence }: Edge): string {
  const share = fromNews / divergence;
  if (share < 0) return "; news itself points the other way";
  return share >= MOST_NEWS_SHARE ? ", most of it from news" : ", little of it from news";
}

/** Returns the reasons of the missing sides; null if both sides were compared. */
export function missingReason({ market, news, question, edge }: BothSides): string | null {
  if (edge !== null) return null;
  const missing = [
    ...(question === null ? [`markets: ${market.reason}`] : []),
    ...(news.sentiment?.lean == null ? [`news: ${news.reason}`] : []),
  ];
  return missing.join("; ");
}

/** Explains each figure without third-party text. */
export function formatReasoning(sides: BothSides): string[] {
  return [...formatMarketReasoning(sides), ...formatNewsReasoning(sides), ...formatEdgeReasoning(sides)];
}

function formatMarketReasoning({
  market,
  question,
  marketProbability,
  neutralProbability,
  halfSpread,
}: BothSides) {
  if (question === null) return [`No market data: ${market.reason}`];
  const { kind, level, by, estimates, dollars, halfSpreadKnown } = question;
  const event = kind === "at" ? `above $${level} at` : `reaching $${level} by`;
  const venues = estimates.map(({ venue }) => venue).join(", ");
  const spread = halfSpreadKnown
    ? `half-spread ${halfSpread} points`
    : `half-spread not stored, ${halfSpread} points assumed`;
  return [
    `Markets give ${marketProbability}% to a price ${event} ${minuteOf(by)} (${venues}; ${money(dollars)} traded; ${spread})`,
    `Price and volatility alone give n = ${neutralProbability}%, from ${market.price} USD at ${market.priceAsOf ?? "an unknown time"}`,
  ];
}

function formatNewsReasoning({ news, question, newsSentiment, neutralProbability }: BothSides): string[] {
  const { sentiment } = news;
  if (sentiment?.lean == null) return [`No news data: ${news.reason}`];
  const { scored, stories, publishers, lean } = sentiment;
  const read = `S = ${signed(lean)} = sum(score x w) / (sum(w) + ${PRIOR_STORIES}), w = relevance x exp(-age / 3 days), over the ${scored} scored of ${stories} stories in ${NEWS_DAYS} days, ${publishers} ${publishers === 1 ? "publisher" : "publishers"}`;
  if (question === null)
    return [`${read}; a news probability requires a market on a price level, and none qualifies`];
  return [
    `News gives ${newsSentiment}% = 1 / (1 + exp(-(ln(n / (1 - n)) + S))), n = ${neutralProbability}%, ${read}; the scale is chosen, not fitted`,
  ];
}

function formatEdgeReasoning({ edge, halfSpread }: BothSides): string[] {
  if (edge === null) return ["Both sides are needed for a divergence"];
  const { divergence, fromNews, fromPrice, netOfSpread, net, liquidity, independence, score } = edge;
  const { actionability, cappedReason } = edge;
  const { medium, high } = PUBLISHED_BANDS;
  const parts = `Divergence ${signed(divergence)} points: news against n ${signed(fromNews)}, n against markets ${signed(fromPrice)}`;
  if (edge.type === "FAIR")
    return [parts, `Within half-spread ${halfSpread} and margin ${MARGIN_POINTS} points: FAIR`];
  return [
    parts,
    `Score ${score.toFixed(1)} = 100 x min(1, ${rounded(net, 4)} / ${FULL_SCORE_POINTS}) x liquidity ${liquidity.toFixed(4)} x publishers ${rounded(independence, 4)}; ${net.toFixed(2)} points lie beyond half-spread and margin of ${MARGIN_POINTS}`,
    `${netOfSpread.toFixed(2)} points beyond the half-spread: MEDIUM from ${medium}, HIGH from ${high}`,
    ...(cappedReason === null ? [] : [`Capped at ${actionability}: ${cappedReason}`]),
  ];
}

const minuteOf = (time: number): string => `${new Date(time).toISOString().slice(0, 16)}Z`;
const money = (dollars: number): string => `$${Math.round(dollars).toLocaleString("en-US")}`;
const signed = (value: number): string => `${value < 0 ? "" : "+"}${value.toFixed(2)}`;
