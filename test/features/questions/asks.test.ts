import { describe, expect, it } from "vitest";
import { catalogue } from "../../../src/app/catalogue.ts";
import { Intent } from "../../../src/domain/questions/interpretation.ts";
import { topicsOf } from "../../../src/features/questions/asked/topics.ts";
import { asksOf, roomFor, signalAsks } from "../../../src/features/questions/asks.ts";
import type { Tool } from "../../../src/kernel/tool.ts";

const asked = (
  intent: Intent,
  query: string,
  symbols: readonly string[] = [],
  isDefined = false,
  unresolved: readonly string[] = [],
) => asksOf({ intent, isDefined, timeframe: null, symbols, unresolved, topics: topicsOf(query) });
const named = (...given: Parameters<typeof asked>) =>
  asked(...given).map(({ skill, symbol }) => (symbol === null ? skill : `${skill} ${symbol}`));

describe("what a question asks of which skill", () => {
  it.each<[Intent, string, readonly string[], readonly string[]]>([
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
    expect(named(intent, query, symbols)).toEqual(skills);
  });

  it.each<[Intent, string]>([
    ["flow", "dark pool prints in Zorbex"],
    ["flow", "did Congress buy Zorbex"],
    ["flow", "options flow of Zorbex"],
    ["earnings", "when does Zorbex report"],
    ["news", "mood about Zorbex"],
    ["signal", "market sentiment and Zorbex"],
    ["scan", "rank Zorbex and Blorb"],
  ])("asks nothing of the whole market about a name that nobody knows: %s, %s", (intent, query) => {
    expect(named(intent, query, [], false, ["Zorbex"])).toEqual([]);
    expect(named(intent, query, ["AAPL"], false, ["Zorbex"])).toEqual(named(intent, query, ["AAPL"]));
  });

  it.each<[Intent, string]>([
    ["news", "is the market open today?"],
    ["news", "when is the market open?"],
    ["unknown", "are markets closed on Thanksgiving?"],
    ["unknown", "will the stock market be open tomorrow?"],
    ["unknown", "NYSE holidays"],
  ])("asks the calendar when exchanges trade: %s, %s", (intent, query) => {
    expect(asked(intent, query)).toEqual([
      { skill: "get_calendar", symbol: null, input: { limit: 1 }, side: "hours" },
    ]);
    expect(named(intent, query, ["AAPL"])).not.toContain("get_calendar");
  });

  it("asks for a list of what suits a mood, and for the mood where no list is asked for", () => {
    expect(named("scan", "best stocks for a risk-off market")).toEqual(["screen_universe"]);
    expect(named("scan", "are traders fearful")).toEqual(["screen_universe"]);
    expect(named("scan", "how fearful is the market")).toEqual(["get_signal_index"]);
  });

  it("says of a list which direction is meant, and that reward-to-risk is to be told", () => {
    expect(asked("scan", "stocks to buy by reward to risk")[0]!.list).toEqual({
      shown: 5,
      wants: "LONG",
      rr: true,
    });
    expect(asked("scan", "long stocks")[0]!.list).toEqual({ shown: 5 });
  });

  it("asks for as many more lines of a list as it leaves aside", () => {
    const asks = asksOf({
      intent: "scan",
      isDefined: false,
      timeframe: null,
      symbols: [],
      unresolved: [],
      topics: topicsOf("best stocks"),
      excluded: ["NVDA", "AMD"],
    });
    expect(asks).toMatchObject([{ input: { limit: 7 }, list: { shown: 5, without: ["NVDA", "AMD"] } }]);
  });

  it("defines a term of the glossary and asks nobody else about it", () => {
    expect(named("definition", "what are the odds in a prediction market", [], true)).toEqual([]);
    expect(named("definition", "what are the odds of rain", [], false)).toEqual(["get_prediction_markets"]);
  });

  it("asks for a whole ladder where a level is named", () => {
    const limit = (query: string) => asked("signal", query, ["AAPL"])[0]?.input.limit;
    expect([limit("odds on AAPL"), limit("odds of AAPL above 300")]).toEqual([5, 100]);
    expect(named("signal", "will bitcoin hit 150k?", ["BTC-USD"])).toEqual([
      "get_prediction_markets BTC-USD",
    ]);
    expect(named("unknown", "will the fed cut rates?")).toEqual(["get_prediction_markets"]);
  });

  it("asks tools that exist, that only read, with input they take", () => {
    const tools = new Map(Object.values<Tool>(catalogue).map((tool) => [tool.name, tool]));
    const queries = [
      "flow",
      "odds of a Fed rate cut",
      "odds",
      "short tech stocks in stage 2 by reward",
      "how greedy is the market",
    ];
    for (const intent of Intent.options)
      for (const query of queries)
        for (const symbols of [[], ["AAPL"]])
          for (const { skill, input } of [
            ...asked(intent, query, symbols),
            ...signalAsks({
              intent,
              isDefined: false,
              timeframe: "4h",
              symbols,
              unresolved: [],
              topics: topicsOf(query),
            }),
          ]) {
            const tool = tools.get(skill)!;
            expect(tool.effect).toBe("read");
            expect(tool.input.safeParse(input).error, `${skill} ${JSON.stringify(input)}`).toBeUndefined();
          }
  });

  it("asks for less besides the signals the more symbols there are", () => {
    expect([1, 3, 4, 10, 11, 20].map(roomFor)).toEqual([6, 6, 4, 4, 1, 1]);
  });
});
