import { describe, expect, it } from "vitest";
import { catalogue } from "../../../src/app/catalogue.ts";
import { QuestionIntent } from "../../../src/domain/requests/interpretation.ts";
import { callsOf, maxOtherCalls, signalCalls } from "../../../src/features/requests/skill-calls.ts";
import type { Tool } from "../../../src/kernel/tool.ts";
import { parsedQuestion } from "./parsed-question.ts";

const callsFor = (
  intent: QuestionIntent,
  query: string,
  symbols: readonly string[] = [],
  more: { isDefined?: boolean; unresolved?: readonly string[] } = {},
) => callsOf(parsedQuestion(intent, query, { symbols, ...more }));
const skillsFor = (...given: Parameters<typeof callsFor>) =>
  callsFor(...given).map(({ skill, symbol }) => (symbol === null ? skill : `${skill} ${symbol}`));

describe("the calls of a question", () => {
  it.each<[QuestionIntent, string, readonly string[], readonly string[]]>([
    ["news", "news", ["AAPL", "TSLA"], ["get_news AAPL", "get_news TSLA"]],
    ["news", "how greedy is the market", [], ["get_signal_index"]],
    ["earnings", "earnings", ["AAPL"], ["get_earnings AAPL"]],
    ["earnings", "who reports", [], ["get_calendar"]],
    ["flow", "options", ["NVDA"], ["get_options_flow NVDA"]],
    ["flow", "options", [], ["get_market_tide"]],
    ["flow", "dark pool", [], ["get_darkpool_prints"]],
    ["flow", "congress", [], ["get_congress_signal"]],
    ["flow", "signal on Apple, and what is Congress buying?", ["AAPL"], ["get_congress_signal"]],
    ["flow", "what is Congress buying of Apple?", ["AAPL"], ["get_congress_signal AAPL"]],
    [
      "flow",
      "flow",
      ["NVDA"],
      ["get_options_flow NVDA", "get_darkpool_prints NVDA", "get_congress_signal NVDA"],
    ],
    ["scan", "best setups", [], ["screen_universe"]],
    ["scan", "rank them", ["AAPL"], []],
    ["unknown", "odds of a Fed rate cut", [], ["get_prediction_markets"]],
    ["signal", "odds on bitcoin", ["BTC-USD"], ["get_prediction_markets BTC-USD"]],
    ["signal", "signal", ["AAPL"], []],
    ["compare", "compare", ["AAPL", "MSFT"], []],
    ["portfolio", "portfolio", ["AAPL"], []],
    ["greeting", "hello", [], []],
    ["unknown", "how is the market", [], ["get_signal_index"]],
  ])("%s, %s", (intent, query, symbols, skills) => {
    expect(skillsFor(intent, query, symbols)).toEqual(skills);
  });

  it.each<[QuestionIntent, string]>([
    ["flow", "dark pool prints in Zorbex"],
    ["flow", "did Congress buy Zorbex"],
    ["flow", "options flow of Zorbex"],
    ["earnings", "when does Zorbex report"],
    ["news", "mood about Zorbex"],
    ["signal", "market sentiment and Zorbex"],
    ["scan", "rank Zorbex and Blorb"],
  ])("calls nothing about the whole market for an unknown name: %s, %s", (intent, query) => {
    const unresolved = ["Zorbex"];
    expect(skillsFor(intent, query, [], { unresolved })).toEqual([]);
    expect(skillsFor(intent, query, ["AAPL"], { unresolved })).toEqual(skillsFor(intent, query, ["AAPL"]));
  });

  it.each<[QuestionIntent, string]>([
    ["news", "is the market open today?"],
    ["news", "when is the market open?"],
    ["unknown", "are markets closed on Thanksgiving?"],
    ["unknown", "will the stock market be open tomorrow?"],
    ["unknown", "NYSE holidays"],
  ])("calls the calendar for trading hours: %s, %s", (intent, query) => {
    expect(callsFor(intent, query)).toEqual([{ skill: "get_calendar", symbol: null, input: { limit: 1 } }]);
    expect(skillsFor(intent, query, ["AAPL"])).not.toContain("get_calendar");
  });

  it("calls the screener for a list that suits a mood, and the index for the mood itself", () => {
    expect(skillsFor("scan", "best stocks for a risk-off market")).toEqual([]);
    expect(skillsFor("scan", "are traders fearful")).toEqual(["screen_universe"]);
    expect(skillsFor("scan", "how fearful is the market")).toEqual(["get_signal_index"]);
  });

  it("passes the wanted direction of a list", () => {
    expect(callsFor("scan", "stocks to buy by reward to risk")[0]!.list).toEqual({
      shown: 5,
      wants: "LONG",
    });
    expect(callsFor("scan", "long stocks")[0]!.list).toEqual({ shown: 5 });
  });

  it("requests as many more lines of a list as it excludes", () => {
    const calls = callsOf(parsedQuestion("scan", "best stocks", { excluded: ["NVDA", "AMD"] }));
    expect(calls).toMatchObject([{ input: { limit: 7 }, list: { shown: 5, without: ["NVDA", "AMD"] } }]);
  });

  it("calls nothing for a term of the glossary", () => {
    const isDefined = true;
    expect(skillsFor("definition", "what are the odds in a prediction market", [], { isDefined })).toEqual(
      [],
    );
    expect(skillsFor("definition", "what are the odds of rain")).toEqual(["get_prediction_markets"]);
  });

  it("requests a whole ladder if a level is named", () => {
    const limit = (query: string) => callsFor("signal", query, ["AAPL"])[0]?.input.limit;
    expect([limit("odds on AAPL"), limit("odds of AAPL above 300")]).toEqual([5, 100]);
    expect(skillsFor("signal", "will bitcoin hit 150k?", ["BTC-USD"])).toEqual([
      "get_prediction_markets BTC-USD",
    ]);
    expect(skillsFor("unknown", "will the fed cut rates?")).toEqual(["get_prediction_markets"]);
  });

  it("calls existing read-only tools with valid input", () => {
    const tools = new Map(Object.values<Tool>(catalogue).map((tool) => [tool.name, tool]));
    const queries = [
      "flow",
      "odds of a Fed rate cut",
      "odds",
      "short tech stocks in stage 2 by reward",
      "how greedy is the market",
    ];
    for (const intent of QuestionIntent.options)
      for (const query of queries)
        for (const symbols of [[], ["AAPL"]])
          for (const { skill, input } of [
            ...callsFor(intent, query, symbols),
            ...signalCalls(parsedQuestion(intent, query, { symbols, timeframe: "4h" })),
          ]) {
            const tool = tools.get(skill)!;
            expect(tool.effect).toBe("read");
            expect(tool.input.safeParse(input).error, `${skill} ${JSON.stringify(input)}`).toBeUndefined();
          }
  });

  it("calls less besides the signals for more symbols", () => {
    expect([1, 3, 4, 10, 11, 20].map(maxOtherCalls)).toEqual([6, 6, 4, 4, 1, 1]);
  });
});
