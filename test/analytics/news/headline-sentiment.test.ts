import { describe, expect, it } from "vitest";
import { unpackModel } from "../../../src/analytics/news/classify.ts";
import { headlineSentiment } from "../../../src/analytics/news/headline-sentiment.ts";
import { lexiconScore } from "../../../src/analytics/news/lexicon.ts";
import { tokensOf } from "../../../src/analytics/news/tokens.ts";
import { TINY } from "./tiny-model.ts";

const subjects = { own: ["Acme"], others: [] };
const say = (title: string, model = TINY) => headlineSentiment(title, subjects, model);

describe("headline classification", () => {
  it("returns the most likely class, with P(positive) - P(negative) as its score", () => {
    // @own, rises, ~rises, profit: (0 + 8 + 2 + 4) x .5 / 2 = 3.5 and (-4 - 2) x .5 / 2 = -1.5
    const sum = Math.exp(3.5) + 1 + Math.exp(-1.5);
    expect(say("Acme rises, profit")).toEqual({
      label: "positive",
      score: expect.closeTo((Math.exp(3.5) - Math.exp(-1.5)) / sum, 12),
      abstained: null,
      lexicon: 1,
    });
  });

  it("abstains if the model knows too few words", () => {
    expect(say("Rises")).toMatchObject({
      label: null,
      score: null,
      abstained: "The model knows too few words of the headline",
    });
  });

  it("abstains if two classes are nearly equally likely, with a wider margin if the word list disagrees", () => {
    // Odds of e^bias against 1 for neutral: the lead of positive is tanh(bias / 2).
    const leaning = (lead: number) =>
      unpackModel({
        step: 1,
        bias: [2 * Math.atanh(lead), -99],
        terms: "@own 0 0|meeting 0 0|rally 0 0|to 0 0",
      });
    expect(say("Acme to rally", leaning(0.16)).label).toBe("positive");
    expect(say("Acme to rally", leaning(0.14))).toMatchObject({
      label: null,
      score: null,
      abstained: "positive and neutral are almost equally likely (0.14 apart)",
    });
    expect(say("Acme to meeting", leaning(0.41)).label).toBe("positive");
    expect(say("Acme to meeting", leaning(0.39))).toMatchObject({
      label: null,
      abstained:
        "positive and neutral are almost equally likely (0.39 apart, and the word list does not agree)",
    });
    expect(say("Acme to meeting", leaning(-0.16)).label).toBe("neutral");
    expect(say("Acme to rally", leaning(-0.16)).label).toBeNull();
  });

  it("abstains if the word list says the opposite, but not if it has no words or is balanced", () => {
    const rosy = unpackModel({
      step: 1,
      bias: [3, -3],
      terms: "@own 0 0|fraud 0 0|meeting 0 0|rally 0 0|to 0 0",
    });
    expect(say("Acme to fraud", rosy)).toMatchObject({
      label: null,
      lexicon: -1,
      abstained: "The model says positive, but the word list says the opposite",
    });
    expect(say("Acme to meeting", rosy)).toMatchObject({ label: "positive", lexicon: null });
    expect(say("Acme to rally, fraud", rosy)).toMatchObject({ label: "positive", lexicon: 0 });
  });

  it("does not depend on which company is the subject", () => {
    const other = headlineSentiment("Zenith rises, profit", { own: ["Zenith"], others: [] }, TINY);
    expect(other).toEqual(say("Acme rises, profit"));
  });
});

const score = (title: string) => lexiconScore(tokensOf(title, { own: [], others: [] }));

describe("the word list", () => {
  it.each([
    ["Shares rally on record profit", 1],
    ["Shares plunge after fraud probe", -1],
    // `gain` is positive, `warning` and `weak` are negative: (1 - 2) / 3.
    ["Shares gain despite warning of weak orders", -1 / 3],
    ["Company to hold a meeting", null],
    ["", null],
  ])("reads %j as %s", (title, expected) => {
    expect(score(title)).toBe(expected);
  });

  it("negates a word up to three words after a negator", () => {
    expect(score("Orders not strong")).toBe(-1);
    expect(score("No sign of a rally")).toBe(1);
    expect(score("No sign of rally")).toBe(-1);
  });

  it("treats a decrease of a burden as positive and an increase as negative", () => {
    expect(score("Costs fall")).toBe(1);
    expect(score("Debt rises")).toBe(-1);
    // The loss itself is still negative: (1 - 1) / 2.
    expect(score("Quarterly loss narrows")).toBe(0);
    expect(score("Quarterly loss widens")).toBe(-1);
  });
});
