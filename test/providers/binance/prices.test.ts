import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { binance } from "../../../src/providers/binance/prices.ts";
import { binanceVendor } from "../../replay/binance.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, MOMENT, UNLISTED_TOKEN } from "../../support/fixed-world.ts";
import { describePriceProvider } from "../../support/price-provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, signal, token } from "../requests.ts";

const HOUR = 3_600_000;
const BTC = token("BTC");

/** Responses by path, and the requested URLs. */
function respondWith(bodies: Readonly<Record<string, string>>, status = 200) {
  const requests: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    const url = new URL(String(input));
    requests.push(`${url.host}${url.pathname}${url.search}`);
    return new Response(bodies[url.pathname] ?? "", { status });
  };
  return { source: binance({ fetch }), requests };
}

const TRADE =
  '[{"a":1,"p":"63317.60000000","q":"0.00050000","f":1,"l":1,"T":1785718731642,"m":true,"M":true}]';
const DAY =
  '{"symbol":"BTCUSDT","lastPrice":"63317.60000000","openPrice":"62830.00000000","highPrice":"63796.33000000",' +
  '"lowPrice":"62830.00000000","volume":"8345.37574000","openTime":1785632332001,"closeTime":1785718732001}';
const quoting = (trade: string, day: string) =>
  respondWith({ "/api/v3/aggTrades": trade, "/api/v3/ticker/24hr": day });

describePriceProvider("binance", {
  make: (fetch) => binance({ fetch }),
  vendor: binanceVendor,
  instruments: { good: fixed("BTC-USD"), unknown: UNLISTED_TOKEN, other: fixed("ETH-USD") },
  // rows of bars carry no name
  echoless: ["history"],
  noBars: ["[]"],
  // its day is the 24 hours before the trade, not the UTC day
  quoted: (world, { symbol }) => {
    const { price, at } = world.trade(symbol)!;
    return { price, tradedAt: at };
  },
});

describeWithData("binance as recorded", ["fixtures", "binance"], (folder) => {
  it("reads spot bars", async () => {
    const klines = readFileSync(join(folder, "nautilus_http_spot_market_klines.json"), "utf8");
    const { source, requests } = respondWith({ "/api/v3/klines": klines });
    const request = { timeframe: "5m", from: 1634943780000, until: 1634944500000, signal } as const;
    const { bars, ...rest } = await source.history!(BTC, request);
    expect(requests).toEqual([
      "data-api.binance.vision/api/v3/klines?symbol=BTCUSDT&interval=5m&startTime=1634943780000&endTime=1634944500000&limit=1000",
    ]);
    expect(bars[0]).toEqual({
      time: 1634943780000,
      open: 60685.22,
      high: 60729.84,
      low: 60670.9,
      close: 60719.27,
      volume: 21.63272,
    });
    expect(bars[2]).toMatchObject({ time: 1634943900000, close: 60768.71, volume: 15.3866 });
    expect(rest).toEqual({
      adjustment: "raw",
      hours: "regular",
      volumeScope: "one_venue",
      venue: "BINANCE",
    });
  });

  it("refuses the documented weekly bar as a daily one", async () => {
    const klines = readFileSync(join(folder, "nautilus_klines_response.json"), "utf8");
    const { source } = respondWith({ "/api/v3/klines": klines });
    const request = { timeframe: "1d", from: 1634860800000, until: 1634947200000, signal } as const;
    expect(await kindOf(source.history!(BTC, request))).toBe("malformed");
  });

  it("takes no other pair's statistics", async () => {
    const day = readFileSync(join(folder, "nautilus_ticker_24hr_response.json"), "utf8");
    expect(await kindOf(quoting(TRADE, day).source.latest!(BTC, { signal }))).toBe("malformed");
  });
});

describe("binance", () => {
  it("dates a price by its trade, with the 24 hours before it", async () => {
    const { source, requests } = quoting(TRADE, DAY);
    expect(await source.latest!(BTC, { signal })).toEqual({
      price: 63317.6,
      tradedAt: 1785718731642,
      previousClose: 62830,
      open: 62830,
      high: 63796.33,
      low: 62830,
      volume: 8345.37574,
      volumeScope: "one_venue",
      venue: "BINANCE",
    });
    expect(requests).toEqual([
      "data-api.binance.vision/api/v3/aggTrades?symbol=BTCUSDT&limit=1",
      "data-api.binance.vision/api/v3/ticker/24hr?symbol=BTCUSDT",
    ]);
  });

  it("leaves out figures of the day that are 0 or not there", async () => {
    const { source } = quoting(TRADE, '{"symbol":"BTCUSDT","openPrice":"0.00000000","highPrice":"63796.33"}');
    expect(await source.latest!(BTC, { signal })).toMatchObject({
      previousClose: null,
      open: null,
      high: 63796.33,
      low: null,
      volume: null,
    });
  });

  it("takes a price of 0, or one that is no decimal, for no answer", async () => {
    for (const price of ["0.00000000", "-1.0", "1e5", "0x10", ""]) {
      const { source } = quoting(TRADE.replace("63317.60000000", price), DAY);
      expect([price, await kindOf(source.latest!(BTC, { signal }))]).toEqual([price, "malformed"]);
    }
  });

  it("refuses other instruments than tokens in USDT without a call", async () => {
    const { source, requests } = quoting(TRADE, DAY);
    for (const of of [token("USDT"), token("$WIF"), { ...BTC, symbol: "BTC-EUR" }])
      expect(await kindOf(source.latest!(of, { signal }))).toBe("unsupported");
    expect(requests).toEqual([]);
    await kindOf(source.latest!(token("USDC"), { signal }));
    expect(requests[0]).toContain("symbol=USDCUSDT");
  });

  it.each([
    [-1121, "unknown_symbol"],
    [-1100, "unknown_symbol"],
    [-1003, "rate_limited"],
    [-1001, "down"],
    [-1120, "malformed"],
  ])("calls code %i %s", async (code, kind) => {
    const { source } = respondWith({ "/api/v3/klines": JSON.stringify({ code, msg: "words" }) }, 400);
    const request = { timeframe: "1d", from: 0, until: 86_400_000, signal } as const;
    expect(await kindOf(source.history!(BTC, request))).toBe(kind);
  });

  it("requests the next thousand bars after a full page", async () => {
    const requests: string[] = [];
    const honest = fetchFrom(binanceVendor, fixedWorld());
    const source = binance({
      fetch: (input, init) => {
        requests.push(new URL(String(input)).searchParams.get("startTime")!);
        return honest(input, init);
      },
    });
    const from = Math.floor(MOMENT / HOUR) * HOUR - 1500 * HOUR;
    const { bars } = await source.history!(BTC, { timeframe: "1h", from, until: MOMENT, signal });
    expect(bars.length).toBe(1501);
    expect(requests.map(Number)).toEqual([from, from + 1000 * HOUR]);
  });

  it("refuses more bars than ten calls give", async () => {
    const { source, requests } = respondWith({});
    const request = { timeframe: "5m", from: 0, until: MOMENT, signal } as const;
    expect(await kindOf(source.history!(BTC, request))).toBe("unsupported");
    expect(requests).toEqual([]);
  });
});
