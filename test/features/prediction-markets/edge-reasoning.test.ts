import { describe, expect, it } from "vitest";
import { edgeOf } from "../../../src/analytics/edge/divergence.ts";
import { formatRecommendation } from "../../../src/features/prediction-markets/edge-reasoning.ts";
import type { BothSides } from "../../../src/features/prediction-markets/edge-sides.ts";

const told = (market: number, news: number, neutral: number): string => {
  const edge = edgeOf({ market, news, neutral, halfSpread: 1, dollars: 500_000, publishers: 3 });
  return formatRecommendation({ edge } as BothSides, null);
};

describe("the recommendation on an edge", () => {
  it.each([
    [20, 60, 30, /^UNDERPRICED: .* 40\.0 points above the markets, most of it from news\. Weigh it/],
    [20, 60, 55, /^UNDERPRICED: .* 40\.0 points above the markets, little of it from news\. Weigh it/],
    [20, 60, 65, /^UNDERPRICED: .* above the markets; news itself points the other way\. Watch it/],
    [60, 20, 50, /^OVERPRICED: .* 40\.0 points below the markets, most of it from news\. /],
    [50, 54, 50, /^FAIR: both sides lie within the half-spread and 3 points of each other\. /],
  ])(
    "states which part causes it: markets %d, news %d, price and volatility %d",
    (market, news, neutral, words) => {
      expect(told(market, news, neutral)).toMatch(words);
    },
  );
});
