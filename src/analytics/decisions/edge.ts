/** Edge of one symbol in percent and points; null without a verdict, with the reason. */
export interface EdgeAssessment {
  readonly type: "UNDERPRICED" | "OVERPRICED" | "FAIR" | null;
  readonly actionability: "HIGH" | "MEDIUM" | "LOW" | "NONE";
  /** Probability from prediction markets, percent. */
  readonly marketProbability: number | null;
  /** Probability from news, percent. */
  readonly newsSentiment: number | null;
  /** News minus markets, in points. */
  readonly divergence: number | null;
  readonly nullReason: string | null;
}

export interface EdgeDecision {
  readonly action: "buy" | "sell" | "hold";
  readonly reason: string;
  /** Share of the size of a HIGH trade; 1 or omitted for the full size. */
  readonly size?: number;
}

/** Share of the full size at actionability MEDIUM. */
export const MEDIUM_SIZE = 0.5;

/**
 * Decides on edges with actionability HIGH at full size and MEDIUM at half: UNDERPRICED (markets below news) is bought
 * if no position is held; OVERPRICED closes a position, at MEDIUM half of it. FAIR, weaker edges and no verdict change
 * nothing. It trades the instrument, not the contract, because the questions are about its price.
 */
export function edgeDecision(reading: EdgeAssessment & { readonly holds: boolean }): EdgeDecision {
  const { type, actionability, holds, nullReason } = reading;
  if (type === null)
    return { action: "hold", reason: `No edge is known${nullReason === null ? "" : `: ${nullReason}`}` };
  const numbers = `markets give ${percent(reading.marketProbability)}, news ${percent(reading.newsSentiment)}, ${reading.divergence ?? "unknown"} points apart`;
  const verdict = `${type} with actionability ${actionability}: ${numbers}`;
  if ((actionability !== "HIGH" && actionability !== "MEDIUM") || type === "FAIR")
    return { action: "hold", reason: `${verdict}; only actionability MEDIUM or HIGH leads to a trade` };
  const trade = actionability === "HIGH" ? FULL : HALF;
  if (type === "UNDERPRICED")
    return holds
      ? { action: "hold", reason: `${verdict}; a buy, but a position is already held` }
      : { action: "buy", reason: `${verdict}; ${trade.text}`, size: trade.size };
  return holds
    ? { action: "sell", reason: `${verdict}; ${trade.text}`, size: trade.size }
    : { action: "hold", reason: `${verdict}; a sell, but no position is held` };
}

const FULL = { size: 1, text: "full size at HIGH" } as const;
const HALF = { size: MEDIUM_SIZE, text: "half size at MEDIUM, on paper only" } as const;

const percent = (value: number | null): string => (value === null ? "an unknown probability" : `${value} %`);
