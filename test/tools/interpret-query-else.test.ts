import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { tasksOf } from "../../src/kernel/tasks.ts";
import { getCongressSignal } from "../../tools/get-congress-signal.ts";
import { getPredictionMarkets } from "../../tools/get-prediction-markets.ts";
import { getQuote } from "../../tools/get-quote.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { interpretQuery } from "../../tools/interpret-query.ts";
import { pro } from "../support/context.ts";
import { contract, fixedContracts } from "../support/contracts.ts";
import { climbingBars, smallMarket } from "../support/market.ts";

const market = smallMarket({
  bars: {
    AAPL: climbingBars(),
    MSFT: climbingBars({ step: -0.125, first: 200 }),
    SPY: climbingBars({ step: 0.03125 }),
  },
}).ports;
const held = { ...market, contracts: fixedContracts([contract({ probability: 0.605 })]).port };
const tools = [getSignal, getQuote, getPredictionMarkets, getCongressSignal];
const ports = {
  ...held,
  tasks: tasksOf(
    () => tools,
    () => held,
  ),
};
const ask = (query: string) =>
  invoke(interpretQuery, { query }, { ports, principal: pro, transport: "test" });

describe("interpret_query", () => {
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
