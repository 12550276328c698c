import { describe, expect, it } from "vitest";
import { asksWeakest, notInScore, rankingOf } from "../../../src/features/requests/ranking.ts";

const of = (symbol: string, score: number | null, direction: string | null) => ({ symbol, score, direction });
const SIGNALS = [of("A", 41.3, "SHORT"), of("B", 60, "LONG"), of("C", null, null), of("D", 59.9, "WAIT")];

const ranked = (options: Partial<Parameters<typeof rankingOf>[1]> = {}, signals = SIGNALS) =>
  rankingOf(signals, { weakest: false, outsideScore: [], ...options });

describe("a ranking of signals", () => {
  it("starts with the highest score, with the direction and distance of each", () => {
    expect(ranked()).toEqual({
      figures: {
        ranking: [
          { symbol: "B", score: 60, behind: 0 },
          { symbol: "D", score: 59.9, behind: 0.1 },
          { symbol: "A", score: 41.3, behind: 18.7 },
        ],
      },
      sentence:
        "B (LONG) has the highest (most bullish) score, 60, ahead of D (WAIT) by 0.1 and A (SHORT) by 18.7.",
    });
  });

  it("starts with the lowest score for the weakest", () => {
    const { figures, sentence } = ranked({ weakest: true })!;
    expect(figures.ranking.map(({ symbol, behind }) => [symbol, behind])).toEqual([
      ["A", 0],
      ["D", 18.6],
      ["B", 18.7],
    ]);
    expect(sentence).toBe(
      "A (SHORT) has the lowest (most bearish) score, 41.3, below D (WAIT) by 18.6 and B (LONG) by 18.7.",
    );
  });

  it("states what the score does not cover", () => {
    expect(ranked({ outsideScore: ["risk", "value"] })!.sentence).toMatch(
      /^The score does not cover risk and value\. B \(LONG\) /,
    );
  });

  it("is null for fewer than two scores", () => {
    expect(ranked({}, [of("A", 41.3, "SHORT"), of("B", null, null)])).toBeNull();
  });

  it.each([
    ["AAPL or MSFT, which should I short?", true],
    ["which to avoid, NVDA or AMD", true],
    ["worst of AAPL, MSFT and KO", true],
    ["AAPL or MSFT, which is the better buy?", false],
    ["should I buy or sell AAPL or MSFT", false],
    ["compare AAPL with MSFT", false],
  ])("starts with the weakest: %s %s", (query, weakest) => {
    expect(asksWeakest(query)).toBe(weakest);
  });

  it.each([
    ["which is safer, AAPL or KO?", ["risk"]],
    ["cheaper: AAPL or KO", ["value"]],
    ["is Apple bigger than Nvidia", ["size"]],
    ["which has the higher price, AAPL or KO?", ["the price"]],
    ["which fell more, Tesla or AMD", ["how a price has moved"]],
    ["which reports first, Apple or Tesla?", ["the date of a report"]],
    ["rank AAPL MSFT NVDA by volume", ["volume"]],
    ["which is more popular", ["popularity"]],
    ["which has more upside", ["remaining upside or downside"]],
    ["which is the better buy, AAPL or KO", []],
    ["which costs more, AAPL or KO?", ["the price"]],
    ["WMT or COST", []],
    ["which is older", ["age"]],
    ["which has better odds of rising", ["odds"]],
    ["AAPL vs KO", []],
  ])("finds what the score does not cover: %s", (query, labels) => {
    expect(notInScore(query)).toEqual(labels);
  });
});
