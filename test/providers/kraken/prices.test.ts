import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { kraken, pairOf } from "../../../src/providers/kraken/prices.ts";
import { krakenVendor } from "../../replay/kraken.ts";
import { fixed, MOMENT, UNLISTED_TOKEN } from "../../support/fixed-world.ts";
import { describePriceProvider } from "../../support/price-provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, signal, token } from "../requests.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const BTC = token("BTC");

/** Responses by the last part of the path, and the requested URLs. */
function respondWith(bodies: Readonly<Record<string, unknown>>) {
  const requests: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    const url = new URL(String(input));
    requests.push(`${url.host}${url.pathname}${url.search}`);
    const body = bodies[url.pathname.split("/").at(-1)!];
    return new Response(typeof body === "string" ? body : JSON.stringify(body));
  };
  return { source: kraken({ fetch }), requests };
}

const holding = (key: string, value: unknown, last?: unknown) => ({
  error: [],
  result: { [key]: value, ...(last !== undefined && { last }) },
});
const TRADE = ["63243.80000", "0.00092800", 1785718731.6424, "b", "m", "", 61044952];
const DAY_OF_BTC = {
  a: ["63243.80000", "1", "1.000"],
  b: ["63243.70000", "1", "1.000"],
  c: ["63243.80000", "0.00092800"],
  v: ["55.74378179", "810.57235439"],
  p: ["63264.56913", "63240.68062"],
  t: [2105, 37019],
  l: ["63150.00000", "62759.30000"],
  h: ["63513.40000", "63712.10000"],
  o: "63500.00000",
};
const quoting = (trades: readonly unknown[] = [TRADE], day: object = DAY_OF_BTC) =>
  respondWith({
    Trades: holding("XXBTZUSD", trades, "1785718731642400000"),
    Ticker: holding("XXBTZUSD", day),
  });

describePriceProvider("kraken", {
  make: (fetch) => kraken({ fetch }),
  vendor: krakenVendor,
  instruments: { good: fixed("BTC-USD"), unknown: UNLISTED_TOKEN, other: fixed("ETH-USD") },
  // the day opens at 00:00 UTC
  quoted: (world, { symbol }) => {
    const { price, at } = world.trade(symbol)!;
    return { price, tradedAt: at };
  },
});

describeWithData("kraken as recorded", ["fixtures", "kraken"], (folder) => {
  const recorded = (file: string) => readFileSync(join(folder, file), "utf8");

  it("reads bars, oldest first, from its own name of bitcoin", async () => {
    const { source, requests } = respondWith({ OHLC: recorded("xchange_example-ohlc-data.json") });
    const request = {
      timeframe: "5m",
      from: 1502402520000,
      until: 1502402520000 + 1.5 * MINUTE,
      signal,
    } as const;
    const { bars, ...rest } = await source.history!(BTC, request);
    expect(bars).toEqual([
      { time: 1502402520000, open: 3449.992, high: 3449.999, low: 3449.992, close: 3449.999, volume: 1.012 },
      {
        time: 1502402580000,
        open: 3449.997,
        high: 3450,
        low: 3440.001,
        close: 3440.001,
        volume: 7.36749998,
      },
    ]);
    expect(rest).toEqual({
      adjustment: "raw",
      hours: "regular",
      volumeScope: "one_venue",
      venue: "KRAKEN",
    });
    expect(requests).toEqual(["api.kraken.com/0/public/OHLC?pair=XBTUSD&interval=5&since=1502402519"]);
  });

  it("does not take its 720 bars for more than they are", async () => {
    const { source } = respondWith({ OHLC: recorded("xchange_example-ohlc-data.json") });
    const request = { timeframe: "5m", from: 1502402460000, until: 1502445660000, signal } as const;
    expect(await kindOf(source.history!(BTC, request))).toBe("unsupported");
  });

  it("takes no day of another pair, in tether or in euros", async () => {
    for (const file of ["nautilus_http_ticker.json", "xchange_example-ticker-data.json"]) {
      const { source } = respondWith({ Trades: holding("XXBTZUSD", [TRADE]), Ticker: recorded(file) });
      expect([file, await kindOf(source.latest!(BTC, { signal }))]).toEqual([file, "malformed"]);
    }
  });

  it("knows its pairs in dollars by their requested and returned names", () => {
    const { result } = JSON.parse(recorded("xchange_example-assetpairs-data.json")) as {
      result: Record<string, { altname: string; wsname?: string; quote: string }>;
    };
    const pairs = Object.entries(result).filter(
      ([, { quote, wsname }]) => quote === "ZUSD" && wsname !== undefined,
    );
    expect(pairs).toHaveLength(18);
    for (const [key, { altname, wsname }] of pairs) {
      const base = wsname!.split("/")[0]!;
      const pair = pairOf(token(base === "XBT" ? "BTC" : base));
      expect(pair.name).toBe(altname);
      expect(pair.keys).toContain(key);
    }
  });
});

describe("kraken", () => {
  it("dates a price by its trade, with the 24 hours before it", async () => {
    const { source, requests } = quoting();
    expect(await source.latest!(BTC, { signal })).toEqual({
      price: 63243.8,
      tradedAt: 1785718731642,
      previousClose: null,
      open: null,
      high: 63712.1,
      low: 62759.3,
      volume: 810.57235439,
      volumeScope: "one_venue",
      venue: "KRAKEN",
    });
    expect(requests).toEqual([
      "api.kraken.com/0/public/Trades?pair=XBTUSD&count=1",
      "api.kraken.com/0/public/Ticker?pair=XBTUSD",
    ]);
  });

  it("takes the newest of several trades", async () => {
    const older = ["1.00000", "1.0", 1785718730.5, "b", "m", "", 1];
    for (const trades of [
      [older, TRADE],
      [TRADE, older],
    ])
      expect(await quoting(trades).source.latest!(BTC, { signal })).toMatchObject({ price: 63243.8 });
  });

  it("leaves out figures of the day that are 0 or not there", async () => {
    const { source } = quoting([TRADE], { h: ["1.0", "0.0"], v: ["6.0", "5.0"] });
    expect(await source.latest!(BTC, { signal })).toMatchObject({
      previousClose: null,
      open: null,
      high: null,
      low: null,
      volume: 5,
    });
  });

  it("does not take XTZUSD, which is Tezos, for an answer about T", async () => {
    const answer = JSON.stringify({ error: [], result: { XTZUSD: [TRADE], last: "1" } });
    const source = kraken({ fetch: async () => new Response(answer) });
    const threshold = { ...BTC, symbol: "T-USD", name: "Threshold" };
    expect(await kindOf(source.latest!(threshold, { signal }))).toBe("malformed");
  });

  it("does not know a pair that has not traded for a day, or never", async () => {
    const still = quoting([TRADE], { ...DAY_OF_BTC, v: ["0.00000000", "0.00000000"] });
    for (const { source } of [still, quoting([])])
      expect(await kindOf(source.latest!(BTC, { signal }))).toBe("unknown_symbol");
  });

  it("refuses an invalid price or time", async () => {
    for (const [price, seconds] of [
      ["0.00000", 1785718731],
      ["-1", 1785718731],
      ["1e5", 1785718731],
      ["63243.8", 0],
      ["63243.8", "1785718731"],
    ]) {
      const { source } = quoting([[price, "1.0", seconds]]);
      expect(await kindOf(source.latest!(BTC, { signal }))).toBe("malformed");
    }
  });

  it("takes an answer that holds two pairs for none", async () => {
    const result = { XXBTZUSD: [], XETHZUSD: [], last: 0 };
    const { source } = respondWith({ OHLC: { error: [], result } });
    const request = { timeframe: "1d", from: 0, until: DAY, signal } as const;
    expect(await kindOf(source.history!(BTC, request))).toBe("malformed");
  });

  it("returns no bars for an empty list, and none after the window", async () => {
    const request = { timeframe: "1d", from: DAY, until: 2 * DAY, signal } as const;
    const none = respondWith({ OHLC: holding("XXBTZUSD", [], 0) }).source;
    expect(await none.history!(BTC, request)).toMatchObject({ bars: [] });
    const row = (day: number) => [day * 86_400, "1.0", "2.0", "1.0", "2.0", "1.5", "3.0", 7];
    const some = respondWith({ OHLC: holding("XXBTZUSD", [row(1), row(2), row(3)], 0) }).source;
    const { bars } = await some.history!(BTC, request);
    expect(bars.map(({ time }) => time)).toEqual([DAY, 2 * DAY]);
  });

  it("reaches back 718 bars of each length", () => {
    const { reaches } = kraken({ fetch });
    expect(reaches["1d"]).toBe(718);
    expect(reaches["4h"]).toBeCloseTo(119.67, 2);
    expect(reaches["5m"]).toBeCloseTo(2.493, 3);
  });

  it.each([
    ["BTC", "XBTUSD"],
    ["DOGE", "XDGUSD"],
    ["LUNA", "LUNA2USD"],
    ["LUNC", "LUNAUSD"],
    ["SOL", "SOLUSD"],
  ])("calls %s %s", async (base, name) => {
    const { source, requests } = respondWith({ OHLC: holding(name, [], 0) });
    await source.history!(token(base), { timeframe: "1d", from: 0, until: MOMENT, signal });
    expect(requests[0]).toContain(`pair=${name}&`);
  });

  it("refuses other instruments than tokens in dollars without a call", async () => {
    const { source, requests } = quoting();
    for (const of of [token("USD"), token("$WIF"), { ...BTC, symbol: "BTC-EUR" }])
      expect(await kindOf(source.latest!(of, { signal }))).toBe("unsupported");
    expect(requests).toEqual([]);
  });

  it.each([
    ["EQuery:Unknown asset pair", "unknown_symbol"],
    ["EAPI:Rate limit exceeded", "rate_limited"],
    ["EGeneral:Too many requests", "rate_limited"],
    ["EService: Throttled: 1764776700", "rate_limited"],
    ["EService:Unavailable", "down"],
    ["EService:Busy", "down"],
    ["EGeneral:Internal error", "down"],
    ["EGeneral:Invalid arguments", "malformed"],
  ])("calls %s %s", async (said, kind) => {
    const { source } = respondWith({ OHLC: { error: [said] } });
    const request = { timeframe: "1d", from: 0, until: DAY, signal } as const;
    expect(await kindOf(source.history!(BTC, request))).toBe(kind);
  });
});
