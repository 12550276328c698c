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
import { getServiceIndex } from "../../tools/get-service-index.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { interpretQuery } from "../../tools/interpret-query.ts";
import { pro } from "../support/context.ts";
import { contract, fixedContracts } from "../support/contracts.ts";
import { climbingBars, taskMarket } from "../support/market.ts";

const TOOLS = [
  ...[getSignal, getNews, explainSignal, getAnalysis, getOptionsFlow, getDarkpoolPrints],
  ...[getCongressSignal, getPredictionMarkets, getQuote, getServiceIndex],
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
    ["dividend yield of Apple", "get_corporate_actions AAPL:\n"],
    ["is Nvidia above its 200 day average", "get_indicators NVDA:\n"],
    ["What will Apple be worth in 2030?", "get_odds AAPL:\n"],
    ["insider buying at Apple", "get_insider_trades AAPL:\n"],
    ["insider buying", "get_insider_trades answers that for a symbol: name one, such as AAPL or bitcoin."],
    [
      "buy 10 shares of AAPL now",
      "Orders are not executed here: no order is placed (preview_trade previews one, then execute_trade sends it).\nAAPL is LONG",
    ],
    ["add AAPL to my watchlist", "Orders are not executed here: no list is changed or watched."],
    ["delete my bot", "Nothing was changed: delete_agent does that."],
  ])("are answered first by their tool, or by what it needs: %s", async (query, start) => {
    const { answer } = await ask(query);
    expect(answer.slice(0, start.length)).toBe(start);
  });

  it("of a tool beyond the caller's plan name the plan, and the others are answered", async () => {
    const { answer, results } = await ask("the service index and the signal on Apple");
    expect(results.map(({ skill, error }) => [skill, error?.code ?? null])).toEqual([
      ["get_signal", null],
      ["get_service_index", "PLAN_REQUIRED"],
    ]);
    expect(answer).toContain(
      'get_service_index has no answer (PLAN_REQUIRED): "get_service_index" needs the "enterprise" plan',
    );
  });

  it("that no tool covers are denied, with the nearest tools and without any call", async () => {
    for (const query of [
      "who is the CEO?",
      "rent prices in Denver",
      "is my iPhone from Apple under warranty",
    ]) {
      const { answer, results } = await ask(query);
      expect(answer).toMatch(/^No tool here answers that\. The nearest are \w+, \w+ and \w+\./);
      expect(results).toEqual([]);
    }
  });

  it("are answered by the tool that covers them", async () => {
    const why = await ask("why is Apple a long?");
    expect(why.results.map(({ skill }) => skill)).toEqual(["get_signal", "explain_signal"]);
    expect(why.answer).toMatch(/^explain_signal AAPL:\nAAPL is LONG: .*\n[\s\S]*= \+0\.\d+/);
    expect(await skills("RSI of Apple")).toEqual(["get_signal", "get_indicators"]);
    expect(await skills("why is Apple down today?")).toEqual(["get_signal", "get_news"]);
    expect(await skills("latest news and why is Apple a long?")).toEqual(["get_signal", "get_news"]);
  });

  it("include options flow only when it is requested", async () => {
    expect(await skills("insider buying at Apple")).toEqual(["get_signal", "get_insider_trades"]);
    expect(await skills("insider buying and options flow at Apple")).toEqual([
      "get_signal",
      "get_insider_trades",
      "get_options_flow",
    ]);
  });

  it("include past performance, which is not ranked by score", async () => {
    const { answer, results } = await ask("which has returned more this year, Apple or Microsoft?");
    expect(answer).not.toMatch(/highest/);
    expect(new Set(results.map(({ skill }) => skill))).toEqual(new Set(["get_signal", "get_history"]));
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
    expect(answer).toMatch(new RegExp(`^${day} is not a past day; this is current\\.\\nAAPL is `));
    expect(notes).toContain(`${day} is not a past day; the answer is current`);
    expect(results[0]).toMatchObject({ symbol: "AAPL", skill: "get_signal", error: null });
  });

  it.each([
    ["What did Congress buy in March 2025?", "This is current; call get_congress_signal with as_of "],
    ["open interest of Apple last week", "This is current; earlier data for flow is not available."],
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
    expect(answer).toMatch(/^This is as of 2026-01-12, from data known by then\.\nget_history AAPL:/);
  });

  it("notes what else was requested and is not answered", async () => {
    const { notes } = await ask("price of Apple and the best 3 stocks");
    expect(notes).toContain("Also requested and not answered: a list of the market");
  });
});
