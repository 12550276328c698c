import { describe, expect, it } from "vitest";
import type { CachedQuote } from "../../../src/domain/market/market-cache-port.ts";
import { ProviderFailure, type ProviderQuote } from "../../../src/domain/providers/price-provider.ts";
import type { Guarded } from "../../../src/market/failover/guard.ts";
import { createComparer } from "../../../src/market/prices/compare.ts";
import { liveQuotes } from "../../../src/market/prices/quotes.ts";
import {
  fakeProvider,
  INSTRUMENTS,
  providerQuote,
  settableClock,
  shortMemory,
} from "../../support/providers.ts";

const { us, token } = INSTRUMENTS;

/** Creates quotes over providers that can each be made to fail. */
function setup(names: readonly string[] = ["one", "two"]) {
  const clock = settableClock("2026-01-15T15:00:00Z");
  const down = new Set<string>();
  const unlisted = new Set<string>();
  const calls: string[] = [];
  const prices: Record<string, number> = { one: 100, two: 100.2 };
  const guards: readonly Guarded[] = names.map((name) =>
    fakeProvider(name, {
      clock,
      latest: async () => {
        calls.push(name);
        if (down.has(name)) throw new ProviderFailure("rate_limited", "no", { retryAfterMs: 0 });
        if (unlisted.has(name)) throw new ProviderFailure("unknown_symbol", "no");
        return providerQuote({ price: prices[name] ?? 100, tradedAt: clock.at() - 1_000 });
      },
    }),
  );
  const cache = shortMemory();
  const deps = { chain: () => guards, memory: cache.memory, clock };
  const open = () => liveQuotes({ ...deps, compare: createComparer(deps) });
  return { ...cache, deps, clock, down, unlisted, calls, prices, open, quotes: open() };
}

describe("live quotes", () => {
  it("are the first provider's, with their provenance", async () => {
    const { quotes } = setup();
    expect(await quotes.latest(us)).toEqual({
      price: 100,
      change: 1,
      changePercent: 1.01,
      volume: 1_000,
      high: 101,
      low: 99,
      open: 99.5,
      bid: null,
      ask: null,
      timestamp: "2026-01-15T14:59:59.000Z",
      source: "one",
      venue: "US",
      price_source: "live_quote",
      market_state: "regular",
      delayed_minutes: 0,
      currency: "USD",
      origin: {
        fetched_at: "2026-01-15T15:00:00.000Z",
        session: "regular",
        stale: false,
        served_from: "provider",
        tried: [{ provider: "one", outcome: "answered", ms: expect.any(Number) }],
        volume_unit: "shares",
        volume_scope: "all_venues",
      },
    });
  });

  it("are cached for seconds, then requested again", async () => {
    const { quotes, clock, calls } = setup();
    await quotes.latest(us);
    clock.move(4_000);
    expect((await quotes.latest(us)).origin).toMatchObject({
      served_from: "memory",
      fetched_at: "2026-01-15T15:00:00.000Z",
    });
    expect(calls).toEqual(["one"]);
    clock.move(2_000);
    expect((await quotes.latest(us)).origin).toMatchObject({ served_from: "provider" });
    expect(calls).toEqual(["one", "one"]);
  });

  it("are requested once for concurrent callers", async () => {
    const { quotes, calls } = setup();
    await Promise.all(Array.from({ length: 50 }, () => quotes.latest(us)));
    expect(calls).toEqual(["one"]);
  });

  it("are the streamed price while a stream has one, without a request", async () => {
    const { deps, clock, calls } = setup();
    const requested: unknown[] = [];
    let price: number | null = null;
    const streams = {
      latest: (_: unknown, quote: CachedQuote | undefined) => {
        requested.push(quote?.price);
        const origin = {
          source: "three",
          delayMinutes: 0,
          liveWithinMs: 60_000,
          fetchedAt: clock.at(),
          currency: "USD",
          officialClose: false,
          converted: null,
          bid: null,
          ask: null,
        } as const;
        return price === null ? null : { ...providerQuote({ price, tradedAt: clock.at() }), ...origin };
      },
    };
    const quotes = liveQuotes({ ...deps, streams, compare: createComparer(deps) });
    expect(await quotes.latest(us)).toMatchObject({ price: 100, source: "one" });
    price = 101.5;
    expect(await quotes.latest(us)).toMatchObject({
      price: 101.5,
      source: "three",
      price_source: "live_quote",
      origin: { served_from: "stream", stale: false, tried: [] },
    });
    expect(calls).toEqual(["one"]);
    expect(requested).toEqual([undefined, 100]);
    expect((await quotes.latest(us, { verify: true })).origin?.comparison).toMatchObject({
      verdict: "apart",
    });
    price = null;
    expect(await quotes.latest(us)).toMatchObject({ price: 100, source: "one" });
  });

  it("come from the next provider if one fails, with its name", async () => {
    const { quotes, down } = setup();
    down.add("one");
    expect(await quotes.latest(us)).toMatchObject({
      price: 100.2,
      source: "two",
      origin: { stale: false, tried: [{ outcome: "rate_limited" }, { outcome: "answered" }] },
    });
  });

  it("are served from the cache as stale if no provider responds, even if another process cached them", async () => {
    const { quotes, open, clock, down } = setup();
    await quotes.latest(us);
    clock.move(60_000);
    down.add("one").add("two");
    for (const [port, served_from] of [
      [quotes, "memory"],
      [open(), "store"],
    ] as const)
      expect(await port.latest(us)).toMatchObject({
        price: 100,
        source: "one",
        price_source: "delayed_quote",
        timestamp: "2026-01-15T14:59:59.000Z",
        origin: { stale: true, served_from, fetched_at: "2026-01-15T15:00:00.000Z" },
      });
    clock.move(86_400_000);
    await expect(quotes.latest(us)).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      data: { symbol: "AAPL", price: null },
    });
  });

  it("reject if no provider responds and nothing is cached", async () => {
    const { quotes, down } = setup();
    down.add("one").add("two");
    await expect(quotes.latest(us)).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      data: {
        tried: [
          { provider: "one", outcome: "rate_limited" },
          { provider: "two", outcome: "rate_limited" },
        ],
      },
    });
  });

  it("reject with NO_PRICE if no provider lists the symbol, and are not requested again at once", async () => {
    const { quotes, unlisted, calls, clock } = setup();
    unlisted.add("one").add("two");
    const refused = { code: "NO_PRICE", data: { symbol: "BTC-USD", price: null } };
    await expect(quotes.latest(token)).rejects.toMatchObject(refused);
    await expect(quotes.latest(token)).rejects.toMatchObject(refused);
    expect(calls).toEqual(["one", "two"]);
    clock.move(61_000);
    unlisted.clear();
    expect((await quotes.latest(token)).price).toBe(100);
  });

  it("reject with a message that no provider is connected", async () => {
    const { quotes } = setup([]);
    await expect(quotes.latest(us)).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      message: "No provider of prices for AAPL is connected",
    });
  });

  it("become less fresh while cached", async () => {
    const { quotes, clock } = setup();
    clock.move(Date.parse("2026-01-17T00:59:58Z") - clock.at()); // Friday, two seconds before the evening ends
    expect(await quotes.latest(us)).toMatchObject({ price_source: "live_quote", market_state: "post" });
    clock.move(3_000);
    expect(await quotes.latest(us)).toMatchObject({ price_source: "last_trade", market_state: "closed" });
  });

  it("reject only the caller that aborts", async () => {
    const { quotes } = setup();
    const stop = new AbortController();
    const [leaving, staying] = [quotes.latest(us, { signal: stop.signal }), quotes.latest(us)];
    stop.abort(new Error("gone"));
    await expect(leaving).rejects.toThrow("gone");
    expect((await staying).price).toBe(100);
  });
});

describe("a provider with old trades", () => {
  /** Creates quotes over providers whose newest trade is the given number of seconds old. */
  function aged(now: string, ages: Readonly<Record<string, number>>, of = us) {
    const clock = settableClock(now);
    const called: string[] = [];
    const guards = Object.entries(ages).map(([name, seconds]) =>
      fakeProvider(name, {
        clock,
        ...(name.startsWith("late") && { delayMinutes: 15 }),
        latest: async () => {
          called.push(name);
          return providerQuote({ price: 100 + seconds / 1_000, tradedAt: clock.at() - seconds * 1_000 });
        },
      }),
    );
    const { memory } = shortMemory();
    return { called, latest: () => liveQuotes({ chain: () => guards, memory, clock }).latest(of) };
  }
  const SESSION = "2026-01-15T15:00:00Z";

  it("does not hide the next provider's live price while the market is open", async () => {
    const { latest, called } = aged(SESSION, { stuck: 64_800, good: 5, never: 1 });
    expect(await latest()).toMatchObject({ source: "good", price_source: "live_quote" });
    expect(called).toEqual(["stuck", "good"]);
  });

  it("is skipped for the provider with the newest trade if none is live, and all attempts are listed", async () => {
    const { latest } = aged(SESSION, { stuck: 14_400, late: 1_000, older: 2_000 });
    const { source, price_source, origin } = await latest();
    expect([source, price_source]).toEqual(["late", "delayed_quote"]);
    expect(origin!.tried.map(({ outcome }) => outcome)).toEqual(["answered", "answered", "answered"]);
  });

  it("is used without calling a provider whose delay exceeds the age of its trade", async () => {
    const { latest, called } = aged(SESSION, { thin: 300, late: 1_000 });
    expect(await latest()).toMatchObject({ source: "thin" });
    expect(called).toEqual(["thin"]);
  });

  it("is used alone while the market is closed", async () => {
    const { latest, called } = aged("2026-01-17T15:00:00Z", { first: 60_000, second: 50_000 });
    expect(await latest()).toMatchObject({ source: "first", price_source: "last_trade" });
    expect(called).toEqual(["first"]);
  });
});

describe("a clock that was set back", () => {
  it("does not make a quote cached in the future fresh", async () => {
    const { quotes, open, clock, calls, memory } = setup();
    clock.move(3_600_000);
    await quotes.latest(us);
    clock.move(-3_600_000);
    expect(await quotes.latest(us)).toMatchObject({
      timestamp: "2026-01-15T14:59:59.000Z",
      origin: { served_from: "provider" },
    });
    expect(calls).toEqual(["one", "one"]);
    memory.saveQuote("AAPL", { ...(await memory.quote("AAPL"))!, fetchedAt: clock.at() + 86_400_000 });
    expect(await open().latest(us)).toMatchObject({ origin: { served_from: "provider" } });
  });
});

describe("two providers compared", () => {
  /** Compares the trades of two providers, each given as price and time. */
  async function compared(
    now: string,
    trades: readonly (readonly [price: number, traded: string])[],
    over: Partial<ProviderQuote> = { high: null, low: null },
  ) {
    const clock = settableClock(now);
    const guards = trades.map(([price, traded], i) =>
      fakeProvider(["one", "two"][i]!, {
        clock,
        latest: async () => providerQuote({ price, tradedAt: Date.parse(traded), ...over }),
      }),
    );
    const { memory, found } = shortMemory();
    const deps = { chain: () => guards, memory, clock };
    const quotes = liveQuotes({ ...deps, compare: createComparer(deps) });
    return { comparison: (await quotes.latest(us, { verify: true })).origin?.comparison, found };
  }

  it("are called once a minute for any number of callers", async () => {
    const { quotes, calls, clock } = setup();
    await quotes.latest(us, { verify: true });
    await Promise.all(Array.from({ length: 9 }, () => quotes.latest(us, { verify: true })));
    expect(calls).toEqual(["one", "two"]);
    clock.move(61_000);
    await quotes.latest(us, { verify: true });
    expect(calls).toEqual(["one", "two", "one", "two"]);
  });

  it("are apart for trades of any age if the difference is extreme", async () => {
    const { comparison, found } = await compared(
      "2026-01-15T15:00:00Z",
      [
        [19_205, "2026-01-15T14:59:59Z"],
        [192, "2026-01-15T14:45:00Z"],
      ],
      {},
    );
    expect(comparison).toMatchObject({ verdict: "apart", provider: "two" });
    expect(found).toHaveLength(1);
  });

  it.each([
    ["within half a percent agree", 100.5, "agree", 0.5],
    ["beyond half a percent are apart", 100.6, "apart", 0.6],
  ] as const)("%s", async (_, other, verdict, difference_percent) => {
    const { quotes, prices, found } = setup();
    prices.two = other;
    expect((await quotes.latest(us, { verify: true })).origin?.comparison).toEqual({
      provider: "two",
      price: other,
      as_of: "2026-01-15T14:59:59.000Z",
      difference_percent,
      limit_percent: 0.5,
      verdict,
    });
    expect(found).toEqual(
      verdict === "agree"
        ? []
        : [
            {
              symbol: "AAPL",
              at: "2026-01-15T15:00:00.000Z",
              providers: ["one", "two"],
              prices: [100, other],
              difference_percent,
              limit_percent: 0.5,
            },
          ],
    );
  });

  it("may differ by one percent for crypto", async () => {
    const { quotes, prices } = setup();
    prices.two = 101;
    expect((await quotes.latest(token, { verify: true })).origin?.comparison).toMatchObject({
      limit_percent: 1,
      verdict: "agree",
    });
  });

  it("are incomparable if one traded after the close and the other at the close", async () => {
    const saturday = "2026-01-17T12:00:00Z";
    const { comparison } = await compared(saturday, [
      [100, "2026-01-17T00:50:00Z"],
      [102, "2026-01-16T21:00:00Z"],
    ]);
    expect(comparison).toMatchObject({ provider: "two", verdict: "incomparable" });
  });

  it("are not compared if the other provider does not respond", async () => {
    const { quotes, down } = setup();
    down.add("two");
    const { origin } = await quotes.latest(us, { verify: true });
    expect(origin?.comparison).toBeUndefined();
  });
});
