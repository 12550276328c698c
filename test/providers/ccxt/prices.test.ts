import { describe, expect, it } from "vitest";
import type { Instrument } from "../../../src/domain/market/market.ts";
import { ccxt } from "../../../src/providers/ccxt/prices.ts";
import { unreachableFetch } from "../../support/faulty-fetch.ts";
import { kindOf, NO_DAY, signal, token } from "../requests.ts";
import { fakeCcxt, type Said, spot } from "./fake-ccxt.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 10, 20, 12);
const BTC = token("BTC");

const TICKER = {
  symbol: "BTC/USD",
  open: 90_000,
  high: 92_000,
  low: 89_500,
  baseVolume: 1234.5,
  timestamp: NOON,
};
const TRADE = { symbol: "BTC/USD", timestamp: NOON - 7_000, price: 91_000.5 };
const quoting: Said = { ticker: () => TICKER, trades: () => [TRADE] };
const row = (time: number, volume: number | undefined = 2) => [time, 10, 12, 9, 11, volume];

function over(said: Said) {
  const fake = fakeCcxt(said);
  return { ...fake, provider: ccxt("testex", { fetch: unreachableFetch, load: fake.load }) };
}

describe("an exchange through ccxt", () => {
  it("is a provider with its own name", () => {
    const { load, loads } = fakeCcxt({});
    const providers = ["bitstamp", "bitfinex"].map((id) => ccxt(id, { fetch: unreachableFetch, load }));
    expect(providers.map(({ name }) => name)).toEqual(["ccxt:bitstamp", "ccxt:bitfinex"]);
    expect(providers.map(({ serves }) => [...serves])).toEqual([["crypto"], ["crypto"]]);
    expect(loads()).toBe(0);
  });

  it("loads the package and the markets with the first request only", async () => {
    const { provider, requests, loads } = over(quoting);
    expect([loads(), requests]).toEqual([0, []]);
    await Promise.all([provider.latest!(BTC, { signal }), provider.latest!(BTC, { signal })]);
    await provider.latest!(BTC, { signal });
    expect(loads()).toBe(1);
    expect(requests.slice(0, 2)).toEqual(["new 10000", "markets"]);
    expect(requests.filter((question) => question === "markets").length).toBe(1);
  });

  it("returns the newest trade and its time, with the exchange's figures of the day", async () => {
    const older = { ...TRADE, timestamp: TRADE.timestamp - 1, price: 1 };
    const { provider, requests } = over({ ...quoting, trades: () => [TRADE, older] });
    expect(await provider.latest!(BTC, { signal })).toEqual({
      price: 91_000.5,
      currency: "USD",
      tradedAt: NOON - 7_000,
      previousClose: 90_000,
      open: 90_000,
      high: 92_000,
      low: 89_500,
      volume: 1234.5,
      bid: null,
      ask: null,
      volumeScope: "one_venue",
      venue: "TESTEX",
    });
    expect(requests.slice(2)).toEqual(["trades BTC/USD undefined 1", "ticker BTC/USD"]);
  });

  it("omits missing figures of the day", async () => {
    const { provider } = over({
      ...quoting,
      ticker: () => ({ symbol: "BTC/USD", open: undefined, high: 0 }),
    });
    expect(await provider.latest!(BTC, { signal })).toMatchObject(NO_DAY);
  });

  it("uses the pair in USDT without an active spot pair in dollars", async () => {
    const markets = {
      "BTC/USD": { ...spot("BTC/USD"), active: false },
      "BTC/USDT": spot("BTC/USDT"),
      "ETH/USD": { symbol: "ETH/USD:ETH", spot: false },
      "USDT/USDT": spot("USDT/USDT"),
    };
    const inUsdt = {
      ticker: () => ({ ...TICKER, symbol: "BTC/USDT" }),
      trades: () => [{ ...TRADE, symbol: "BTC/USDT" }],
    };
    const { provider, requests } = over({ ...inUsdt, markets });
    expect(await provider.latest!(BTC, { signal })).toMatchObject({ price: 91_000.5 });
    expect(requests.at(-1)).toBe("ticker BTC/USDT");
    expect(await kindOf(provider.latest!(token("ETH"), { signal }))).toBe("unknown_symbol");
    expect(await kindOf(provider.latest!(token("constructor"), { signal }))).toBe("unsupported");
  });

  it("rejects a response about another pair", async () => {
    const other = { symbol: "ETH/USD" };
    for (const said of [
      { ...quoting, ticker: () => ({ ...TICKER, ...other }) },
      { ...quoting, trades: () => [{ ...TRADE, ...other }] },
    ])
      expect(await kindOf(over(said).provider.latest!(BTC, { signal }))).toBe("malformed");
  });

  it.each<[string, Said, string]>([
    ["no recent trade", { ...quoting, trades: () => [] }, "unsupported"],
    [
      "a trade without a time",
      { ...quoting, trades: () => [{ ...TRADE, timestamp: undefined }] },
      "malformed",
    ],
    ["a price of 0", { ...quoting, trades: () => [{ ...TRADE, price: 0 }] }, "malformed"],
    ["no trade for a day", { ...quoting, ticker: () => ({ ...TICKER, baseVolume: 0 }) }, "unknown_symbol"],
    ["nothing", {}, "malformed"],
    ["no market at all", { ...quoting, markets: {} }, "malformed"],
  ])("gives no price from %s", async (_, said, kind) => {
    expect(await kindOf(over(said).provider.latest!(BTC, { signal }))).toBe(kind);
  });

  it("returns bars with missing values as they are", async () => {
    const { provider, requests } = over({
      rows: () => [row(NOON), [NOON + HOUR, 10, undefined, 0, 11, undefined]],
    });
    const request = { timeframe: "1h", from: NOON, until: NOON + HOUR, signal } as const;
    expect(await provider.history!(BTC, request)).toEqual({
      bars: [
        { time: NOON, open: 10, high: 12, low: 9, close: 11, volume: 2 },
        { time: NOON + HOUR, open: 10, high: null, low: null, close: 11, volume: null },
      ],
      adjustment: "raw",
      currency: "USD",
      hours: "regular",
      volumeScope: "one_venue",
      venue: "TESTEX",
    });
    expect(requests.at(-1)).toBe(`bars BTC/USD 1h ${NOON} 2`);
  });

  it("pages forward by the exchange's page size, across times without bars", async () => {
    const first = NOON + 5 * HOUR;
    const rows = (_: string, since: number, limit: number) =>
      Array.from({ length: limit }, (__, i) => row(since + i * HOUR)).filter(([time]) => time! >= first);
    const { provider, requests } = over({ page: 4, rows });
    const request = { timeframe: "1h", from: NOON, until: NOON + 9 * HOUR, signal } as const;
    const { bars } = await provider.history!(BTC, request);
    expect(bars.map(({ time }) => (time - NOON) / HOUR)).toEqual([5, 6, 7, 8, 9]);
    expect(requests.slice(2)).toEqual(
      [
        [0, 4],
        [4, 4],
        [8, 2],
      ].map(([at, limit]) => `bars BTC/USD 1h ${NOON + at! * HOUR} ${limit}`),
    );
  });

  it("stops requesting if the same bars are returned again", async () => {
    const { provider, requests } = over({ page: 4, rows: () => [row(NOON)] });
    const request = { timeframe: "1h", from: NOON, until: NOON + 40 * HOUR, signal } as const;
    expect(await kindOf(provider.history!(BTC, request))).toBe("unsupported");
    expect(requests.slice(2).length).toBe(12);
  });

  it("aggregates missing timeframes from shorter bars, complete from the first to the last", async () => {
    const rows = (_: string, since: number, limit: number) =>
      Array.from({ length: limit }, (__, i) => row(since + i * HOUR));
    const { provider, requests } = over({ timeframes: { "1h": "60", "1d": "1d" }, rows });
    const request = { timeframe: "4h", from: NOON + HOUR, until: NOON + 4 * HOUR, signal } as const;
    const { bars } = await provider.history!(BTC, request);
    expect(requests.at(-1)).toBe(`bars BTC/USD 1h ${NOON} 8`);
    expect(bars).toEqual([
      { time: NOON, open: 10, high: 12, low: 9, close: 11, volume: 8 },
      { time: NOON + 4 * HOUR, open: 10, high: 12, low: 9, close: 11, volume: 8 },
    ]);
    expect(await kindOf(provider.history!(BTC, { ...request, timeframe: "5m" }))).toBe("unsupported");
  });

  it("rejects daily bars that do not start at 00:00 UTC", async () => {
    const { provider } = over({ rows: () => [row(NOON - 20 * HOUR)] });
    const request = { timeframe: "1d", from: NOON - DAY, until: NOON, signal } as const;
    expect(await kindOf(provider.history!(BTC, request))).toBe("unsupported");
    const empty = over({ rows: () => [] });
    expect(await empty.provider.history!(BTC, request)).toMatchObject({ bars: [] });
  });

  it("rejects stocks, unknown exchanges and a missing package", async () => {
    const { provider, load, loads } = over(quoting);
    const stock: Instrument = { ...BTC, symbol: "BTC", asset_class: "equity" };
    expect(await kindOf(provider.latest!(stock, { signal }))).toBe("unsupported");
    expect(loads()).toBe(0);
    for (const id of ["nonesuch", "BadSymbol", "exchanges"])
      expect(await kindOf(ccxt(id, { fetch: unreachableFetch, load }).latest!(BTC, { signal }))).toBe(
        "unsupported",
      );
    const absent = ccxt("testex", {
      fetch: unreachableFetch,
      load: () =>
        Promise.reject(Object.assign(new Error("no such package"), { code: "ERR_MODULE_NOT_FOUND" })),
    });
    await expect(absent.latest!(BTC, { signal })).rejects.toMatchObject({
      kind: "unsupported",
      message: "ccxt is not installed: npm install ccxt",
    });
  });

  it("ends an aborted request and keeps the markets for the next one", async () => {
    let loaded = (): void => {};
    const { provider, requests } = over({
      ...quoting,
      loadMarkets: () =>
        new Promise<void>((resolve) => {
          loaded = resolve;
        }),
    });
    const leaving = new AbortController();
    const left = kindOf(provider.latest!(BTC, { signal: leaving.signal }));
    await new Promise(setImmediate);
    leaving.abort();
    expect(await left).toBe("timeout");
    loaded();
    expect(await provider.latest!(BTC, { signal })).toMatchObject({ price: 91_000.5 });
    expect(requests.filter((question) => question === "markets").length).toBe(1);
    expect(await kindOf(provider.latest!(BTC, { signal: leaving.signal }))).toBe("timeout");
  });

  it("loads the markets again after a failure", async () => {
    let failures = 1;
    const { provider } = over({
      ...quoting,
      loadMarkets: () => {
        if (failures-- > 0) throw new Error("broken");
      },
    });
    expect(await kindOf(provider.latest!(BTC, { signal }))).toBe("malformed");
    expect(await kindOf(provider.latest!(BTC, { signal }))).toBe("answered");
  });
});
