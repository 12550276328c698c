import { describe, expect, it } from "vitest";
import { embeddedListings } from "../../../src/market/symbols/listings.ts";
import { coingecko, IDS } from "../../../src/providers/coingecko/prices.ts";
import { coingeckoVendor } from "../../replay/coingecko.ts";
import { fixed, UNLISTED_TOKEN } from "../../support/fixed-world.ts";
import { describePriceProvider } from "../../support/price-provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, NO_DAY, readJson, respondWith, signal, token } from "../requests.ts";

const BTC = token("BTC");

/** A provider with one response, the requested URLs, and the headers. */
function respond(body: unknown, { status = 200, demoKey }: { status?: number; demoKey?: string } = {}) {
  const recorded = respondWith({ "": body }, { status });
  return { ...recorded, provider: coingecko({ ...recorded, ...(demoKey !== undefined && { demoKey }) }) };
}

const PRICE = {
  usd: 64_000,
  usd_24h_vol: 32_000_000_000,
  usd_24h_change: 25,
  last_updated_at: 1_790_000_000,
};
const request = (change: object) =>
  respond({ bitcoin: { ...PRICE, ...change } }).provider.latest!(BTC, { signal });

describe.each([
  ["with a key", coingeckoVendor.key!],
  ["without a key", undefined],
])("%s", (_, demoKey) => {
  describePriceProvider("coingecko", {
    make: (fetch) => coingecko({ fetch, ...(demoKey !== undefined && { demoKey }) }),
    vendor: coingeckoVendor,
    instruments: { good: fixed("BTC-USD"), unknown: UNLISTED_TOKEN, other: fixed("ETH-USD") },
    accept: {
      // A token without a known id is never requested.
      unknown: ["unsupported"],
      // CoinGecko returns an empty object for a delisted coin.
      shapes: ["unknown_symbol"],
    },
    // Its day is the 24 hours before the price, not the UTC day.
    quoted: (world, { symbol }) => {
      const { price, at } = world.trade(symbol)!;
      return { price, tradedAt: at };
    },
  });
});

describeWithData("coingecko's ids", ["universe", "coingecko_top50_2026.json"], (file) => {
  it("match those of the fifty largest coins", () => {
    const coins = readJson<{ id: string; symbol: string }[]>(file);
    expect(coins).toHaveLength(50);
    const known = coins.filter(({ symbol }) => IDS.has(symbol.toUpperCase()));
    expect(known.map(({ symbol }) => IDS.get(symbol.toUpperCase()))).toEqual(known.map(({ id }) => id));
    expect(known).toHaveLength(42);
    const tokens = embeddedListings().tokens;
    const left = coins.filter(({ symbol }) => !IDS.has(symbol.toUpperCase()));
    expect(left.filter(({ symbol }) => tokens.has(symbol.toUpperCase()))).toEqual([]);
  });
});

describe("coingecko", () => {
  it("requests one coin in dollars with full precision", async () => {
    const { provider, requests } = respond({ bitcoin: PRICE });
    expect(await provider.latest!(BTC, { signal })).toEqual({
      ...NO_DAY,
      price: 64_000,
      tradedAt: 1_790_000_000_000,
      // 64,000 / 1.25
      previousClose: 51_200,
      // 32,000,000,000 / 64,000
      volume: 500_000,
      volumeScope: "all_venues",
      venue: "COINGECKO",
    });
    expect(requests).toEqual([
      "https://api.coingecko.com/api/v3/simple/price?ids=bitcoin&vs_currencies=usd&include_24hr_change=true&include_24hr_vol=true&include_last_updated_at=true&precision=full",
    ]);
  });

  it("returns null for missing and impossible figures", async () => {
    const none = { previousClose: null, volume: null };
    expect(await request({ usd_24h_change: null, usd_24h_vol: null })).toMatchObject(none);
    expect(await request({ usd_24h_change: undefined, usd_24h_vol: 0 })).toMatchObject(none);
    expect(await request({ usd_24h_change: -100, usd_24h_vol: -1 })).toMatchObject(none);
    expect(await request({ usd_24h_change: -250 })).toMatchObject({ previousClose: null });
  });

  it("reports a coin without data, price or time as unknown", async () => {
    for (const body of [{}, { bitcoin: {} }])
      expect(await kindOf(respond(body).provider.latest!(BTC, { signal }))).toBe("unknown_symbol");
    for (const change of [{ usd: null }, { usd: 0 }, { last_updated_at: null }])
      expect(await kindOf(request(change))).toBe("unknown_symbol");
  });

  it("rejects tokens without a known id and other instruments, without a call", async () => {
    const { provider, requests } = respond({ bitcoin: PRICE });
    for (const of of [token("ZZQX"), token("bitcoin"), fixed("AAPL"), fixed("LINK")])
      expect(await kindOf(provider.latest!(of, { signal }))).toBe("unsupported");
    expect(requests).toEqual([]);
  });

  it("has unique ids, only of listed tokens", () => {
    const tokens = embeddedListings().tokens;
    expect([...IDS.keys()].filter((base) => !tokens.has(base))).toEqual([]);
    expect(new Set(IDS.values()).size).toBe(IDS.size);
    expect([...IDS.values()].filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  });

  it.each([
    ["CG-secret", 25],
    [undefined, 10],
  ])("sends the key %j in a header and calls %i times a minute at most", async (demoKey, calls) => {
    const { provider, headers } = respond({ bitcoin: PRICE }, demoKey === undefined ? {} : { demoKey });
    await provider.latest!(BTC, { signal });
    expect(headers.map((sent) => sent.get("x-cg-demo-api-key"))).toEqual([demoKey ?? null]);
    expect(provider.budget).toEqual({ calls, perMs: 60_000, atOnce: 2 });
  });

  it.each([
    [200, { status: { error_code: 429, error_message: "words" } }, "rate_limited"],
    [400, { error_code: 10011, status: { error_message: "words" } }, "auth"],
    [401, { status: { error_code: 10002 } }, "auth"],
    [401, { error: "words" }, "auth"],
    [200, { status: { error_code: 503 } }, "down"],
    [400, { error: "words" }, "malformed"],
    [200, { ethereum: PRICE }, "malformed"],
    [200, { bitcoin: PRICE, ethereum: PRICE }, "malformed"],
    [200, { bitcoin: { ...PRICE, usd: "64000" } }, "malformed"],
    [200, { bitcoin: { ...PRICE, last_updated_at: 1.5 } }, "malformed"],
  ])("maps status %i with %j to %s", async (status, body, kind) => {
    expect(await kindOf(respond(body, { status }).provider.latest!(BTC, { signal }))).toBe(kind);
  });
});
