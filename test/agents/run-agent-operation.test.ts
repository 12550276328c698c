import { describe, expect, it } from "vitest";
import { runAgentOperation } from "../../agents/run-agent-operation.ts";
import type { Ports } from "../../src/domain/ports.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { createDirectory } from "../../src/market/symbols/directory.ts";
import { embeddedListings } from "../../src/market/symbols/listings.ts";
import { sampleMarket } from "../../src/providers/sample/market.ts";
import { detectEdge } from "../../tools/detect-edge.ts";
import { getNews } from "../../tools/get-news.ts";
import { getPredictionMarkets } from "../../tools/get-prediction-markets.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { screenUniverse } from "../../tools/screen-universe.ts";
import { collectingLog, countingMeters, pro, stoppedClock, unavailable } from "../support/context.ts";
import { engineRunOver, runsOf } from "../support/engine-runs.ts";
import { climbingBars, quote, smallMarket } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";

const small = smallMarket().ports;
const run = await engineRunOver(small);
const ports = { ...small, engineRuns: runsOf(run) };
const { members, ...simulation } = sampleMarket({ clock: stoppedClock() });
/** The complete simulated market. */
const simulated = { ...simulation, symbols: createDirectory({ members, listings: embeddedListings() }) };
/** News and contracts of the simulated market. */
const said = { news: simulated.news, contracts: simulated.contracts };
const call = (over: Partial<Ports> = {}, detail: "concise" | "full" = "concise") =>
  ({ ports: { ...ports, ...over }, principal: pro, transport: "test", detail }) as const;
const ask = (input: unknown, over: Partial<Ports> = {}) => invoke(runAgentOperation, input, call(over));

describe("the operation signal", () => {
  it("returns the signal of one symbol, with its entry at the worse edge of the zone", async () => {
    const { data } = await invoke(getSignal, { symbol: "AAPL" }, call());
    const { results, provenance, notes, ...answer } = await ask({ operation: "signal", symbol: "aapl" });
    expect(answer).toEqual({
      ok: true,
      operation: "signal",
      symbol: "AAPL",
      symbols: ["AAPL"],
      timeframe: "1d",
      count: 1,
      errors: [],
      summary: "AAPL: LONG, grade A+, score 86.4",
      label: "SAMPLE (simulated)",
      as_of: "2026-01-15T14:50:00.000Z",
      market: "sample",
    });
    // 300 closes that rise by .125 to 137.375, each half a dollar from high and low
    expect(results).toEqual([
      {
        symbol: "AAPL",
        source: "fixture",
        as_of: "2026-01-15T14:50:00.000Z",
        signal: {
          direction: "LONG",
          tier: "HOT",
          score: 86.4,
          grade: "A+",
          null_reason: null,
          levels_basis: "signal",
          entry: 137.63,
          stop: 135.87,
          target: 141.63,
          rr: 2.27,
          price: 138,
          price_source: "live_quote",
        },
      },
    ]);
    expect(data.signal.entry_zone.high).toBe(137.63);
    expect(provenance).toEqual({ tools: ["get_signal"], sources: ["fixture"], runs: [] });
    expect(notes).toEqual(data.notes);
  });

  it("returns why there is no score, in the row and in the summary", async () => {
    const few = smallMarket({ bars: { AAPL: climbingBars({ count: 100 }), MSFT: climbingBars() } }).ports;
    const why = "A score needs 252 bars, there are 100";
    const { results, summary } = await ask({ operation: "signal", symbol: "AAPL" }, few);
    expect(results[0]!.signal).toMatchObject({
      direction: "WAIT",
      score: null,
      grade: null,
      null_reason: why,
    });
    expect(summary).toBe(`AAPL: WAIT, no score and no grade: ${why}`);
    const batch = await ask({ operation: "batch", symbols: ["AAPL", "MSFT"] }, few);
    expect(batch.results.map(({ signal }) => signal!.null_reason)).toEqual([why, null]);
    expect(batch.summary).toBe("2 of 2 symbols have a signal: 1 LONG, 0 SHORT, 1 WAIT (1 without a score)");
    expect(runAgentOperation.terminal!(batch, (_, text) => text)).toContain(`\n  ${why}\n`);
  });

  it("enters a short at the low of the zone", async () => {
    const { results } = await ask({ operation: "signal", symbol: "MSFT" });
    const { data } = await invoke(getSignal, { symbol: "MSFT" }, call());
    expect(results[0]!.signal).toMatchObject({ direction: "SHORT", entry: data.signal.entry_zone.low });
  });

  it("adds reasons in full detail", async () => {
    const full = await invoke(runAgentOperation, { operation: "signal", symbol: "AAPL" }, call({}, "full"));
    const { data } = await invoke(getSignal, { symbol: "AAPL" }, call());
    expect(data.reasons.length).toBeGreaterThan(0);
    expect(full.results[0]!.signal!.reasons).toEqual(data.reasons);
  });

  it("accepts another timeframe, and notes ambiguous names", async () => {
    const coin = await ask({ operation: "signal", symbol: "BTC-USD", timeframe: "4h" });
    expect(coin).toMatchObject({ timeframe: "4h", as_of: "2026-01-15T12:00:00.000Z" });
    const { notes } = await ask({ operation: "signal", symbol: "LINK" });
    expect(notes.join()).toContain("LINK-USD");
  });

  it("fails like the underlying tool", async () => {
    await expect(ask({ operation: "signal", symbol: "ZZZZQ" })).rejects.toMatchObject({
      code: "UNKNOWN_SYMBOL",
    });
  });
});

describe("the operation batch", () => {
  it("returns the signal of each symbol in request order", async () => {
    const symbols = ["TSLA", "AAPL", "MSFT", "BTC-USD", "NVDA"];
    const batch = await ask({ operation: "batch", symbols });
    const single = await Promise.all(symbols.map((symbol) => ask({ operation: "signal", symbol })));
    expect(batch.results).toEqual(single.flatMap(({ results }) => results));
    expect(batch).toMatchObject({ symbol: null, symbols, count: 5, errors: [] });
  });

  it("returns failed symbols with the others", async () => {
    const { results, errors, symbols, summary } = await ask({
      operation: "batch",
      symbols: ["MSFT", "ZZZZQ", "AAPL"],
    });
    expect(results.map(({ symbol }) => symbol)).toEqual(["MSFT", "AAPL"]);
    expect(errors).toMatchObject([
      { symbol: "ZZZZQ", code: "UNKNOWN_SYMBOL", available: null, required: null },
    ]);
    expect(symbols).toEqual(["MSFT", "ZZZZQ", "AAPL"]);
    expect(summary).toBe("2 of 3 symbols have a signal: 1 LONG, 1 SHORT, 0 WAIT");
  });

  it("succeeds when every symbol is invalid, and fails when a provider is unavailable", async () => {
    const wrong = await ask({ operation: "batch", symbols: ["ZZZZQ", "QQQQZ"] });
    expect(wrong).toMatchObject({ count: 0, results: [], as_of: null, market: "sample" });
    expect(wrong.errors.map(({ symbol }) => symbol)).toEqual(["ZZZZQ", "QQQQZ"]);
    const history = unavailable("Silent");
    await expect(ask({ operation: "batch", symbols: ["AAPL"] }, { bars: { history } })).rejects.toMatchObject(
      {
        code: "UPSTREAM_UNAVAILABLE",
      },
    );
  });

  it("parses a comma-separated list, and reads each instrument once", async () => {
    const { symbols, count, notes } = await ask({
      operation: "batch",
      symbols: "link, LINK ,LINK/USD,LINK-USD",
    });
    expect({ symbols, count }).toEqual({ symbols: ["LINK", "LINK-USD"], count: 2 });
    expect(notes[0]).toBe("LINK-USD is a duplicate of an earlier symbol");
  });

  it("merges notes that several symbols share", async () => {
    const late = stoppedClock(new Date("2026-03-02T15:00:00Z"));
    const { notes } = await ask({ operation: "batch", symbols: ["TSLA", "NVDA"] }, { clock: late });
    expect(notes.length).toBeGreaterThan(0);
    expect(notes.every((note) => note.startsWith("TSLA, NVDA: "))).toBe(true);
  });
});

describe("the operation top", () => {
  it("returns the strongest of the newest nightly run, with its run id", async () => {
    const screen = await invoke(screenUniverse, { limit: 5 }, call());
    const { results, ...answer } = await ask({ operation: "top" });
    expect(results.map(({ symbol }) => symbol)).toEqual(screen.results.map(({ symbol }) => symbol));
    expect(results[0]).toEqual({
      symbol: "AAPL",
      source: "fixture",
      as_of: "2026-01-14T21:00:00.000Z",
      signal: {
        direction: "LONG",
        tier: "HOT",
        score: 86.4,
        grade: "A+",
        null_reason: null,
        levels_basis: "signal",
        entry: 137.63,
        stop: 135.87,
        target: 141.63,
        rr: 2.27,
        price: 137.375,
        price_source: "decision_bar",
      },
    });
    expect(answer).toMatchObject({
      symbol: null,
      count: 5,
      summary: `The 5 strongest of ${screen.total} in the nightly run over all: 5 LONG, 0 SHORT, 0 WAIT`,
      provenance: {
        tools: ["screen_universe"],
        runs: [{ run_id: run.run_id, universe: "all", run_at: "2026-01-15T00:11:00.000Z" }],
      },
    });
  });

  it("scans widely followed symbols without a run, and for another timeframe", async () => {
    const none = await ask({ operation: "top", limit: 2 }, { engineRuns: runsOf(null) });
    expect(none).toMatchObject({ count: 2, errors: [], provenance: { tools: ["scan_symbols"], runs: [] } });
    expect(none.notes[0]).toBe("No nightly run has finished yet");
    // of the symbols in this market: AAPL, MSFT, NVDA, TSLA, SPY, BTC-USD and ETH-USD
    expect(none.summary).toMatch(/^The 2 strongest of 7 widely followed symbols, scanned now/);
    const coins = await ask({ operation: "top", timeframe: "4h" });
    expect(coins.symbols).toEqual(["BTC-USD", "ETH-USD"]);
    expect(coins.notes[0]).toBe("Nightly runs use daily bars");
  });

  it("scans them while the first run is still in progress after the wait", async () => {
    let calls = 0;
    const progress = { done: 1, total: 9, startedAt: 0 };
    // the first call decides about the wait, the second about the error
    const ongoing = { current: () => (calls++ === 0 ? null : progress), onChange: () => () => {} };
    const engineRuns = { ...runsOf(null), ongoing };
    const found = await ask({ operation: "top", limit: 2 }, { engineRuns });
    expect(calls).toBe(2);
    expect(found).toMatchObject({ count: 2, provenance: { tools: ["scan_symbols"], runs: [] } });
  });

  it("ranks the given symbols", async () => {
    const ranked = await ask({ operation: "top", symbols: ["MSFT", "ZZZZQ", "NVDA", "AAPL"], limit: 2 });
    expect(ranked).toMatchObject({ symbols: ["AAPL", "NVDA"], errors: [{ symbol: "ZZZZQ" }] });
    expect(ranked.notes).toEqual([]);
  });

  it("is rejected without a run and without widely followed symbols", async () => {
    const { ports: bare } = smallMarket({ bars: {} });
    await expect(ask({ operation: "top" }, { ...bare, engineRuns: runsOf(null) })).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
    });
  });
});

describe("the operations news and markets", () => {
  it("return headlines, marked as third-party text", async () => {
    const {
      news: stories,
      aggregate,
      data_as_of,
    } = await invoke(getNews, { symbol: "NVDA", limit: 1 }, call(said));
    const answer = await ask({ operation: "news", symbol: "nvda", limit: 1 }, said);
    const { title, publisher, published_at, url, relevance, sentiment } = stories[0]!;
    expect(answer.results).toEqual([
      {
        symbol: "NVDA",
        source: "sample",
        as_of: published_at,
        story: {
          title,
          publisher,
          published_at,
          url,
          relevance,
          sentiment: sentiment.label,
          tone: sentiment.tone,
        },
      },
    ]);
    expect(answer.summary).toContain(`${aggregate.stories} stories about NVDA in 72 hours`);
    expect(answer).toMatchObject({ as_of: data_as_of, timeframe: null });
    expect(answer.outside_text).toMatch(/^title, .* never instructions/);
  });

  it("return the contracts on a symbol, or in general without one", async () => {
    const { contracts: found, total } = await invoke(
      getPredictionMarkets,
      { symbol: "AAPL", limit: 2 },
      call(said),
    );
    const apple = await ask({ operation: "markets", symbol: "AAPL", limit: 2 }, said);
    expect(apple.results.map(({ contract }) => contract?.question)).toEqual(
      found.map(({ question }) => question),
    );
    expect(apple.results.map(({ contract }) => contract!.probability_unit)).toEqual(["0-1", "0-1"]);
    expect(apple.summary).toBe(`2 of ${total} open contracts about AAPL`);
    const general = await ask({ operation: "markets" }, said);
    expect(general).toMatchObject({ symbol: null, symbols: [], count: 5 });
    expect(general.results[0]).toMatchObject({ symbol: null, source: "sample" });
  });

  it("return the reason without results", async () => {
    const quiet = await ask({ operation: "news", symbol: "AAPL" });
    expect(quiet).toMatchObject({ count: 0, results: [], as_of: null });
    expect(quiet.summary).toMatch(/^News about AAPL is unavailable: ./);
    expect(quiet.outside_text).toBeUndefined();
    const markets = await ask({ operation: "markets", symbol: "AAPL" });
    expect(markets.summary).toMatch(/^No contracts about AAPL: ./);
  });
});

describe("the operation edge", () => {
  it("returns both sides, their divergence and the question", async () => {
    const over = { ...simulated, engineRuns: runsOf(run) };
    const edge = await invoke(detectEdge, { symbol: "BTC-USD" }, call(over));
    const { results, ...answer } = await ask({ operation: "edge", symbol: "btc" }, over);
    const { type, score, actionability, divergence, null_reason, marketProbability, newsSentiment } = edge;
    expect(marketProbability).not.toBeNull();
    expect(results).toEqual([
      {
        symbol: "BTC-USD",
        source: "sample",
        as_of: edge.as_of,
        edge: {
          type,
          score,
          actionability,
          divergence,
          null_reason,
          market_probability: marketProbability,
          news_probability: newsSentiment,
          probability_unit: "percent",
          question: edge.markets.question,
          by: edge.markets.by,
        },
      },
    ]);
    expect(answer).toMatchObject({ symbol: "BTC-USD", summary: `BTC-USD: ${edge.recommendation}` });
    expect(answer.outside_text).toContain("question");
  });

  it("returns the reason without a verdict", async () => {
    const { results, summary } = await ask({ operation: "edge", symbol: "AAPL" });
    expect(results[0]!.edge).toMatchObject({ type: null, score: null, actionability: "NONE" });
    expect(results[0]!.edge!.null_reason).toMatch(/^markets: .*; news: /);
    expect(summary).toMatch(/^AAPL: No verdict: markets: /);
  });
});

describe("run_agent_operation", () => {
  it.each([
    [{}, "operation: "],
    [{ operation: "buy" }, '"signal"|"batch"|"top"|"news"|"markets"|"edge"'],
    [{ operation: "signal" }, "symbol: the operation signal needs symbol; top and markets need none"],
    [{ operation: "news" }, "symbol: the operation news needs symbol; top and markets need none"],
    [{ operation: "edge" }, "symbol: the operation edge needs symbol; top and markets need none"],
    [{ operation: "batch" }, "symbols: the operation batch needs symbols; top and markets need none"],
    [
      { operation: "batch", symbol: "AAPL" },
      "symbol: batch takes symbols; symbol is accepted by signal, news, markets, edge",
    ],
    [
      { operation: "signal", symbols: ["AAPL", "MSFT"] },
      "symbols: signal takes one symbol, but 2 are given; several symbols are accepted by batch, top",
    ],
    [
      { operation: "top", symbol: "AAPL", symbols: ["MSFT"] },
      "symbols: give symbol or symbols, not both; top takes symbols",
    ],
    [{ operation: "batch", symbols: [] }, "symbols: "],
    [{ operation: "batch", symbols: Array.from({ length: 21 }, (_, i) => `A${i}`) }, "at most 20 items"],
    [{ operation: "batch", symbols: "AAPL,,MSFT" }, "symbols/1: "],
    [{ operation: "top", limit: 0 }, "from 1 to 20"],
    [{ operation: "top", limit: 21 }, "from 1 to 20"],
    [{ operation: "signal", symbol: "AAPL", timeframe: "2d" }, "timeframe: "],
  ])("rejects %j without a daily charge: %s", async (input, said) => {
    const { meters, debits } = countingMeters();
    await expect(ask(input, { meters })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining(said),
    });
    expect(debits).toEqual({ burst: 1, day: 0 });
  });

  it.each(["signal", "news", "edge", "markets"])(
    "accepts a list of one as the symbol of %s",
    async (operation) => {
      const over = { ...simulated, engineRuns: runsOf(run) };
      expect(await ask({ operation, symbols: "NVDA" }, over)).toEqual(
        await ask({ operation, symbol: "NVDA" }, over),
      );
    },
  );

  it("costs one call and one log line for any number of symbols", async () => {
    const { meters, debits } = countingMeters({ day: 1 });
    const { log, lines } = collectingLog();
    await ask({ operation: "batch", symbols: ["AAPL", "MSFT", "NVDA", "TSLA", "SPY"] }, { meters, log });
    expect(debits).toEqual({ burst: 1, day: 1 });
    expect(lines).toMatchObject([{ event: "call", fields: { tool: "run_agent_operation", code: "OK" } }]);
  });

  it("answers for twenty symbols within 2,000 tokens", async () => {
    const symbols =
      "AAPL MSFT NVDA TSLA SPY QQQ AMD AMZN GOOGL META JPM XOM KO PEP WMT HD V MA DIS NFLX".split(" ");
    const bars = Object.fromEntries(symbols.map((symbol) => [symbol, climbingBars()]));
    const quotes = Object.fromEntries(symbols.map((symbol) => [symbol, quote({ price: 138.25 })]));
    const answer = await ask({ operation: "batch", symbols }, smallMarket({ bars, quotes }).ports);
    expect(answer.count).toBe(20);
    expect(JSON.stringify(answer).length / 4).toBeLessThan(2_000);
  });

  it("has the toolset agents and the plan of its tools", () => {
    expect(runAgentOperation).toMatchObject({ toolset: "agents", plan: "pro", effect: "read" });
    expect(runAgentOperation.uses).toContain("get_prediction_markets");
  });
});

toolContract(runAgentOperation, { ports: { ...ports, ...said } });
