import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { coinbase } from "../../../src/providers/coinbase/prices.ts";
import { coinbaseVendor } from "../../replay/coinbase.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, MOMENT, UNLISTED_TOKEN } from "../../support/fixed-world.ts";
import { describePriceProvider } from "../../support/price-provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, signal, token } from "../requests.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BTC = token("BTC");

/** Responses by the last part of the path, and the requested URLs. */
function respondWith(bodies: Readonly<Record<string, string>>, status = 200) {
  const requests: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    const url = new URL(String(input));
    requests.push(`${url.host}${decodeURIComponent(url.pathname + url.search)}`);
    return new Response(bodies[url.pathname.split("/").at(-1)!] ?? "[]", { status });
  };
  return { source: coinbase({ fetch }), requests };
}

const TICKER =
  '{"ask":"63118.98","bid":"63118.97","volume":"3656.46091754","trade_id":1050113015,"price":"63118.97",' +
  '"size":"0.00000003","time":"2026-07-04T18:27:21.589828120Z","rfq_volume":"71.322108"}';
const STATS =
  '{"open":"62400.5","high":"63500","low":"62011.01","last":"63118.97","volume":"3656.46","volume_30day":"1"}';

describePriceProvider("coinbase", {
  make: (fetch) => coinbase({ fetch }),
  vendor: coinbaseVendor,
  instruments: { good: fixed("BTC-USD"), unknown: UNLISTED_TOKEN, other: fixed("ETH-USD") },
  // neither trades nor bars say which product they are of
  echoless: ["latest", "history"],
  noBars: ["[]"],
  // its day is the 24 hours before the trade, not the UTC day
  quoted: (world, { symbol }) => {
    const { price, at } = world.trade(symbol)!;
    return { price, tradedAt: at };
  },
});

describeWithData("coinbase as recorded", ["fixtures", "coinbase"], (folder) => {
  const recorded = (file: string) => readFileSync(join(folder, file), "utf8");

  it("dates a price by its trade, to the millisecond", async () => {
    const ticker = recorded("mimir_coinbase_exchange_ticker.json");
    const { source } = respondWith({ ticker, stats: STATS });
    expect(await source.latest!(BTC, { signal })).toMatchObject({
      price: 63118.97,
      tradedAt: Date.UTC(2026, 6, 4, 18, 27, 21, 589),
    });
  });

  it("returns the 24 hours before a trade", async () => {
    const { source, requests } = respondWith({
      ticker: recorded("xchange_coinbasepro_ticker.json"),
      stats: recorded("xchange_coinbasepro_stats.json"),
    });
    expect(await source.latest!(BTC, { signal })).toEqual({
      price: 246.28,
      tradedAt: Date.UTC(2015, 3, 8, 20, 49, 6, 506),
      previousClose: 254.04,
      open: 254.04,
      high: 255.47,
      low: 244.29,
      volume: 7697.38286685,
      volumeScope: "one_venue",
      venue: "COINBASE",
    });
    expect(requests).toEqual([
      "api.exchange.coinbase.com/products/BTC-USD/ticker",
      "api.exchange.coinbase.com/products/BTC-USD/stats",
    ]);
  });

  it("does not take the answers of its other service", async () => {
    const { source } = respondWith({
      ticker: recorded("nautilus_http_ticker.json"),
      stats: STATS,
      candles: recorded("nautilus_http_candles.json"),
    });
    expect(await kindOf(source.latest!(BTC, { signal }))).toBe("malformed");
    const request = { timeframe: "1h", from: 1712188800000, until: 1712192400000, signal } as const;
    expect(await kindOf(source.history!(BTC, request))).toBe("malformed");
  });

  it("calls products by their base and quote", () => {
    const products = JSON.parse(recorded("xchange_coinbasepro_products.json")) as {
      id: string;
      base_currency: string;
      quote_currency: string;
    }[];
    for (const { id, base_currency, quote_currency } of products)
      expect(id).toBe(`${base_currency}-${quote_currency}`);
  });
});

describe("coinbase", () => {
  it("reads the low before the high, as its documents have it", async () => {
    const { source, requests } = respondWith({
      candles: "[[1712192400,66055.14,66331.99,66312.4,66181.6,355.82896243]]",
    });
    const from = 1712192400000;
    const { bars, ...rest } = await source.history!(BTC, { timeframe: "1h", from, until: from, signal });
    expect(bars).toEqual([
      { time: from, open: 66312.4, high: 66331.99, low: 66055.14, close: 66181.6, volume: 355.82896243 },
    ]);
    expect(rest).toEqual({
      adjustment: "raw",
      hours: "regular",
      volumeScope: "one_venue",
      venue: "COINBASE",
    });
    expect(requests).toEqual([
      "api.exchange.coinbase.com/products/BTC-USD/candles?granularity=3600&start=2024-04-04T01:00:00.000Z&end=2024-04-04T01:00:00.000Z",
    ]);
  });

  it("says who it is", async () => {
    const agents: (string | null)[] = [];
    const fetch: typeof globalThis.fetch = async (_, init) => {
      agents.push(new Headers(init?.headers).get("user-agent"));
      return new Response("[]");
    };
    await coinbase({ fetch }).history!(BTC, { timeframe: "1d", from: 0, until: DAY, signal });
    expect(agents).toEqual(["market-signal"]);
  });

  it("requests pages of 300 bars, two at a time, newest first", async () => {
    const honest = fetchFrom(coinbaseVendor, fixedWorld());
    const requests: (readonly [number, number])[] = [];
    let [under, most] = [0, 0];
    const source = coinbase({
      fetch: async (input, init) => {
        const { searchParams } = new URL(String(input));
        requests.push([Date.parse(searchParams.get("start")!), Date.parse(searchParams.get("end")!)]);
        under += 1;
        most = Math.max(most, under);
        await Promise.resolve();
        under -= 1;
        return honest(input, init);
      },
    });
    const last = Math.floor(MOMENT / HOUR) * HOUR;
    const from = last - 699 * HOUR;
    const { bars } = await source.history!(BTC, { timeframe: "1h", from: from - 1, until: MOMENT, signal });
    expect(bars.map(({ time }) => time).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 700 }, (_, i) => from + i * HOUR),
    );
    expect(requests).toEqual([
      [last - 299 * HOUR, last],
      [last - 599 * HOUR, last - 300 * HOUR],
      [from, last - 600 * HOUR],
    ]);
    expect(most).toBe(2);
  });

  it("leaves out bars from before the start, which come along, and has no use for others", async () => {
    const row = (time: number) => [time / 1000, 1, 2, 1, 2, 5];
    const request = { timeframe: "1d", from: 2 * DAY, until: 3 * DAY, signal } as const;
    const history = (...times: readonly number[]) =>
      respondWith({ candles: JSON.stringify(times.map(row)) }).source.history!(BTC, request);
    expect((await history(2 * DAY, DAY)).bars.map(({ time }) => time)).toEqual([2 * DAY]);
    expect(await kindOf(history(4 * DAY, 2 * DAY))).toBe("malformed");
    expect((await history(DAY)).bars).toEqual([]);
  });

  it("keeps the hole that a price of 0 or null is", async () => {
    const { source } = respondWith({ candles: "[[86400,0,2,null,2,5]]" });
    const { bars } = await source.history!(BTC, { timeframe: "1d", from: DAY, until: DAY, signal });
    expect(bars).toEqual([{ time: DAY, open: null, high: 2, low: null, close: 2, volume: 5 }]);
  });

  it("leaves out figures of the day that are 0 or not there", async () => {
    const { source } = respondWith({ ticker: TICKER, stats: '{"open":"0","high":"63500"}' });
    expect(await source.latest!(BTC, { signal })).toMatchObject({
      price: 63118.97,
      previousClose: null,
      open: null,
      high: 63500,
      low: null,
      volume: null,
    });
  });

  it("refuses an invalid price or time", async () => {
    for (const [written, instead] of [
      ["63118.97", "0"],
      ["63118.97", "-1"],
      ["63118.97", "1e5"],
      ["2026-07-04T18:27:21.589828120Z", "2026-13-04T18:27:21Z"],
      ["2026-07-04T18:27:21.589828120Z", "1783189641"],
    ] as const) {
      const { source } = respondWith({ ticker: TICKER.replaceAll(written, instead), stats: STATS });
      expect([instead, await kindOf(source.latest!(BTC, { signal }))]).toEqual([instead, "malformed"]);
    }
  });

  it("refuses other instruments than its tokens in dollars without a call", async () => {
    const { source, requests } = respondWith({ ticker: TICKER, stats: STATS });
    for (const of of [token("USD"), token("$WIF"), token("CGLD"), { ...BTC, symbol: "BTC-EUR" }])
      expect(await kindOf(source.latest!(of, { signal }))).toBe("unsupported");
    expect(requests).toEqual([]);
    await source.latest!(token("CELO"), { signal });
    expect(requests[0]).toContain("/products/CGLD-USD/ticker");
  });

  it.each([
    [404, '{"message":"NotFound"}', "unknown_symbol"],
    [404, '{"message":"Route not found"}', "malformed"],
    [400, '{"message":"granularity too small for the requested time range"}', "malformed"],
    [200, '{"message":"NotFound"}', "malformed"],
  ])("calls status %i with %s %s", async (status, candles, kind) => {
    const { source } = respondWith({ candles }, status);
    const request = { timeframe: "1d", from: 0, until: DAY, signal } as const;
    expect(await kindOf(source.history!(BTC, request))).toBe(kind);
  });

  it("refuses more bars than ten calls give", async () => {
    const { source, requests } = respondWith({});
    const request = { timeframe: "5m", from: 0, until: MOMENT, signal } as const;
    expect(await kindOf(source.history!(BTC, request))).toBe("unsupported");
    expect(requests).toEqual([]);
  });
});
