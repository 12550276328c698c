import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newsLean, newsProbability } from "../../../src/analytics/edge/news-lean.ts";
import { edgeStory } from "../../support/edge.ts";

const DAY = 86_400_000;
const AT = 100 * DAY;
const story = (days: number, score: number | null, over = {}) => edgeStory(AT - days * DAY, score, over);

describe("the lean of news", () => {
  it("is the weighted mean of scores, shrunk towards 0 by four neutral stories", () => {
    // Weights 1 and .5 x exp(-1) = .18394; (.8 - .4 x .18394) / (1.18394 + 4) = .726424 / 5.183940.
    const result = newsLean([story(3, -0.4, { relevance: 0.5 }), story(0, 0.8)], AT);
    expect(result.weight).toBeCloseTo(1.18394, 5);
    expect(result.lean).toBeCloseTo(0.14013, 5);
  });

  it("counts stories by label and their first publishers, merging spellings of a publisher", () => {
    const stories = [
      story(1, 0.9, { publisher: "MarketWatch" }),
      story(2, 0.8, { publisher: "marketwatch.com" }),
      story(3, -0.7, { publisher: "Newswire" }),
      story(4, null, { publisher: "Wire" }),
      story(5, 0, { publisher: null }),
      story(7.01, 0.9, { publisher: "Old" }),
    ];
    expect(newsLean(stories, AT)).toMatchObject({
      stories: 5,
      scored: 4,
      positive: 2,
      neutral: 1,
      negative: 1,
      publishers: 3,
      positivePublishers: 1,
      negativePublishers: 1,
      newest: AT - DAY,
    });
  });

  it("is null if no story was classified", () => {
    expect(newsLean([story(1, null)], AT)).toMatchObject({
      lean: null,
      stories: 1,
      scored: 0,
      publishers: 0,
    });
    expect(newsLean([], AT)).toMatchObject({ lean: null, stories: 0, newest: null });
  });

  it("does not depend on later stories", () => {
    const storyList = fc.array(
      fc.record({
        days: fc.double({ min: 0, max: 9, noNaN: true }),
        score: fc.double({ min: -1, max: 1, noNaN: true }),
      }),
    );
    const later = fc.array(fc.double({ min: 0.001, max: 9, noNaN: true }));
    fc.assert(
      fc.property(storyList, later, (before, after) => {
        const known = before.map(({ days, score }) => story(days, score));
        const more = after.map((days) => story(-days, 1));
        expect(newsLean([...known, ...more], AT)).toEqual(newsLean(known, AT));
      }),
    );
  });

  it("is closer to 0 with fewer stories", () => {
    const leans = [1, 2, 8].map(
      (count) =>
        newsLean(
          Array.from({ length: count }, () => story(0, 0.9)),
          AT,
        ).lean,
    );
    // .9 x n / (n + 4)
    expect(leans.map((lean) => Number(lean!.toFixed(9)))).toEqual([0.18, 0.3, 0.6]);
  });
});

describe("the probability from news", () => {
  it("shifts the log odds by the lean", () => {
    expect(newsProbability(0.5, 0)).toBe(0.5);
    expect(newsProbability(0.5, 1)).toBeCloseTo(0.7310585786, 9);
    // Odds of 1 to 4, doubled: 1 to 2.
    expect(newsProbability(0.2, Math.LN2)).toBeCloseTo(1 / 3, 12);
  });

  it("is the neutral level without a lean, increases with both, and is symmetric", () => {
    const share = fc.double({ min: 0.05, max: 0.95, noNaN: true });
    const lean = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, lean, lean, (a, b, s, t) => {
        expect(newsProbability(a, 0)).toBeCloseTo(a, 12);
        if (a < b) expect(newsProbability(a, s)).toBeLessThanOrEqual(newsProbability(b, s));
        if (s < t) expect(newsProbability(a, s)).toBeLessThanOrEqual(newsProbability(a, t));
        expect(newsProbability(a, s) + newsProbability(1 - a, -s)).toBeCloseTo(1, 12);
      }),
    );
  });
});
