import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PUBLISHED_BANDS } from "../../../src/analytics/edge/bands.ts";
import { edgeOf, type Sides } from "../../../src/analytics/edge/divergence.ts";

const BANDS = { medium: 7, high: 13 };
const sides = (over: Partial<Sides> = {}): Sides => ({
  market: 40,
  news: 52,
  neutral: 45,
  halfSpread: 1.5,
  dollars: 50_000,
  publishers: 3,
  ...over,
});

describe("an edge", () => {
  it("is the divergence beyond half-spread and margin, scaled by liquidity and publishers", () => {
    // 12 - 1.5 - 3 = 7.5 of 15; 50,000 is halfway from 5,000 to 500,000 on a log scale; .5 x .75 x 1.
    expect(edgeOf(sides(), BANDS)).toEqual({
      type: "UNDERPRICED",
      divergence: 12,
      fromNews: 7,
      fromPrice: 5,
      netOfSpread: 10.5,
      net: 7.5,
      liquidity: 0.75,
      independence: 1,
      score: 37.5,
      actionability: "MEDIUM",
      cappedReason: null,
    });
    const most = edgeOf(sides({ market: 20, news: 50, neutral: 30, halfSpread: 2, dollars: 500_000 }));
    expect(most).toMatchObject({ net: 25, score: 100, actionability: "HIGH" });
    const least = edgeOf(sides({ market: 60, neutral: 55, dollars: 5_000, publishers: 1, halfSpread: 2 }));
    // 8 - 2 - 3 = 3 of 15, times a half, times a third.
    expect(least).toMatchObject({ type: "OVERPRICED", divergence: -8, net: 3, actionability: "LOW" });
    expect(least.score).toBeCloseTo(100 / 30, 9);
  });

  it("is FAIR with actionability NONE within half-spread and margin", () => {
    expect(edgeOf(sides({ news: 44.5 }))).toMatchObject({ type: "FAIR", score: 0, actionability: "NONE" });
    expect(edgeOf(sides({ news: 44.75 })).type).toBe("UNDERPRICED");
    expect(edgeOf(sides({ news: 35.5 })).type).toBe("FAIR");
    expect(edgeOf(sides({ news: 35.25 })).type).toBe("OVERPRICED");
  });

  it("has the actionability of the band of its divergence beyond the half-spread", () => {
    const banded = (news: number, halfSpread = 1) =>
      edgeOf(sides({ neutral: 41, dollars: 500_000, news, halfSpread }), BANDS).actionability;
    expect([44, 44.5, 47.5, 48, 53.5, 54].map((news) => banded(news))).toEqual([
      "NONE",
      "LOW",
      "LOW",
      "MEDIUM",
      "MEDIUM",
      "HIGH",
    ]);
    // a wider spread needs a larger divergence
    expect([banded(48, 1.5), banded(54, 1.5)]).toEqual(["LOW", "MEDIUM"]);
  });

  it("uses the published bands by default", () => {
    const { medium, high } = PUBLISHED_BANDS;
    const far = (points: number) => edgeOf(sides({ market: 40, news: 41.5 + points, neutral: 41 }));
    expect(far(medium - 0.01).actionability).toBe("LOW");
    expect(far(medium + 0.01).actionability).toBe("MEDIUM");
    expect(far(high - 0.01).actionability).toBe("MEDIUM");
    expect(far(high + 0.01).actionability).toBe("HIGH");
  });

  it("has its actionability capped by few publishers, little money, or news of the other side", () => {
    const wide = { market: 20, news: 60, neutral: 30, dollars: 500_000 };
    expect(edgeOf(sides({ ...wide, publishers: 2 }))).toMatchObject({
      actionability: "MEDIUM",
      cappedReason: "The news has fewer than three publishers",
    });
    expect(edgeOf(sides({ ...wide, publishers: 1 }))).toMatchObject({
      actionability: "LOW",
      cappedReason: "The news has only one publisher",
    });
    expect(edgeOf(sides({ ...wide, dollars: 12_000 }))).toMatchObject({
      actionability: "MEDIUM",
      cappedReason: "The market is thinly traded",
    });
    expect(edgeOf(sides({ ...wide, dollars: 13_000 }))).toMatchObject({ actionability: "HIGH" });
    const cappedReason = "News does not point to the side of the divergence";
    for (const neutral of [65, 60])
      expect(edgeOf(sides({ ...wide, neutral }))).toMatchObject({
        score: 100,
        actionability: "LOW",
        cappedReason,
      });
    expect(edgeOf(sides({ ...wide, neutral: 59 }))).toMatchObject({
      actionability: "HIGH",
      cappedReason: null,
    });
  });

  const percent = fc.double({ min: 0, max: 100, noNaN: true });
  const any = fc.record({
    market: percent,
    news: percent,
    neutral: percent,
    publishers: fc.integer({ min: 1, max: 9 }),
    halfSpread: fc.double({ min: 0, max: 5, noNaN: true }),
    dollars: fc.double({ min: 5_000, max: 1e8, noNaN: true }),
  });
  const MIRROR = { UNDERPRICED: "OVERPRICED", OVERPRICED: "UNDERPRICED", FAIR: "FAIR" } as const;

  it("reverses if the sides are swapped", () => {
    fc.assert(
      fc.property(any, (one) => {
        const there = edgeOf(one);
        const back = edgeOf({ ...one, market: one.news, news: one.market });
        expect(back.divergence).toBe(-there.divergence + 0);
        expect([back.type, back.score]).toEqual([MIRROR[there.type], there.score]);
      }),
    );
  });

  it("scores 0 only if FAIR, and always within 0 to 100", () => {
    fc.assert(
      fc.property(any, (one) => {
        const { type, score, actionability } = edgeOf(one);
        expect(type === "FAIR").toBe(score === 0);
        expect(actionability === "NONE").toBe(score === 0);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100);
      }),
    );
  });

  it("scores no higher for a wider spread, and no lower for more money or publishers", () => {
    fc.assert(
      fc.property(any, any, (one, other) => {
        const [narrow, wide] = [one.halfSpread, other.halfSpread].sort((a, b) => a - b) as [number, number];
        expect(edgeOf({ ...one, halfSpread: wide }).score).toBeLessThanOrEqual(
          edgeOf({ ...one, halfSpread: narrow }).score,
        );
        const dollars = Math.max(one.dollars, other.dollars);
        expect(edgeOf({ ...one, dollars }).score).toBeGreaterThanOrEqual(edgeOf(one).score);
        const publishers = Math.max(one.publishers, other.publishers);
        expect(edgeOf({ ...one, publishers }).score).toBeGreaterThanOrEqual(edgeOf(one).score);
      }),
    );
  });

  it("increases with the news and decreases with the market, signed by its type", () => {
    const signed = (one: Sides) => {
      const { type, score } = edgeOf(one);
      return type === "OVERPRICED" ? -score : score;
    };
    fc.assert(
      fc.property(any, percent, (one, other) => {
        const [low, high] = [one.news, other].sort((a, b) => a - b) as [number, number];
        expect(signed({ ...one, news: high })).toBeGreaterThanOrEqual(signed({ ...one, news: low }));
        expect(signed({ ...one, market: high })).toBeLessThanOrEqual(signed({ ...one, market: low }));
      }),
    );
  });
});
