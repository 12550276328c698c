import { describe, expect, it } from "vitest";
import type { QuestionIntent } from "../../../src/domain/requests/interpretation.ts";
import { priceOddsIn } from "../../../src/features/requests/details/price-odds.ts";
import { planOf } from "../../../src/features/requests/plan.ts";
import type { SkillCall } from "../../../src/features/requests/skill-calls.ts";
import { parsedQuestion, readQuestion, symbols } from "./parsed-question.ts";

const planned = (query: string, intent: QuestionIntent, symbols: readonly string[]) => {
  const request = { extra: [], isWanted: () => true };
  const { calls, unanswered } = planOf(parsedQuestion(intent, query, { symbols }), request);
  return { skills: calls.map(({ skill }) => skill), unanswered };
};

describe("the second half of a question", () => {
  it.each<[string, QuestionIntent, readonly string[], readonly string[]]>([
    ["stocks with the best odds", "scan", [], ["odds of prediction markets"]],
    ["news on Apple and the top 3 stocks", "news", ["AAPL"], ["a list of the market"]],
    ["price of Apple and best crypto", "signal", ["AAPL"], ["a list of the market"]],
    ["compare Apple and Tesla and news on Nvidia", "news", ["AAPL", "TSLA", "NVDA"], ["a comparison"]],
    ["compare Apple and Tesla", "compare", ["AAPL", "TSLA"], []],
    ["odds on Apple", "signal", ["AAPL"], []],
    ["AAPL, MSFT, NVDA: which are the best stocks", "compare", ["AAPL", "MSFT", "NVDA"], []],
    ["the best 3 stocks", "scan", [], []],
  ])("is listed as unanswered if no call answers it: %s", (query, intent, symbols, said) => {
    expect(planned(query, intent, symbols).unanswered).toEqual(said);
  });

  it("is called if a tool answers it", () => {
    expect(planned("is the market open and how is Apple", "signal", ["AAPL"]).skills).toEqual([
      "get_calendar",
    ]);
    expect(planned("odds of bitcoin over 150k and options flow of it", "flow", ["BTC-USD"]).skills).toEqual([
      "get_prediction_markets",
      "get_options_flow",
    ]);
    expect(planned("odds that Apple hits 300 and when does it report", "earnings", ["AAPL"])).toEqual({
      skills: ["get_earnings", "get_prediction_markets"],
      unanswered: [],
    });
    expect(planned("odds of bitcoin over 150k and news", "signal", ["BTC-USD"]).skills).toEqual([
      "get_prediction_markets",
      "get_news",
    ]);
  });

  it("includes odds of prices only if get_odds is called for them", () => {
    const query = "odds that AAPL, MSFT, NVDA and TSLA fall 5%";
    const { mentions } = readQuestion(query, symbols);
    const priceOdds = priceOddsIn(query, mentions);
    const named = mentions.map(({ instrument }) => instrument.symbol);
    const parsed = parsedQuestion("signal", query, { symbols: named, priceOdds });
    const unanswered = (extra: readonly SkillCall[]) =>
      planOf(parsed, { extra, isWanted: () => true }).unanswered;
    expect(unanswered([])).toEqual(["odds of prices"]);
    expect(unanswered([{ skill: "get_odds", symbol: "AAPL", input: { symbol: "AAPL" } }])).toEqual([]);
  });
});
