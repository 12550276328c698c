import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { explainSignal } from "../../tools/explain-signal.ts";
import { getAnalysis } from "../../tools/get-analysis.ts";
import { getCongressSignal } from "../../tools/get-congress-signal.ts";
import { getDarkpoolPrints } from "../../tools/get-darkpool-prints.ts";
import { getNews } from "../../tools/get-news.ts";
import { getOptionsFlow } from "../../tools/get-options-flow.ts";
import { getPredictionMarkets } from "../../tools/get-prediction-markets.ts";
import { getQuote } from "../../tools/get-quote.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { interpretQuery } from "../../tools/interpret-query.ts";
import { pro } from "../support/context.ts";
import { contract, fixedContracts } from "../support/contracts.ts";
import { climbingBars, taskMarket } from "../support/market.ts";

const TOOLS = [
  ...[getSignal, getNews, explainSignal, getAnalysis, getOptionsFlow, getDarkpoolPrints],
  ...[getCongressSignal, getPredictionMarkets, getQuote],
];
const bars = {
  AAPL: climbingBars(),
  MSFT: climbingBars({ step: -0.125, first: 200 }),
  SPY: climbingBars({ step: 0.03125 }),
  NVDA: climbingBars(),
};
const { port: contracts } = fixedContracts([contract({ probability: 0.605 })]);
const ports = taskMarket(TOOLS, { bars }, { contracts });
const ask = (query: string) =>
  invoke(interpretQuery, { query }, { ports, principal: pro, transport: "test" });
const skills = async (query: string) => (await ask(query)).results.map(({ skill }) => skill);

describe("topics that no signal covers", () => {
  it.each([
    ["dividend yield of Apple", "Not answered: dividends; no tool here has that.\nAAPL  LONG"],
    [
      "is Nvidia above its 200 day average",
      "Not answered: moving averages; explain_signal has how far the close is from them.\nNVDA  ",
    ],
    [
      "buy 10 shares of AAPL now",
      "Orders are not executed here: no order is placed (preview_trade previews one, then execute_trade sends it).\nAAPL  LONG",
    ],
    [
      "What will Apple be worth in 2030?",
      "Not answered: a future price; get_odds has odds of price levels.\nAAPL  ",
    ],
    ["who is the CEO?", "Not answered: company facts; no tool here has that.\nAsk for a signal"],
    ["insider buying at Apple", "Not answered: insider trades; get_insider_trades has that.\nAAPL  LONG"],
    [
      "my holdings are AAPL and MSFT, what is their beta",
      "Not answered: beta and correlation; no tool here has that. Holdings are not read here",
    ],
  ])("are named first: %s", async (query, start) => {
    const { answer } = await ask(query);
    expect(answer.slice(0, start.length)).toBe(start);
  });

  it("are answered by the tool that covers them", async () => {
    const why = await ask("why is Apple a long?");
    expect(why.results.map(({ skill }) => skill)).toEqual(["get_signal", "explain_signal"]);
    expect(why.answer).toMatch(/^explain_signal AAPL:\nAAPL {2}LONG .*\n[\s\S]*= \+0\.\d+/);
    expect((await ask("RSI of Apple")).answer).toMatch(
      /^get_analysis AAPL:\nAAPL\n[\s\S]*technicals .*RSI \d/,
    );
    expect(await skills("why is Apple down today?")).toEqual(["get_signal", "get_news"]);
    expect(await skills("latest news and why is Apple a long?")).toEqual([
      "get_signal",
      "explain_signal",
      "get_news",
    ]);
  });

  it("include options flow only when it is requested", async () => {
    expect(await skills("insider buying at Apple")).toEqual(["get_signal"]);
    expect(await skills("insider buying and options flow at Apple")).toEqual([
      "get_signal",
      "get_options_flow",
    ]);
  });

  it("include past performance, which is not ranked by score", async () => {
    const { answer, results } = await ask("Has Apple outperformed Microsoft this year?");
    expect(answer).toMatch(
      /^Not answered: how a price has moved; get_history has the bars\. This is current; call get_signal with as_of for an earlier day\.\nAAPL {2}/,
    );
    expect(answer).not.toMatch(/highest/);
    expect(results.map(({ skill }) => skill)).toEqual(["get_signal", "get_signal"]);
    expect((await ask("Apple or Microsoft?")).answer).toMatch(/highest/);
  });
});

describe("a past time in a question", () => {
  it("is among the figures when it is answered, even without a signal", async () => {
    for (const day of ["2026-01-12", "2020-03-15"]) {
      const { answer, results } = await ask(`What was AAPL's signal on ${day}?`);
      expect(answer).toContain(`This is as of ${day}, `);
      expect(results).toContainEqual(
        expect.objectContaining({ skill: "interpret_query", figures: { as_of: day } }),
      );
    }
  });

  it.each([
    ["What was AAPL's signal on 2026-02-30?", "2026-02-30"],
    ["AAPL signal on 2027-03-01", "2027-03-01"],
  ])("is rejected when the day is in the future or does not exist: %s", async (query, day) => {
    const { answer, notes, results } = await ask(query);
    expect(answer).toMatch(new RegExp(`^${day} is not a past day; this is current\\.\\nAAPL {2}`));
    expect(notes).toContain(`${day} is not a past day; the answer is current`);
    expect(results[0]).toMatchObject({ symbol: "AAPL", skill: "get_signal", error: null });
  });

  it.each([
    ["What did Congress buy in March 2025?", "This is current; call get_congress_signal with as_of "],
    ["options flow of Apple last week", "This is current; earlier data for flow is not available."],
    ["was Apple a buy in December?", "This is current; call get_signal with as_of for an earlier day."],
  ])("is answered with current data, which is stated: %s", async (query, start) => {
    const { answer, notes } = await ask(query);
    expect(answer.slice(0, start.length)).toBe(start);
    expect(notes).toContain("The question names a past time; the answer is current");
  });
});

describe("a question with more than one part", () => {
  it("gives no percentage of a price level for another event", async () => {
    const { answer, results } = await ask("odds Apple acquires Microsoft");
    expect(answer).toMatch(
      /^get_prediction_markets AAPL:\nPrediction markets on AAPL: no contract was matched to this event; /,
    );
    expect(answer).not.toContain("percent");
    expect(results).toContainEqual(
      expect.objectContaining({
        skill: "get_prediction_markets",
        figures: expect.objectContaining({ contracts: [] }),
      }),
    );
    expect((await ask("odds on Apple")).answer).toContain("at 60.5 percent");
  });

  it("includes prediction markets only for the symbol whose odds are requested", async () => {
    const { results } = await ask("price of MSFT and then the odds of Apple over 140");
    expect(results.filter(({ skill }) => skill === "get_prediction_markets")).toMatchObject([
      { symbol: "AAPL" },
    ]);
  });

  it("names no highest score for a comparison of something else", async () => {
    expect((await ask("which has more employees, Apple or Microsoft?")).answer).not.toContain("highest");
    expect((await ask("which is more popular, Apple or Microsoft?")).answer).toContain(
      "The score does not cover popularity. AAPL (",
    );
  });

  it("states whether it is as of the named day or current", async () => {
    const { answer } = await ask("Apple price on January 12");
    expect(answer).toMatch(/^This is as of 2026-01-12, from data known by then\.\nAAPL {2}/);
    expect((await ask("Apple price on Monday")).answer).toMatch(
      /^This is current; call get_signal with as_of for an earlier day\.\nget_quote AAPL:\nAAPL \d/,
    );
  });

  it("notes what else was requested and is not answered", async () => {
    const { notes } = await ask("price of Apple and the best 3 stocks");
    expect(notes).toContain("Also requested and not answered: a list of the market");
  });
});
