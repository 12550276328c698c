import { describe, expect, it } from "vitest";
import { catalogue } from "../../../src/app/catalogue.ts";
import type { QuestionIntent } from "../../../src/domain/questions/interpretation.ts";
import { priceOddsIn } from "../../../src/features/questions/details/price-odds.ts";
import { readQuery } from "../../../src/features/questions/language/read-query.ts";
import type { ParsedQuestion } from "../../../src/features/questions/skill-calls.ts";
import {
  otherTopicsIn,
  servedOf,
  TOPICS,
  unservedSentences,
} from "../../../src/features/questions/unserved.ts";
import type { Tool } from "../../../src/kernel/tool.ts";
import { parsedQuestion, symbols } from "./parsed-question.ts";

const tools = new Map(Object.values<Tool>(catalogue).map((tool) => [tool.name, tool]));
const topicsIn = (query: string, intent: QuestionIntent = "signal", symbols: readonly string[] = ["AAPL"]) =>
  otherTopicsIn(query, parsedQuestion(intent, query, { symbols }));
const labels = (...given: Parameters<typeof topicsIn>) => topicsIn(...given).map(({ label }) => label);

describe("topics that are not part of a signal", () => {
  it.each<[string, QuestionIntent, string | null]>([
    ["When is the next CPI report?", "earnings", "dates of economic reports"],
    ["when is the jobs report", "earnings", "dates of economic reports"],
    ["inflation report", "unknown", "dates of economic reports"],
    ["when is the next fed meeting", "signal", "dates of economic reports"],
    ["price of oil", "scan", "the price of a commodity"],
    ["10 year treasury yield", "signal", "the economy"],
    ["Will there be a recession in 2027?", "unknown", "the economy"],
    ["odds of a recession", "signal", null],
    ["is inflation falling", "unknown", "the economy"],
    ["is the Fed cutting rates", "unknown", "the economy"],
    ["is the market up today", "news", "how far the whole market has moved"],
    ["how did the market do today", "news", "how far the whole market has moved"],
    ["are markets closed tomorrow", "signal", "the trading hours of the requested day"],
    ["is it a holiday on Thursday", "unknown", "the trading hours of the requested day"],
    ["is the market open?", "signal", null],
    ["stocks with high dividends", "scan", null],
    ["how many shares did Congress buy", "flow", null],
  ])("are found without a symbol: %s", (query, intent, label) => {
    expect(labels(query, intent, [])).toEqual(label === null ? [] : [label]);
  });

  it("have tools that exist", () => {
    for (const { label, tool } of TOPICS) if (tool !== undefined) expect(tools.has(tool), label).toBe(true);
  });

  it.each([
    ["dividend yield of Coca-Cola", "dividends", null],
    ["which has the higher price, AAPL or MSFT?", "the price", "get_quote"],
    ["which fell more, Tesla or AMD", "how a price has moved", "get_history"],
    ["which is more popular, AAPL or TSLA", "popularity", null],
    ["which has more upside", "upside", "get_signal"],
    ["price target for Amazon next year", "a future price", "get_odds"],
    ["will Apple go up?", "a future price", "get_odds"],
    ["max pain of NVDA", "max pain", null],
    ["gamma exposure of SPY", "gamma exposure", "get_options_flow"],
    ["open interest in TSLA", "open interest", "get_options_flow"],
    ["skew of AAPL", "skew", "get_options_flow"],
    ["call sweeps in AMD", "sweeps", "get_options_flow"],
    ["implied volatility of TSLA", "implied volatility", "get_options_flow"],
    ["expected move of NVDA", "the expected move", "get_options_flow"],
    ["largest options trade in AAPL", "the largest trades in options", "get_options_flow"],
    ["is Nvidia in a bubble", "a bubble", null],
    ["Tesla deliveries", "business figures such as deliveries", null],
    ["how old is Apple", "company facts", null],
    ["bitcoin dominance", "dominance", null],
    ["is solana a security", "law and taxes", null],
    ["is Apple in the S&P 500", "index membership", null],
    ["convert bitcoin to dollars", "currency conversion", null],
    ["Apple after hours", "prices before the open and after the close", null],
    ["TSLA premarket", "prices before the open and after the close", null],
    ["stocks like Nvidia", "similar instruments", null],
    ["does Apple pay a dividend", "dividends", null],
    ["P/E of Microsoft", "value", null],
    ["is Apple overvalued", "value", null],
    ["Apple's market cap", "size", null],
    ["circulating supply of bitcoin", "size", null],
    ["beta of Tesla", "beta and correlation", null],
    ["how correlated are BTC and ETH", "beta and correlation", null],
    ["CEO of Apple", "company facts", null],
    ["who founded Nvidia", "company facts", null],
    ["what does Palantir do?", "company facts", null],
    ["52-week high of Amazon", "52-week highs and lows", "get_analysis"],
    ["all-time high of bitcoin", "all-time highs and lows", null],
    ["RSI of Apple", "indicators", "get_analysis"],
    ["is Apple oversold?", "indicators", "get_analysis"],
    ["Apple volume", "volume", "get_quote"],
    ["is Nvidia above its 200 day average", "moving averages", "explain_signal"],
    ["bollinger bands of AMD", "other indicators", "explain_signal"],
    ["price in euros", "a currency other than US dollars", null],
    ["AAPL in £", "a currency other than US dollars", null],
    ["analyst ratings of Apple", "what analysts say", null],
    ["backtest a strategy on AAPL", "a backtest", "run_backtest"],
    ["had I bought it in 2020", "a backtest", "run_backtest"],
    ["What will Apple be worth in 2030?", "a future price", "get_odds"],
    ["predict NVDA price tomorrow", "a future price", "get_odds"],
    ["When will bitcoin reach 200k?", "a future price", "get_odds"],
    ["how high can it go", "a future price", "get_odds"],
    ["what would flip Nvidia to long?", "what would change the verdict", "explain_signal"],
    ["when does it turn bullish", "what would change the verdict", "explain_signal"],
    ["why is Nvidia a wait?", "the reasons for the verdict", "explain_signal"],
    ["why did NVDA get a C", "the reasons for the verdict", "explain_signal"],
    ["explain the rating of AAPL", "the basis of the verdict", "explain_signal"],
    ["edge on AAPL", "an edge", "detect_edge"],
    ["Wyckoff phase of Tesla", "the stage, Wyckoff and Elliott", "get_analysis"],
    ["Elliott wave of bitcoin", "the stage, Wyckoff and Elliott", "get_analysis"],
    ["ICS of Apple", "institutional conviction", "get_darkpool_prints"],
    ["when is Apple's ex-dividend date", "ex-dividend dates to come", "get_calendar"],
    ["upcoming IPOs", "IPOs", "get_calendar"],
    ["which stocks are halted", "trading halts", "get_calendar"],
    ["insider buying at Meta", "insider trades", "get_insider_trades"],
    ["short interest in Tesla", "short interest", "get_short_interest"],
    ["borrow fee of GME", "short volume and the cost of borrowing", "get_darkpool_prints"],
    ["who owns the most Tesla stock", "its holders", null],
    ["what does reddit say of AMD", "social media posts", null],
    ["how risky is Tesla", "risk", "get_analysis"],
    ["reward to risk of AAPL", "tier, confidence and reward to risk", "get_signal"],
    ["support levels of BTC", "support and resistance", "get_darkpool_prints"],
    ["is AAPL up today", "the change of today", "get_quote"],
    ["Was Tesla up in October?", "how a price has moved", "get_history"],
    ["How much has bitcoin gone up since January?", "how a price has moved", "get_history"],
    ["Has Apple outperformed the S&P this year?", "how a price has moved", "get_history"],
    ["ytd return of AAPL", "how a price has moved", "get_history"],
    ["show me a chart of Apple", "a picture", "render_chart"],
    ["how accurate are the calls on Apple", "how often signals were right", "get_track_record"],
    ["profit margins of Apple", "fundamentals", "get_company_facts"],
  ])("are found with the tool that answers them: %s", (query, label, tool) => {
    expect(topicsIn(query).map((topic) => [topic.label, topic.tool ?? null])).toContainEqual([label, tool]);
    expect(labels(query)).toHaveLength(1);
  });

  it.each([
    "What is the signal on Apple?",
    "is AAPL a buy",
    "should I short Tesla now",
    "AAPL on the 4h chart",
    "How is Berkshire Hathaway doing today?",
    "price target for AAPL",
    "where to put my stop on NVDA",
    "what was AAPL's signal on 2026-11-10?",
    "buy the dip?",
    "good entry for bitcoin",
    "cutting edge chips: NVDA",
    "is the trend up",
    "",
  ])("are none: %s", (query) => {
    expect(labels(query)).toEqual([]);
  });

  it("differ in questions about news, earnings, flow or odds", () => {
    expect(labels("why is Tesla down today", "news")).toEqual([]);
    expect(labels("news on the Apple dividend", "signal")).toEqual([]);
    expect(labels("analyst eps forecast for Apple", "earnings")).toEqual([]);
    expect(labels("did it beat?", "earnings")).toEqual([]);
    expect(labels("dark pool volume against the 20-day average", "flow")).toEqual([]);
    expect(labels("odds that it has hit 150k, a prediction", "signal")).toEqual([]);
    expect(labels("cheap dividend stocks", "scan", [])).toEqual([]);
    expect(labels("what is a dividend", "definition")).toEqual([]);
  });
});

const served = (query: string, more: Partial<ParsedQuestion> = {}) =>
  servedOf(topicsIn(query), parsedQuestion("signal", query, { symbols: ["AAPL"], ...more }));

describe("topics that a tool answers", () => {
  it("become one call for each symbol, with the fields the tool takes", () => {
    const { calls, left } = served("why is AAPL a wait, what would flip it, its edge, RSI and ICS", {
      timeframe: "4h",
      asOf: "2026-01-05",
    });
    expect(left).toEqual([]);
    expect(calls.map(({ skill, input }) => [skill, input])).toEqual([
      ["explain_signal", { symbol: "AAPL", timeframe: "4h", as_of: "2026-01-05" }],
      ["detect_edge", { symbol: "AAPL", as_of: "2026-01-05" }],
      ["get_analysis", { symbol: "AAPL", timeframe: "4h", as_of: "2026-01-05" }],
      ["get_darkpool_prints", { symbol: "AAPL" }],
    ]);
    for (const { skill, input } of calls) {
      const tool = tools.get(skill)!;
      expect(tool.effect).toBe("read");
      expect(tool.input.safeParse(input).error).toBeUndefined();
    }
  });

  it("stay unanswered for many symbols, for none, and if the tool has something else only", () => {
    const most = ["AAPL", "MSFT", "NVDA"];
    expect(served("RSI", { symbols: most }).calls).toHaveLength(3);
    for (const symbols of [[...most, "KO"], []])
      expect(served("RSI", { symbols })).toMatchObject({ calls: [], left: [{ tool: "get_analysis" }] });
    expect(served("200 day average").calls).toEqual([]);
    const { calls, left } = served("flip, edge and RSI", { symbols: ["AAPL", "MSFT"] });
    expect([calls.map(({ skill }) => skill), left.map(({ label }) => label)]).toEqual([
      ["explain_signal", "explain_signal", "detect_edge", "detect_edge"],
      ["indicators"],
    ]);
  });

  it("are answered by odds of prices if the question asks for them", () => {
    const query = "how volatile will AAPL be, will it go up, and RSI";
    const { mentions } = readQuery(query, symbols);
    const odds = { priceOdds: priceOddsIn(query, mentions) };
    const { calls, left } = served(query, odds);
    expect([calls.map(({ skill }) => skill), left]).toEqual([["get_analysis"], []]);
    expect(served(query).left.map(({ label, tool }) => [label, tool])).toEqual([
      ["volatility", "get_odds"],
      ["a future price", "get_odds"],
    ]);
  });

  it("are otherwise named in one sentence for each tool", () => {
    expect(unservedSentences(topicsIn("P/E, dividend, beta, volume and 200 day average"))).toEqual([
      "Not answered: moving averages; explain_signal has how far the close is from them.",
      "Not answered: volume; get_quote has that.",
      "Not answered: dividends, value and beta and correlation; no tool here has that.",
    ]);
    expect(unservedSentences([])).toEqual([]);
  });
});

describe("a price", () => {
  it.each([
    "What's the price of gold?",
    "gold price",
    "AAPL price?",
    "price AAPL",
    "quote for AAPL",
    "How much is bitcoin?",
    "how much is Apple worth",
    "how much does a share of Apple cost",
    "what does Apple cost",
    "what is Tesla trading at",
    "current price of Nvidia",
    "latest stock price Apple",
    "what is NVDA at right now",
  ])("is requested from get_quote: %s", (query) => {
    expect(served(query).calls).toEqual([{ skill: "get_quote", symbol: "AAPL", input: { symbol: "AAPL" } }]);
  });

  it.each([
    "price target of Apple",
    "strike price of AAPL calls",
    "what was the price of AAPL last year",
    "where will the price of Apple be next year",
    "price history of AAPL",
    "Is Apple a buy?",
    "Apple price action",
    "will the price of bitcoin hit 200000?",
  ])("is not meant by every mention of price: %s", (query) => {
    expect(labels(query)).not.toContain("the price");
  });

  it("is not requested for a past day or for many symbols", () => {
    const past = parsedQuestion("signal", "price of AAPL", { symbols: ["AAPL"], asOf: "2026-01-12" });
    expect(otherTopicsIn("price of AAPL", past)).toEqual([]);
    const many = ["AAPL", "MSFT", "NVDA", "AMD"];
    const query = "prices of AAPL, MSFT, NVDA and AMD";
    expect(topicsIn(query, "signal", many)).toHaveLength(1);
    expect(served(query, { symbols: many })).toEqual({ calls: [], left: [] });
  });
});
