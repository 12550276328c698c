import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getHealth } from "../../tools/get-health.ts";
import { getHistory } from "../../tools/get-history.ts";
import { getQuote } from "../../tools/get-quote.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { VENDORS } from "../replay/vendors.ts";
import type { Installation } from "../support/installation.ts";
import { heardInAll, type LiveStage, refused, stageAt, told } from "../support/live.ts";
import { suiteDir } from "../support/temp-dir.ts";

const MINUTE = 60_000;
const NOBODY = { off: new Set(VENDORS.map(({ name }) => name)) } as const;
const US = ["yahoo", "cboe", "nasdaq"];
const CRYPTO = ["coinbase", "binance", "kraken", "okx", "coingecko", "yahoo"];

const suite = suiteDir();
let stage: LiveStage;
let house: Installation;
beforeAll(async () => {
  stage = await stageAt("2026-11-19T16:03:20Z");
  house = await stage.open(suite.dir);
});
afterAll(async () => {
  await house.stop();
  await stage.close();
  suite.remove();
});

/** Names of those that were tried, each once, with how it ended last. */
const outcomes = (tried: unknown) =>
  new Map(
    (tried as { provider: string; outcome: string }[]).map(({ provider, outcome }) => [provider, outcome]),
  );

describe("when no source answers any more", () => {
  /** What was told while they did. */
  const quotes = new Map<string, Awaited<ReturnType<typeof quoteOf>>>();
  const bars = new Map<string, Awaited<ReturnType<typeof barsOf>>>();
  const quoteOf = (symbol: string) => told(house, getQuote, { symbol, provenance: "full" });
  const barsOf = (symbol: string) => told(house, getHistory, { symbol, limit: 60, provenance: "full" });

  /** Expects the last that was told, labelled, with everybody tried. */
  async function expectStale(kept: "memory" | "store"): Promise<void> {
    for (const [symbol, before] of quotes) {
      const { data, provenance } = await quoteOf(symbol);
      const { price, timestamp, source } = before.data;
      expect(data).toMatchObject({ price, timestamp, source });
      expect(data.price_source).toBe("delayed_quote");
      const { provider, fetched_at, as_of } = before.provenance;
      expect(provenance).toMatchObject({ provider, fetched_at, as_of, stale: true, kept });
      const tried = outcomes(provenance.tried);
      expect([...tried.keys()].sort()).toEqual((symbol === "AAPL" ? US : CRYPTO).toSorted());
      expect([...tried.values()]).not.toContain("answered");
    }
    for (const [symbol, before] of bars) {
      const series = await barsOf(symbol);
      expect(series.bars).toEqual(before.bars);
      expect(series.forming).toBeNull();
      const { provider, fetched_at, as_of } = before.provenance;
      expect(series.provenance).toMatchObject({ provider, fetched_at, as_of, stale: true, kept });
    }
  }

  beforeAll(async () => {
    for (const symbol of ["AAPL", "BTC-USD"]) {
      quotes.set(symbol, await quoteOf(symbol));
      bars.set(symbol, await barsOf(symbol));
      await told(house, getSignal, { symbol });
    }
    stage.replay.set(NOBODY);
    stage.clock.move(2 * MINUTE);
  });

  it("tells what it remembers as stale", () => expectStale("memory"), 30_000);

  it("gives a signal on what it remembers without a price, and says why", async () => {
    const { data } = await told(house, getSignal, { symbol: "BTC-USD", provenance: "full" });
    expect(data).toMatchObject({ price: null, price_source: "delayed_quote" });
    expect(data.price_reason).toMatch(
      /^No live price: the last trade known is [\d.]+ USD at 2026-11-19T16:0/,
    );
    expect(data.provenance.bars.stale).toBe(true);
    expect(data.provenance.price!.stale).toBe(true);
  });

  it("refuses what it never knew, and says whom it tried", async () => {
    const price = await refused(house, getQuote, { symbol: "MSFT" });
    expect(price).toMatchObject({ code: "UPSTREAM_UNAVAILABLE", symbol: "MSFT", price: null });
    expect([...outcomes(price.tried).keys()].sort()).toEqual(US.toSorted());
    const none = await refused(house, getHistory, { symbol: "ETH-USD", timeframe: "1h" });
    expect(none).toMatchObject({ code: "UPSTREAM_UNAVAILABLE", symbol: "ETH-USD" });
    expect([...outcomes(none.tried).keys()].sort()).toEqual(
      CRYPTO.filter((name) => name !== "coingecko").sort(),
    );
  });

  it("says over REST that it is no fault of the caller's, and to try again", async () => {
    const { key } = await house.key("pro");
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${house.url}/api/v1/quote/MSFT`, { headers });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("market-data")).toBe("live");
    expect(await answer.json()).toMatchObject({
      ok: false,
      code: "UPSTREAM_UNAVAILABLE",
      retryable: true,
      symbol: "MSFT",
      price: null,
    });
  });

  it("says that it is down", async () => {
    const health = await told(house, getHealth, {});
    expect(health).toMatchObject({ ok: false, status: "down", market: "live" });
    // who tells no prices is not asked to see
    for (const { name, healthy } of health.providers.filter((one) => !one.name.includes(" ")))
      expect({ name, healthy }).toEqual({ name, healthy: false });
  });

  it("tells from its data folder what it knew before it was started again", async () => {
    await house.stop();
    house = await stage.open(suite.dir);
    await expectStale("store");
    expect(await refused(house, getQuote, { symbol: "MSFT" })).toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
  }, 60_000);

  it("answers from them again as soon as they do", async () => {
    stage.replay.set({});
    await house.stop();
    house = await stage.open(suite.dir);
    for (const [symbol] of quotes) {
      const { provenance } = await quoteOf(symbol);
      expect(provenance).toMatchObject({
        stale: false,
        kept: "asked",
        fetched_at: stage.clock.now().toISOString(),
      });
    }
  });
});

describe("the health of sources", () => {
  it("is told within about a second while one hangs, and once a minute asked for", async () => {
    stage.replay.set({ each: ({ vendor }) => (vendor === "cboe" ? "timeout" : null) });
    stage.clock.move(2 * MINUTE);
    const started = performance.now();
    const health = await told(house, getHealth, {});
    expect(performance.now() - started).toBeLessThan(2_500);
    expect(health).toMatchObject({ ok: true, status: "degraded" });
    const states = new Map(health.providers.map(({ name, healthy }) => [name, healthy]));
    expect(states.get("cboe")).toBe(false);
    expect(states.get("yahoo")).toBe(true);
    const calls = heardInAll(stage.replay);
    stage.clock.move(MINUTE / 2);
    expect((await told(house, getHealth, {})).status).toBe("degraded");
    expect(heardInAll(stage.replay)).toBe(calls);
    stage.replay.set({});
    stage.clock.move(2 * MINUTE);
    expect((await told(house, getHealth, {})).status).toBe("healthy");
  });
});
