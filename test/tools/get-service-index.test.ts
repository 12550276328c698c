import { describe, expect, it } from "vitest";
import type { EngineRow, EngineRun } from "../../src/domain/nightly/engine.ts";
import type { Ports } from "../../src/domain/ports.ts";
import { createCache } from "../../src/market/cache.ts";
import { getServiceIndex } from "../../tools/get-service-index.ts";
import { pro } from "../support/context.ts";
import { engineRunOver, runsOf } from "../support/engine-runs.ts";
import { directoryOf, quote, smallMarket } from "../support/market.ts";
import { movingClock } from "../support/store.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const SYMBOLS = "AAPL MSFT NVDA AMZN META GOOGL TSLA JPM XOM UNH JNJ PG HD KO PEP COST MRK CVX LLY BAC".split(
  " ",
);
const market = smallMarket().ports;
const whole = await engineRunOver(market);
const model = whole.rows.find(({ symbol }) => symbol === "AAPL")!;

/** A long signal at 100 with a stop of 90, a target of 120 and a score of 80. */
const row = (symbol: string, over: Partial<EngineRow> = {}): EngineRow => ({
  ...model,
  symbol,
  direction: "LONG",
  close: 100,
  stop: 90,
  targets: [120],
  score: 80,
  ...over,
});
const run: EngineRun = {
  ...whole,
  rows: SYMBOLS.map((symbol) => row(symbol)),
  index: { value: 50, band: "neutral", parts: [], as_of: "2026-01-14T21:00:00.000Z" },
};

function fixture(prices: Readonly<Record<string, number>> = {}, held = run) {
  const clock = movingClock();
  const asked: string[] = [];
  const ports = {
    ...market,
    clock,
    cache: createCache(clock),
    symbols: directoryOf(SYMBOLS),
    engineRuns: runsOf(held),
    quotes: {
      latest: async ({ symbol }: { symbol: string }) => {
        asked.push(symbol);
        return quote({ price: prices[symbol] ?? 110 });
      },
    },
  };
  const call = callerOf(getServiceIndex, ports, { ...pro, plan: "enterprise" });
  const ask = (over: Partial<Ports> = {}) => call({}, over);
  return { ports, clock, asked, ask };
}

describe("get_service_index", () => {
  it("is the mean of sentiment, signal strength and breadth at current prices", async () => {
    // one hit its stop and one its target: both count 50; one trades below its close
    const { ask } = fixture({ AAPL: 89, MSFT: 121, NVDA: 99 });
    const strength = (18 * 80 + 2 * 50) / 20;
    const breadth = (100 * 18) / 20;
    expect(await ask()).toMatchObject({
      value: 72.33, // (50 + 77 + 90) / 3
      parts: [
        { part: "sentiment", value: 50 },
        { part: "signal_strength", value: strength },
        { part: "breadth_now", value: breadth },
      ],
      quotes: { members: 20, requested: 20, received: 20, closed: 2 },
    });
  });

  it("is computed at most once a minute", async () => {
    const { ask, asked, clock } = fixture();
    const first = await ask();
    clock.pass(59_000);
    expect((await ask()).computed_at).toBe(first.computed_at);
    expect(asked).toHaveLength(20);
    clock.pass(2_000);
    expect((await ask()).computed_at).not.toBe(first.computed_at);
    expect(asked).toHaveLength(40);
  });

  it("omits prices that are not current, and is null with too few", async () => {
    const quotes = { latest: async () => quote({ price_source: "file_close" }) };
    const missing = { value: null, reason: "20 current prices are required; 0 were received" };
    expect(await fixture().ask({ quotes })).toMatchObject({
      value: null,
      parts: [{ value: 50, reason: null }, missing, missing],
      quotes: { received: 0 },
    });
  });

  it("uses no run older than 24 hours, and notes it", async () => {
    const { ask, clock, asked } = fixture();
    clock.pass(Date.parse(run.runAt!) + 1_440 * 60_000 - clock.now().getTime());
    expect((await ask()).parts).toMatchObject([
      { value: 50, as_of: "2026-01-14T21:00:00.000Z" },
      { value: 80, as_of: clock.now().toISOString() },
      { value: 100, as_of: clock.now().toISOString() },
    ]);
    asked.length = 0;
    clock.pass(60_001);
    const reason = `The newest run is from ${run.runAt}, more than 24 hours ago`;
    const late = await ask();
    expect(late).toMatchObject({
      value: null,
      quotes: { members: 0, requested: 0 },
      runs: [{ stale: true }],
    });
    const none = { value: null, reason, as_of: null };
    expect(late.parts).toEqual(
      ["sentiment", "signal_strength", "breadth_now"].map((part) => ({ part, ...none })),
    );
    expect(late.notes).toContain(`The newest run over all is from ${run.runAt}, more than a day ago`);
    expect(asked).toEqual([]);
  });

  it("distinguishes a run without an index from one whose index has no value", async () => {
    const none = await fixture({}, { ...run, index: null }).ask();
    expect(none.parts[0]).toMatchObject({ value: null, reason: "The newest run has no sentiment index" });
    const short = await fixture({}, { ...run, index: { ...run.index!, value: null, band: null } }).ask();
    expect(short.parts[0]).toMatchObject({
      value: null,
      reason: "The sentiment index of the newest run has no value: fewer than five parts have data",
    });
  });

  it("fails before the first run", async () => {
    await expect(fixture().ask({ engineRuns: runsOf(null) })).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
    });
  });
});

toolContract(getServiceIndex, { ports: fixture().ports });
