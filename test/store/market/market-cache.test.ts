import { describe, expect, it } from "vitest";
import type { CachedBars, CachedQuote, Disagreement } from "../../../src/domain/market/market-cache-port.ts";
import { marketCache } from "../../../src/store/market/market-cache.ts";
import { collectingLog, stoppedClock } from "../../support/context.ts";
import { testStore } from "../../support/store.ts";

const T = Date.parse("2026-01-15T15:00:00Z");
const quote = (over: Partial<CachedQuote> = {}): CachedQuote => ({
  source: "one",
  venue: "US",
  volumeScope: "all_venues",
  fetchedAt: T,
  price: 100.25,
  tradedAt: T - 1_000,
  previousClose: null,
  open: null,
  high: null,
  low: null,
  volume: null,
  officialClose: false,
  currency: "USD",
  converted: null,
  bid: null,
  ask: null,
  delayMinutes: 0,
  liveWithinMs: 120_000,
  ...over,
});
const bars = (over: Partial<CachedBars> = {}): CachedBars => ({
  source: "one",
  venue: "US",
  volumeScope: "all_venues",
  fetchedAt: T,
  from: T - 86_400_000,
  at: T,
  adjustment: "split",
  currency: "USD",
  actions: null,
  omitted: [],
  bars: [{ time: T, open: 0.1, high: 0.30000000000000004, low: 0.1, close: 0.2, volume: 1e15 }],
  forming: null,
  ...over,
});
const apart: Disagreement = {
  symbol: "AAPL",
  at: "2026-01-15T15:00:00.000Z",
  providers: ["one", "two"],
  prices: [100, 102],
  difference_percent: 2,
  limit_percent: 0.5,
};

async function openCache() {
  const { db } = await testStore();
  const { log, lines } = collectingLog();
  const open = (market = "live", now = T) =>
    marketCache({ db, market, log, clock: stoppedClock(new Date(now)) });
  return { db, open, lines };
}

describe("the cache of a market", () => {
  it("returns saved values at once, and after it was reopened", async () => {
    const { open } = await openCache();
    const cache = open();
    cache.saveQuote("AAPL", quote());
    cache.saveBars("AAPL", "1d", bars());
    cache.saveDisagreement(apart);
    const other = async () => {
      await cache.close();
      return open();
    };
    for (const view of [async () => cache, other]) {
      const stored = await view();
      expect(await stored.quote("AAPL")).toEqual(quote());
      expect(await stored.bars("AAPL", "1d")).toEqual(bars());
      expect(await stored.disagreements(10)).toEqual([apart]);
    }
    expect(await open().quote("MSFT")).toBeNull();
    expect(await open().bars("AAPL", "1h")).toBeNull();
  });

  it("returns the latest value of a symbol", async () => {
    const { open } = await openCache();
    const cache = open();
    cache.saveQuote("AAPL", quote({ price: 1 }));
    cache.saveQuote("AAPL", quote({ price: 2 }));
    await cache.close();
    cache.saveQuote("AAPL", quote({ price: 3 }));
    expect((await cache.quote("AAPL"))?.price).toBe(3);
    await cache.close();
    expect((await open().quote("AAPL"))?.price).toBe(3);
  });

  it("returns nothing of another market", async () => {
    const { open } = await openCache();
    const replay = open("live-elsewhere-1");
    replay.saveQuote("AAPL", quote());
    replay.saveBars("AAPL", "1d", bars());
    replay.saveDisagreement(apart);
    await replay.close();
    const live = open("live");
    expect(await live.quote("AAPL")).toBeNull();
    expect(await live.bars("AAPL", "1d")).toBeNull();
    expect(await live.disagreements(10)).toEqual([]);
    expect(await live.recentSymbols(0, 10)).toEqual([]);
  });

  it.each([
    "not JSON",
    "null",
    "{}",
    JSON.stringify({ ...quote(), price: 0 }),
    JSON.stringify({ ...quote(), price: "100" }),
    JSON.stringify({ ...quote(), fetchedAt: null }),
  ])("has no quote when the stored row is %s", async (json) => {
    const { open, db } = await openCache();
    const cache = open();
    cache.saveQuote("AAPL", quote());
    await cache.close();
    await db.updateTable("cached_quotes").set({ json }).execute();
    expect(await open().quote("AAPL")).toBeNull();
  });

  it.each([
    { ...bars(), bars: [{ time: T, open: 1, high: 1, low: 1, close: 0, volume: 1 }] },
    { ...bars(), bars: [...bars().bars, ...bars().bars] },
    { ...bars(), adjustment: "guessed" },
  ])("has no bars when a row is damaged (%#)", async (stored) => {
    const { open, db } = await openCache();
    const cache = open();
    cache.saveBars("AAPL", "1d", bars());
    await cache.close();
    await db
      .updateTable("cached_bars")
      .set({ json: JSON.stringify(stored) })
      .execute();
    expect(await open().bars("AAPL", "1d")).toBeNull();
  });

  it("ignores values from the future and invalid disagreements", async () => {
    const { open, db } = await openCache();
    const cache = open();
    cache.saveQuote("AAPL", quote({ fetchedAt: T + 61_000 }));
    cache.saveBars("AAPL", "1d", bars({ fetchedAt: T + 61_000 }));
    cache.saveDisagreement(apart);
    expect([await cache.quote("AAPL"), await cache.bars("AAPL", "1d")]).toEqual([null, null]);
    await cache.close();
    expect([await open().quote("AAPL"), await open().bars("AAPL", "1d")]).toEqual([null, null]);
    expect(await open("live", T + 1_000).quote("AAPL")).not.toBeNull();
    await db.updateTable("disagreements").set({ json: "{" }).execute();
    expect(await open().disagreements(10)).toEqual([]);
  });

  it("lists recently requested symbols, newest first", async () => {
    const { open } = await openCache();
    const cache = open();
    for (const [i, symbol] of ["AAPL", "MSFT", "NVDA"].entries())
      cache.saveQuote(symbol, quote({ fetchedAt: T + i * 60_000 }));
    await cache.close();
    cache.saveQuote("TSLA", quote({ fetchedAt: T + 300_000 }));
    expect(await cache.recentSymbols(T + 60_000, 10)).toEqual(["TSLA", "NVDA", "MSFT"]);
    expect(await cache.recentSymbols(T, 2)).toEqual(["TSLA", "NVDA"]);
  });

  it("deletes disagreements after thirty days", async () => {
    const { open } = await openCache();
    const cache = open();
    cache.saveDisagreement({ ...apart, at: "2025-12-01T00:00:00.000Z" });
    await cache.close();
    cache.saveDisagreement(apart);
    await cache.close();
    expect(await open().disagreements(10)).toEqual([apart]);
  });

  it("returns nothing and logs when it cannot be read", async () => {
    const { open, db, lines } = await openCache();
    await db.schema.dropTable("cached_quotes").execute();
    await db.schema.dropTable("cached_bars").execute();
    expect([await open().quote("AAPL"), await open().bars("AAPL", "1d")]).toEqual([null, null]);
    expect(lines).toMatchObject([{ event: "memory_not_read" }, { event: "memory_not_read" }]);
  });

  it("logs failed writes, and does not fail", async () => {
    const { open, db, lines } = await openCache();
    await db.schema.dropTable("cached_quotes").execute();
    const cache = open();
    cache.saveQuote("AAPL", quote());
    await cache.close();
    expect(lines).toMatchObject([{ level: "warn", event: "memory_not_stored" }]);
  });
});
