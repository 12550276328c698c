import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PUBLISHED_BANDS, percentileOf } from "../../../src/analytics/edge/bands.ts";
import { type Edge, edgeOf, MOST_NEWS_SHARE } from "../../../src/analytics/edge/divergence.ts";
import { edgeBands } from "../../../src/features/prediction-markets/edge-answer.ts";
import { sampleMarketId } from "../../../src/providers/sample/market.ts";
import { documentText } from "../../docs/documents.ts";
import { listed } from "../../providers/sample/fixture.ts";
import { draws } from "../../support/draws.ts";
import { bandsOf, edgeObserver, observationTimes, readEdgeObservations } from "./edge-observations.ts";

const isActed = ({ actionability }: Edge) => actionability === "MEDIUM" || actionability === "HIGH";
const observations = readEdgeObservations();

describe("the published bands", () => {
  it("are those of their observations: `npm run bench -- edge-bands --write` computes both", () => {
    expect(bandsOf(observations, PUBLISHED_BANDS.published)).toEqual(PUBLISHED_BANDS);
    expect(PUBLISHED_BANDS.observations).toBe(observations.length);
    expect(PUBLISHED_BANDS.observations).toBeGreaterThan(9_000);
  });

  it("come from observations that the simulated market repeats today", async () => {
    const observe = edgeObserver();
    const stored = new Map(observations.map((one) => [`${one.symbol} ${one.at}`, one]));
    await fc.assert(
      fc.asyncProperty(fc.nat(observations.length - 1), async (i) => {
        const { symbol, at } = observations[i]!;
        expect(await observe(listed(symbol), at)).toEqual(observations[i]);
      }),
      { numRuns: draws(60) },
    );
    // all times of a symbol, with and without a verdict
    for (const at of observationTimes("BTC-USD").slice(0, 40))
      expect(await observe(listed("BTC-USD"), at)).toEqual(stored.get(`BTC-USD ${at}`) ?? null);
  });

  it("let MEDIUM and HIGH occur, HIGH less often", () => {
    const { shares } = PUBLISHED_BANDS;
    expect(shares.MEDIUM).toBeGreaterThan(10);
    expect(shares.HIGH).toBeGreaterThan(2);
    expect(shares.HIGH).toBeLessThan(shares.MEDIUM);
  });

  it("are in the docs with their source", () => {
    const { medium, high, observations: count, market, shares, published } = PUBLISHED_BANDS;
    expect(documentText("docs/signals.md")).toContain(
      `MEDIUM from ${medium} and HIGH from ${high} points: the 75th and 95th percentile of ${count.toLocaleString("en-US")} divergences of the simulated market (\`${market}\`, 2022-01-01 to 2026-11-01, published ${published}), of which ${shares.MEDIUM}% are MEDIUM and ${shares.HIGH}% HIGH`,
    );
  });

  it("are reached by price and volatility more than by news, as the docs say", () => {
    const acted = observations.map((sides) => edgeOf(sides)).filter(isActed);
    const byNews = acted.filter(({ fromNews, divergence }) => fromNews / divergence >= MOST_NEWS_SHARE);
    const share = ((100 * byNews.length) / acted.length).toFixed(0);
    expect(documentText("docs/signals.md")).toContain(
      `news explains most of it in ${share}% of those that are MEDIUM or HIGH`,
    );
  });

  it("are answered with the reason in a market that was not measured", () => {
    expect(edgeBands(sampleMarketId())).toMatchObject({
      basis: "published",
      medium: PUBLISHED_BANDS.medium,
      reason: null,
    });
    for (const market of ["live", "files", sampleMarketId("other")])
      expect(edgeBands(market).reason).toMatch(/no divergences of its own/);
  });
});

it("interpolates percentiles", () => {
  expect(percentileOf([4, 1, 3, 2, 5], 75)).toBe(4);
  expect(percentileOf([1, 2], 75)).toBe(1.75);
  expect(percentileOf([7], 95)).toBe(7);
});
