import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { brierScores } from "../../../src/analytics/edge/brier.ts";

describe("Brier scores", () => {
  it("are the mean squared errors of both sides, price and climate", () => {
    const scores = brierScores([
      { market: 0.7, news: 0.6, neutral: 0.5, happened: true },
      { market: 0.2, news: 0.4, neutral: 0.5, happened: false },
      { market: 0.5, news: 0.9, neutral: 0.5, happened: false },
      { market: 0.1, news: 0.3, neutral: 0.5, happened: false },
    ])!;
    // market (.09 + .04 + .25 + .01) / 4, news (.16 + .16 + .81 + .09) / 4, climate .25 x .75
    expect(scores.market).toBeCloseTo(0.0975, 12);
    expect(scores.news).toBeCloseTo(0.305, 12);
    expect(scores).toMatchObject({ neutral: 0.25, climate: 0.1875, base: 0.25, resolved: 4 });
  });

  it("are none of nothing", () => {
    expect(brierScores([])).toBeNull();
  });

  it("of the climate are those of forecasting the base rate", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1 }), (outcomes) => {
        const base = outcomes.filter(Boolean).length / outcomes.length;
        const resolved = outcomes.map((happened) => ({ market: base, news: 0.5, neutral: 1, happened }));
        const { market, news, climate } = brierScores(resolved)!;
        expect(market).toBeCloseTo(climate, 12);
        expect(news).toBeCloseTo(0.25, 12);
      }),
    );
  });
});
