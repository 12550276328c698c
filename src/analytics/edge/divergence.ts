import type { Actionability, EdgeType } from "../../domain/prediction-markets/edge.ts";
import { type EdgeBands, PUBLISHED_BANDS } from "./bands.ts";

/** Divergence beyond the half-spread that does not count, in points. */
export const MARGIN_POINTS = 3;
/** Points beyond half-spread and margin at which the score reaches its maximum. */
export const FULL_SCORE_POINTS = 15;
/** Number of publishers at which independence reaches 1. */
export const ENOUGH_PUBLISHERS = 3;
/** Traded dollars at which liquidity is .5, and at which it is 1. */
const THIN = 5_000;
const DEEP = 500_000;
/** Share of the divergence from which news explains most of it. */
export const MOST_NEWS_SHARE = 0.5;
/** Minimum liquidity of HIGH: 12,600 dollars traded. */
const MIN_HIGH_LIQUIDITY = 0.6;

/** Both sides of one question with their inputs; probabilities and spread in percent. */
export interface Sides {
  /** Probability from venues. */
  readonly market: number;
  /** Probability from news. */
  readonly news: number;
  /** Probability from price and volatility only. */
  readonly neutral: number;
  readonly halfSpread: number;
  /** US dollars traded. */
  readonly dollars: number;
  readonly publishers: number;
}

export interface Edge {
  readonly type: EdgeType;
  /** News minus market, in points. */
  readonly divergence: number;
  /** News minus neutral: the part of the divergence that comes from news. */
  readonly fromNews: number;
  /** Neutral minus market: the part that exists without news. */
  readonly fromPrice: number;
  /** Points of the divergence beyond the half-spread, which the bands classify; negative within it. */
  readonly netOfSpread: number;
  /** Points of the divergence beyond half-spread and margin; at least 0. */
  readonly net: number;
  /** .5 at 5,000 dollars or less, 1 from 500,000 on. */
  readonly liquidity: number;
  /** A third per publisher, at most 1. */
  readonly independence: number;
  /** 0 to 100: 100 x min(1, net / 15) x liquidity x independence. */
  readonly score: number;
  readonly actionability: Actionability;
  /** Why the actionability is lower than its band; null if it is not. */
  readonly cappedReason: string | null;
}

/**
 * Compares the probability from news with that of venues. FAIR with actionability NONE if they differ by at most the
 * half-spread plus 3 points. The bands classify the divergence beyond the half-spread; at most LOW if news does not
 * point to the side of the divergence or has one publisher, at most MEDIUM with two publishers or little money traded.
 * The score is no profit estimate: neither side is known to be right.
 */
export function edgeOf(
  { market, news, neutral, halfSpread, dollars, publishers }: Sides,
  bands: EdgeBands = PUBLISHED_BANDS,
): Edge {
  const divergence = news - market;
  const fromNews = news - neutral;
  const netOfSpread = Math.abs(divergence) - halfSpread;
  const net = Math.max(0, netOfSpread - MARGIN_POINTS);
  const deep = Math.log10(dollars / THIN) / Math.log10(DEEP / THIN);
  const liquidity = 0.5 + 0.5 * Math.max(0, Math.min(1, deep));
  const independence = Math.min(1, publishers / ENOUGH_PUBLISHERS);
  const band = net === 0 ? "NONE" : bandOf(netOfSpread, bands);
  const { most, why } = ceiling({ confirmed: fromNews / divergence > 0, publishers, liquidity });
  const capped = RANK[band] > RANK[most];
  return {
    type: net === 0 ? "FAIR" : divergence > 0 ? "UNDERPRICED" : "OVERPRICED",
    divergence,
    fromNews,
    fromPrice: neutral - market,
    netOfSpread,
    net,
    liquidity,
    independence,
    score: 100 * Math.min(1, net / FULL_SCORE_POINTS) * liquidity * independence,
    actionability: capped ? most : band,
    cappedReason: capped ? why : null,
  };
}

const bandOf = (points: number, { medium, high }: EdgeBands): Actionability =>
  points >= high ? "HIGH" : points >= medium ? "MEDIUM" : "LOW";

const RANK = { NONE: 0, LOW: 1, MEDIUM: 2, HIGH: 3 } as const satisfies Record<Actionability, number>;

function ceiling({
  confirmed,
  publishers,
  liquidity,
}: Pick<Edge, "liquidity"> & Pick<Sides, "publishers"> & { readonly confirmed: boolean }): {
  readonly most: Actionability;
  readonly why: string;
} {
  if (!confirmed) return { most: "LOW", why: "News does not point to the side of the divergence" };
  if (publishers < 2) return { most: "LOW", why: "The news has only one publisher" };
  if (publishers < ENOUGH_PUBLISHERS)
    return { most: "MEDIUM", why: "The news has fewer than three publishers" };
  if (liquidity < MIN_HIGH_LIQUIDITY) return { most: "MEDIUM", why: "The market is thinly traded" };
  return { most: "HIGH", why: "" };
}
