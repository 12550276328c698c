import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { brierScores } from "../../../src/analytics/edge/brier.ts";
import { outcomeOf } from "../../../src/analytics/edge/outcome.ts";
import { climbingBars } from "../../support/market.ts";

const DAY = 86_400_000;
const END = Date.UTC(2026, 0, 31);
/** Ten days ending on 31 January: closes 100 to 109, highs half a dollar above. */
const bars = climbingBars({ count: 10, step: 1, zone: "UTC", end: END });
const from = END - 9 * DAY;
const by = END + DAY;

describe("the outcome of a question", () => {
  it("is true if the last close before its end is above the level", () => {
    expect(outcomeOf({ kind: "at", level: 108.5, by }, from, bars)).toBe(true);
    expect(outcomeOf({ kind: "at", level: 109, by }, from, bars)).toBe(false);
    expect(outcomeOf({ kind: "at", level: 108.5, by: by - DAY }, from, bars)).toBe(false);
  });

  it("is true if a high between start and end reached the level", () => {
    expect(outcomeOf({ kind: "touch", level: 109.5, by }, from, bars)).toBe(true);
    expect(outcomeOf({ kind: "touch", level: 109.75, by }, from, bars)).toBe(false);
    expect(outcomeOf({ kind: "touch", level: 109.5, by: by - DAY }, from, bars)).toBe(false);
    // A level reached before the start does not count.
    const falling = climbingBars({ count: 10, step: -1, first: 109, zone: "UTC", end: END });
    expect(outcomeOf({ kind: "touch", level: 109.5, by }, from, falling)).toBe(true);
    expect(outcomeOf({ kind: "touch", level: 109.5, by }, from + DAY, falling)).toBe(false);
  });

  it("is null if bars do not cover its start and end", () => {
    expect(outcomeOf({ kind: "at", level: 100, by: by + DAY }, from, bars)).toBeNull();
    expect(outcomeOf({ kind: "touch", level: 100, by }, from - DAY, bars)).toBeNull();
    expect(outcomeOf({ kind: "at", level: 100, by: from }, from, bars)).toBeNull();
  });
});

describe("Brier scores", () => {
  it("are the mean squared errors of market, news, price model and base rate", () => {
    const scores = brierScores([
      { market: 0.7, news: 0.6, neutral: 0.5, happened: true },
      { market: 0.2, news: 0.4, neutral: 0.5, happened: false },
      { market: 0.5, news: 0.9, neutral: 0.5, happened: false },
      { market: 0.1, news: 0.3, neutral: 0.5, happened: false },
    ])!;
    // Market (.09 + .04 + .25 + .01) / 4, news (.16 + .16 + .81 + .09) / 4, base rate .25 x .75.
    expect(scores.market).toBeCloseTo(0.0975, 12);
    expect(scores.news).toBeCloseTo(0.305, 12);
    expect(scores).toMatchObject({ neutral: 0.25, baseRateScore: 0.1875, base: 0.25, resolved: 4 });
  });

  it("are null without outcomes", () => {
    expect(brierScores([])).toBeNull();
  });

  it("of the base rate are those of always forecasting it", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1 }), (outcomes) => {
        const base = outcomes.filter(Boolean).length / outcomes.length;
        const resolved = outcomes.map((happened) => ({ market: base, news: 0.5, neutral: 1, happened }));
        const { market, news, baseRateScore } = brierScores(resolved)!;
        expect(market).toBeCloseTo(baseRateScore, 12);
        expect(news).toBeCloseTo(0.25, 12);
      }),
    );
  });
});
