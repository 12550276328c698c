import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getHealth } from "../../tools/get-health.ts";
import { getHistory } from "../../tools/get-history.ts";
import { getQuote } from "../../tools/get-quote.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { VENDORS } from "../replay/vendors.ts";
import type { Installation } from "../support/installation.ts";
import { call, contractsSaved, refusalOf, requestTotal, stageAt } from "../support/live.ts";
import { suiteDir } from "../support/temp-dir.ts";

const MINUTE = 60_000;
const OFFLINE = { off: new Set(VENDORS.map(({ name }) => name)) } as const;
const US = ["yahoo", "cboe", "nasdaq"];
const CRYPTO = ["coinbase", "binance", "kraken", "okx", "coingecko", "yahoo"];

const suite = suiteDir();
const stage = stageAt("2026-11-19T16:03:20Z");
let installation: Installation;
beforeAll(async () => {
  installation = await stage.open(suite.dir);
});
afterAll(async () => {
  await installation.stop();
  suite.remove();
});

/** Providers tried, each with its last outcome. */
const outcomes = (tried: unknown) =>
  new Map(
    (tried as { provider: string; outcome: string }[]).map(({ provider, outcome }) => [provider, outcome]),
  );

describe("when all providers stop responding", () => {
  /** Responses from before the outage. */
  const quotes = new Map<string, Awaited<ReturnType<typeof quoteOf>>>();
  const bars = new Map<string, Awaited<ReturnType<typeof barsOf>>>();
  const quoteOf = (symbol: string) => call(installation, getQuote, { symbol, provenance: "full" });
  const barsOf = (symbol: string) =>
    call(installation, getHistory, { symbol, limit: 60, provenance: "full" });

  /** Expects the previous values, labelled as stale, with every provider tried. */
  async function expectStale(cachedIn: "memory" | "store"): Promise<void> {
    for (const [symbol, before] of quotes) {
      const { data, provenance } = await quoteOf(symbol);
      const { price, timestamp, source } = before.data;
      expect(data).toMatchObject({ price, timestamp, source });
      expect(data.price_source).toBe("delayed_quote");
      const { provider, fetched_at, as_of } = before.provenance;
      expect(provenance).toMatchObject({ provider, fetched_at, as_of, stale: true, served_from: cachedIn });
      const tried = outcomes(provenance.tried);
      expect([...tried.keys()].sort()).toEqual((symbol === "AAPL" ? US : CRYPTO).toSorted());
      expect([...tried.values()]).not.toContain("answered");
    }
    for (const [symbol, before] of bars) {
      const series = await barsOf(symbol);
      expect(series.bars).toEqual(before.bars);
      expect(series.forming).toBeNull();
      const { provider, fetched_at, as_of } = before.provenance;
      expect(series.provenance).toMatchObject({
        provider,
        fetched_at,
        as_of,
        stale: true,
        served_from: cachedIn,
      });
    }
  }

  beforeAll(async () => {
    for (const symbol of ["AAPL", "BTC-USD"]) {
      quotes.set(symbol, await quoteOf(symbol));
      await call(installation, getSignal, { symbol });
      bars.set(symbol, await barsOf(symbol));
      await contractsSaved({ stage, installation }, symbol);
    }
    stage.replay.set(OFFLINE);
    stage.clock.move(2 * MINUTE);
  });

  it("returns cached values as stale", () => expectStale("memory"), 30_000);

  it("gives a signal on cached bars without a price, with the reason", async () => {
    const { data } = await call(installation, getSignal, { symbol: "BTC-USD", provenance: "full" });
    expect(data).toMatchObject({ price: null, price_source: "delayed_quote" });
    expect(data.price_reason).toMatch(
      /^No live price: the last known trade is [\d.]+ USD at 2026-11-19T16:0/,
    );
    expect(data.provenance.bars.stale).toBe(true);
    expect(data.provenance.price!.stale).toBe(true);
  });

  it("fails for data that was never cached and names the providers tried", async () => {
    const price = await refusalOf(installation, getQuote, { symbol: "MSFT" });
    expect(price).toMatchObject({ code: "UPSTREAM_UNAVAILABLE", symbol: "MSFT", price: null });
    expect([...outcomes(price.tried).keys()].sort()).toEqual(US.toSorted());
    const none = await refusalOf(installation, getHistory, { symbol: "ETH-USD", timeframe: "1h" });
    expect(none).toMatchObject({ code: "UPSTREAM_UNAVAILABLE", symbol: "ETH-USD" });
    expect([...outcomes(none.tried).keys()].sort()).toEqual(
      CRYPTO.filter((name) => name !== "coingecko").sort(),
    );
  });

  it("responds over REST with a retryable 503", async () => {
    const { key } = await installation.key("pro");
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${installation.url}/api/v1/quote/MSFT`, { headers });
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

  it("reports the health as down", async () => {
    const health = await call(installation, getHealth, {});
    expect(health).toMatchObject({ ok: false, status: "down", market: "live" });
    // Providers of other data are not probed.
    for (const { name, healthy } of health.providers.filter((one) => !one.name.includes(" ")))
      expect({ name, healthy }).toEqual({ name, healthy: false });
  });

  it("returns stored values as stale after a restart", async () => {
    await installation.stop();
    installation = await stage.open(suite.dir);
    await expectStale("store");
    expect(await refusalOf(installation, getQuote, { symbol: "MSFT" })).toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
  }, 60_000);

  it("returns fresh values as soon as providers respond", async () => {
    stage.replay.set({});
    await installation.stop();
    installation = await stage.open(suite.dir);
    for (const [symbol] of quotes) {
      const { provenance } = await quoteOf(symbol);
      expect(provenance).toMatchObject({
        stale: false,
        served_from: "provider",
        fetched_at: stage.clock.now().toISOString(),
      });
    }
  });
});

describe("the health of providers", () => {
  it("is reported while one provider hangs, and each provider is probed once a minute", async () => {
    stage.replay.set({ each: ({ vendor }) => (vendor === "cboe" ? "timeout" : null) });
    stage.clock.move(2 * MINUTE);
    const health = await call(installation, getHealth, {});
    expect(health).toMatchObject({ ok: true, status: "degraded" });
    const states = new Map(health.providers.map(({ name, healthy }) => [name, healthy]));
    expect(states.get("cboe")).toBe(false);
    // reported before its own timeout ended the call
    expect(health.providers.find(({ name }) => name === "cboe")!.failure).toBeNull();
    expect(states.get("yahoo")).toBe(true);
    const calls = requestTotal(stage.replay);
    stage.clock.move(MINUTE / 2);
    expect((await call(installation, getHealth, {})).status).toBe("degraded");
    expect(requestTotal(stage.replay)).toBe(calls);
    stage.replay.set({});
    stage.clock.move(2 * MINUTE);
    expect((await call(installation, getHealth, {})).status).toBe("healthy");
  });
});
