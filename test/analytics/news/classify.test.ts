import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classify, unpackModel } from "../../../src/analytics/news/classify.ts";
import { TINY } from "./tiny-model.ts";

describe("the classifier", () => {
  it("gives the odds of the weights of known terms, each over the root of their number", () => {
    // rises and profit: (8 + 4) x .5 / sqrt 2 for positive, (-4 - 2) x .5 / sqrt 2 for negative
    const [up, down] = [Math.exp(6 / Math.SQRT2), Math.exp(-3 / Math.SQRT2)];
    const { positive, neutral, negative, known } = classify(TINY, ["rises", "profit", "unheard"]);
    expect(known).toBe(2);
    expect(positive).toBeCloseTo(up / (up + 1 + down), 12);
    expect(neutral).toBeCloseTo(1 / (up + 1 + down), 12);
    expect(negative).toBeCloseTo(down / (up + 1 + down), 12);
  });

  it("falls back to its bias where it knows no term", () => {
    const leaning = unpackModel({ step: 1, bias: [Math.log(2), 0], terms: "" });
    expect(classify(leaning, ["anything"])).toEqual({
      known: 0,
      positive: expect.closeTo(0.5, 12),
      neutral: expect.closeTo(0.25, 12),
      negative: expect.closeTo(0.25, 12),
    });
  });

  it("gives odds that add up to 1, in whatever order terms come", () => {
    const terms = fc.uniqueArray(fc.constantFrom(...TINY.places.keys(), "unheard", "of"));
    fc.assert(
      fc.property(terms, (given) => {
        const odds = classify(TINY, given);
        expect(odds.positive + odds.neutral + odds.negative).toBeCloseTo(1, 12);
        expect(classify(TINY, given.toReversed())).toEqual(odds);
      }),
    );
  });
});
