import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Model,
  modelLogOdds,
  probabilitiesOf,
  unpackModel,
} from "../../../src/analytics/news/classify.ts";
import { mentionsOf, subjectOf } from "../../../src/analytics/news/subject.ts";
import { TINY } from "./tiny-model.ts";

describe("the subject of a headline", () => {
  it.each([
    ["Apple Inc.", "AAPL", { name: "Apple", ticker: "AAPL" }],
    ["Berkshire Hathaway Class B", "BRK.B", { name: "Berkshire Hathaway", ticker: "BRK.B" }],
    ["Visa", "V", { name: "Visa", ticker: "V" }],
    ["Bitcoin", "BTC-USD", { name: "Bitcoin", ticker: "BTC" }],
    ["Grayscale Bitcoin Mini Trust", "BTC.US", { name: "Grayscale Bitcoin Mini Trust", ticker: "BTC" }],
    ["Group", "GRP", { name: "Group", ticker: "GRP" }],
  ])("%s (%s) is called %j", (name, symbol, expected) => {
    expect(subjectOf({ name, symbol })).toMatchObject(expected);
  });

  const target = subjectOf({ name: "Target", symbol: "TGT" });
  it.each([
    ["Target raises its dividend", ["Target"]],
    ["TARGET'S dividend", ["TARGET"]],
    ["Analysts raise price target", []],
    ["TGT: what to watch in TGT options", ["TGT"]],
    ["tgt or TGTX or TGT.A", []],
    ["Buying $TGT now", ["$TGT"]],
  ])("is named in %j by %j", (title, expected) => {
    expect(mentionsOf(title, target)).toEqual(expected);
  });

  it("matches a ticker of one or two letters only if marked as a ticker", () => {
    const ford = subjectOf({ name: "Ford", symbol: "F" });
    expect(mentionsOf("Grade F for the F series", ford)).toEqual([]);
    expect(mentionsOf("Automakers (NYSE:F) slip", ford)).toEqual(["F"]);
    expect(mentionsOf("Automakers (F) slip", ford)).toEqual(["F"]);
  });
});

/** Class probabilities by the model alone, with the number of known terms. */
const classify = (model: Model, terms: readonly string[]) => {
  const { known, ...odds } = modelLogOdds(model, terms);
  return { known, ...probabilitiesOf(odds) };
};

describe("the headline classifier", () => {
  it("converts the summed weights of known terms, divided by the root of their count, to probabilities", () => {
    // `rises` and `profit`: (8 + 4) x .5 / sqrt 2 for positive, (-4 - 2) x .5 / sqrt 2 for negative.
    const [up, down] = [Math.exp(6 / Math.SQRT2), Math.exp(-3 / Math.SQRT2)];
    const { positive, neutral, negative, known } = classify(TINY, ["rises", "profit", "unheard"]);
    expect(known).toBe(2);
    expect(positive).toBeCloseTo(up / (up + 1 + down), 12);
    expect(neutral).toBeCloseTo(1 / (up + 1 + down), 12);
    expect(negative).toBeCloseTo(down / (up + 1 + down), 12);
  });

  it("returns its bias without a known term", () => {
    const leaning = unpackModel({ step: 1, bias: [Math.log(2), 0], terms: "" });
    expect(classify(leaning, ["anything"])).toEqual({
      known: 0,
      positive: expect.closeTo(0.5, 12),
      neutral: expect.closeTo(0.25, 12),
      negative: expect.closeTo(0.25, 12),
    });
  });

  it("returns probabilities that sum to 1, in any order of terms", () => {
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
