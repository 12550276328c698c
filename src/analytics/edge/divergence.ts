import type { Actionability, EdgeType } from "../../domain/prediction-markets/edge.ts";

/** Minimum divergence beyond the half-spread, in points. */
export const MARGIN = 3;
/** Points beyond half-spread and margin at which the score is full. */
export const FULL = 15;
/** Publishers from which on their number holds nothing back. */
export const ENOUGH_PUBLISHERS = 3;
/** Dollars traded at which liquidity counts half, and those at which it is full. */
const THIN = 5_000;
const DEEP = 500_000;
/** The share of a divergence that news must have made for it to be called theirs. */
export const MOSTLY = 0.5;
const HIGH = 60;
const MEDIUM = 30;

/** Both sides of one question and what they rest on; probabilities and spread in percent. */
export interface Sides {
  /** Probability by venues. */
  readonly market: number;
  /** Probability by news. */
  readonly news: number;
  /** Probability by price and volatility alone. */
  readonly neutral: number;
  readonly halfSpread: number;
  /** US dollars traded. */
  readonly dollars: number;
  readonly publishers: number;
}

/** How far the sides are apart and what that is worth. */
export interface Edge {
  readonly type: EdgeType;
  /** News less market, in points. */
  readonly divergence: number;
  /** News less neutral: the part of the divergence that news made. */
  readonly fromNews: number;
  /** Neutral less market: the part that was there without news. */
  readonly fromPrice: number;
  /** Points of the divergence beyond half-spread and margin; 0 within. */
  readonly net: number;
  /** .5 at 5,000 dollars or less, 1 from 500,000 on. */
  readonly liquidity: number;
  /** A third for each publisher, 1 at most. */
  readonly independence: number;
  /** 0 to 100: 100 x min(1, net / 15) x liquidity x independence. */
  readonly score: number;
  readonly actionability: Actionability;
  /** Why the actionability is lower than the score alone would have it; null where it is not. */
  readonly cappedReason: string | null;
}

/**
 * Compares what news says with what venues say. FAIR with a score of 0 within the half-spread and 3 points of each other. HIGH from a
 * score of 60 on and with three publishers, MEDIUM from 30 on and with two; LOW at most where news made less than half of the
 * divergence. It is not a profit: neither side is known to be right.
 */
export function edgeOf({ market, news, neutral, halfSpread, dollars, publishers }: Sides): Edge {
  const divergence = news - market;
  const fromNews = news - neutral;
  const net = Math.max(0, Math.abs(divergence) - halfSpread - MARGIN);
  const deep = Math.log10(dollars / THIN) / Math.log10(DEEP / THIN);
  const liquidity = 0.5 + 0.5 * Math.max(0, Math.min(1, deep));
  const independence = Math.min(1, publishers / ENOUGH_PUBLISHERS);
  const score = 100 * Math.min(1, net / FULL) * liquidity * independence;
  const alone = score >= HIGH ? "HIGH" : score >= MEDIUM ? "MEDIUM" : score > 0 ? "LOW" : "NONE";
  const { most, why } = ceiling(fromNews / divergence >= MOSTLY, publishers);
  const capped = RANK[alone] > RANK[most];
  return {
    type: net === 0 ? "FAIR" : divergence > 0 ? "UNDERPRICED" : "OVERPRICED",
    divergence,
    fromNews,
    fromPrice: neutral - market,
    net,
    liquidity,
    independence,
    score,
    actionability: capped ? most : alone,
    cappedReason: capped ? why : null,
  };
}

const RANK = { NONE: 0, LOW: 1, MEDIUM: 2, HIGH: 3 } as const satisfies Record<Actionability, number>;

function ceiling(
  ofNews: boolean,
  publishers: number,
): { readonly most: Actionability; readonly why: string } {
  if (!ofNews) return { most: "LOW", why: "News made less than half of the divergence" };
  if (publishers < 2) return { most: "LOW", why: "The news has only one publisher" };
  if (publishers < ENOUGH_PUBLISHERS)
    return { most: "MEDIUM", why: "The news has fewer than three publishers" };
  return { most: "HIGH", why: "" };
}
