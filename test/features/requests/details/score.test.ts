import { describe, expect, it } from "vitest";
import { rewardIn, scoreIn } from "../../../../src/features/requests/details/score.ts";

const LEAST = (least: number) => ({ least, isLow: false, unserved: [] });
const TOLD = (unserved: string, isLow = false) => ({ least: null, isLow, unserved: [unserved] });

describe("a score in a question", () => {
  it.each([
    ["stocks with a score over 80", LEAST(80)],
    ["stocks scoring at least 72.5", LEAST(72.5)],
    ["coins with a score of 70 or more", LEAST(70)],
    ["stocks with a minimum score of 60", LEAST(60)],
    ["80+ score stocks", LEAST(80)],
    ["score >= 75", LEAST(75)],
    ["a score not under 60", LEAST(60)],
    ["stocks with a score under 30", TOLD("a maximum score", true)],
    ["stocks scoring below 40", TOLD("a maximum score", true)],
    ["score of 40 or lower", TOLD("a maximum score", true)],
    ["score no higher than 50", TOLD("a maximum score", true)],
    ["score < 30", TOLD("a maximum score", true)],
    ["cryptos with score between 60 and 70", TOLD("a score range")],
    ["scores from 60 to 70", TOLD("a score range")],
    ["stocks scoring over 60 and under 70", { ...TOLD("a maximum score"), least: 60 }],
    ["stocks scoring under 70 but over 60", { ...TOLD("a maximum score"), least: 60 }],
    ["stocks with a score of 70", TOLD("an exact score")],
    ["score above 120", TOLD("a score above 100")],
    ["score above 150 stocks", TOLD("a score above 100")],
    ["score above 1000", TOLD("a score above 100")],
    ["min score 70 coins", LEAST(70)],
    ["score over 80.5 stocks", LEAST(80.5)],
    ["stocks with a decent score", TOLD("a score without a number")],
  ])("is a minimum, or unserved: %s", (query, asked) => {
    expect(scoreIn(query)).toEqual(asked);
  });

  it.each([
    "best stocks",
    "stocks with the highest scores",
    "top 5 by score",
    "highest scoring 5 stocks",
    "highest scoring 10 stocks",
    "top rated 25 coins",
  ])("is null: %s", (query) => {
    expect(scoreIn(query)).toEqual({ least: null, isLow: false, unserved: [] });
  });
});

describe("reward-to-risk", () => {
  it.each([
    ["stocks by reward to risk", true, []],
    ["best 3 risk reward stocks", true, []],
    ["stocks with reward to risk above 3", true, ["a reward-to-risk number"]],
    ["bullish crypto with rr over 2", true, ["a reward-to-risk number"]],
    ["3 to 1 reward risk setups", true, ["a reward-to-risk number"]],
    ["worst risk/reward stocks", true, ["the lowest reward-to-risk"]],
    ["best stocks", false, []],
  ])("sorts a list; a figure is unserved: %s", (query, isAsked, unserved) => {
    expect(rewardIn(query)).toEqual({ isAsked, unserved });
  });
});
