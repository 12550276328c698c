import { describe, expect, it } from "vitest";
import { unpackModel } from "../../../src/analytics/news/classify.ts";
import { headlineOdds, headlineSentiment } from "../../../src/analytics/news/headline-sentiment.ts";
import { lexiconEvidence, scoreOf } from "../../../src/analytics/news/lexicon.ts";
import type { EvidenceCounts } from "../../../src/analytics/news/pool.ts";
import { tokensOf } from "../../../src/analytics/news/tokens.ts";
import { TINY } from "./tiny-model.ts";

const subjects = { own: ["Acme"], others: [] };
/** Class counts that make the word list say 4 to 1 for positive, against 1 to 2 for negative, and mirrored. */
const COUNTS: EvidenceCounts = {
  none: [0, 0, 0],
  "-2": [0, 0, 0],
  "-1": [0, 1, 7],
  "0": [0, 0, 0],
  "1": [7, 1, 0],
  "2": [0, 0, 0],
};
/** Class counts from which the word list knows nothing. */
const NO_COUNTS: EvidenceCounts = { ...COUNTS, "-1": [0, 0, 0], "1": [0, 0, 0] };
const say = (title: string, model = TINY, counts = COUNTS) =>
  headlineSentiment(title, subjects, model, counts);

describe("headline classification", () => {
  it("returns the most likely class, with P(positive) - P(negative) as its score", () => {
    // The model knows 4 of 11 terms. @own, rises, ~rises, profit: (0 + 8 + 2 + 4) x .5 / 2 = 3.5 and (-4 - 2) x .5 / 2 = -1.5.
    // The word list finds one good word: ln 4 and ln .5.
    const up = (4 / 11) * 3.5 + (7 / 11) * Math.log(4);
    const down = (4 / 11) * -1.5 + (7 / 11) * Math.log(0.5);
    const sum = Math.exp(up) + 1 + Math.exp(down);
    expect(say("Acme rises, profit")).toEqual({
      label: "positive",
      score: expect.closeTo((Math.exp(up) - Math.exp(down)) / sum, 12),
      abstained: null,
      lexicon: 1,
    });
  });

  it.each([
    // odds of 4 : 1 : .5, so 3.5 / 5.5
    ["Rally", "positive", 7 / 11, 1],
    ["Fraud", "negative", -7 / 11, -1],
  ] as const)(
    "follows the word list if the model knows too few words: %s",
    (title, label, score, lexicon) => {
      expect(say(title)).toEqual({ label, score: expect.closeTo(score, 12), abstained: null, lexicon });
    },
  );

  it("follows the word list of the shipped counts if the model knows none of the words", () => {
    const empty = unpackModel({ step: 1, bias: [-5, 5], terms: "" });
    expect(headlineSentiment("Quarterly profit rose", subjects, empty)).toMatchObject({ label: "positive" });
    expect(headlineSentiment("Quarterly profit fell", subjects, empty)).toMatchObject({ label: "negative" });
    expect(headlineSentiment("Quarterly loss narrowed", subjects, empty)).toMatchObject({
      label: "positive",
    });
  });

  it("abstains if neither the model nor the word list knows the words", () => {
    expect(say("Meeting")).toEqual({
      label: null,
      score: null,
      abstained: "The model knows too few words of the headline",
      lexicon: null,
    });
  });

  it("does not count the word list if the headline names another company", () => {
    const named = { own: ["Acme"], others: ["Zenith"] };
    // @own, rises, ~rises: (8 + 2) x .5 / sqrt(3) and -4 x .5 / sqrt(3)
    const [up, down] = [Math.exp(5 / Math.sqrt(3)), Math.exp(-2 / Math.sqrt(3))];
    const { odds, weight } = headlineOdds("Acme rises, Zenith", named, TINY, COUNTS);
    expect(weight).toBe(1);
    expect(odds.positive).toBeCloseTo(up / (up + 1 + down), 12);
  });

  it("abstains if two classes are nearly equally likely, with a wider margin if the word list disagrees", () => {
    // The model knows 3 of 9 terms, so its weight is 1/3. Odds of e^(bias / 3) against 1 for neutral: the lead of
    // positive is tanh(bias / 6).
    const leaning = (lead: number) =>
      unpackModel({
        step: 1,
        bias: [6 * Math.atanh(lead), -99],
        terms: "@own 0 0|chat 0 0|rally 0 0|to 0 0",
      });
    const lean = (title: string, lead: number) => say(title, leaning(lead), NO_COUNTS);
    expect(lean("Acme to rally", 0.16).label).toBe("positive");
    expect(lean("Acme to rally", 0.14)).toMatchObject({
      label: null,
      score: null,
      abstained: "positive and neutral are almost equally likely (0.14 apart)",
    });
    expect(lean("Acme to chat", 0.41).label).toBe("positive");
    expect(lean("Acme to chat", 0.39)).toMatchObject({
      label: null,
      abstained:
        "positive and neutral are almost equally likely (0.39 apart, and the word list does not agree)",
    });
    expect(lean("Acme to chat", -0.16).label).toBe("neutral");
    expect(lean("Acme to rally", -0.16).label).toBeNull();
  });

  it("takes the wider margin if a model with enough weight disagrees with the word list", () => {
    // The model says neutral by e^.6. The word list makes ln 4 of it: 2/3 x ln 4 - .2 = .724, a lead of tanh(.362).
    const neutral = unpackModel({ step: 1, bias: [-0.6, -99], terms: "@own 0 0|rally 0 0|to 0 0" });
    expect(say("Acme to rally", neutral)).toMatchObject({
      label: null,
      abstained: "positive and neutral are almost equally likely (0.35 apart, and the model does not agree)",
    });
  });

  it("abstains if the word list says the opposite, but not if it has no words or is balanced", () => {
    const rosy = unpackModel({
      step: 1,
      bias: [9, -9],
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
    const other = headlineSentiment("Zenith rises, profit", { own: ["Zenith"], others: [] }, TINY, COUNTS);
    expect(other).toEqual(say("Acme rises, profit"));
  });
});

const score = (title: string) => scoreOf(lexiconEvidence(tokensOf(title, { own: [], others: [] })));

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
    // The loss itself is not counted if it narrows.
    expect(score("Quarterly loss narrows")).toBe(1);
    expect(score("Quarterly loss widens")).toBe(-1);
  });

  it.each([
    ["Profit falls as costs rise", -1],
    ["Profit rises although costs fall", 1],
    ["Margin narrowed", -1],
    ["Lower costs, higher sales", 1],
    ["The holding of the fund in the company exceeded a tenth", null],
    ["The number of employees rose", null],
    ["Sales increased", 1],
    ["Order intake decreased", -1],
    ["Temperatures increased", null],
  ] as const)("judges an increase or a decrease by its subject: %j is %s", (title, expected) => {
    expect(score(title)).toBe(expected);
  });

  it.each([
    ["The unit swung to a profit", 1],
    ["The unit turned to a loss", -1],
    ["The plant will lay off workers", -1],
    ["Up to 24 tonnes", null],
    ["The result was not better than expected", -1],
  ] as const)("reads phrases before words: %j is %s", (title, expected) => {
    expect(score(title)).toBe(expected);
  });

  it("counts a comparison of amounts as one statement and the amount of a loss in it as none", () => {
    const evidence = (title: string, comparison: number) =>
      lexiconEvidence(tokensOf(title, { own: [], others: [] }), comparison);
    expect(evidence("Profit was 2 mn, compared with a loss of 1 mn", 1)).toEqual({ good: 1, bad: 0 });
    expect(evidence("Profit was 2 mn, compared with a loss of 1 mn", 0)).toEqual({ good: 0, bad: 1 });
    expect(evidence("Profit was 2 mn, down from 3 mn", -1)).toEqual({ good: 0, bad: 2 });
  });
});
