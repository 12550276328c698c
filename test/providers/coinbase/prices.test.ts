import { describe, expect, it } from "vitest";
import { coinbase } from "../../../src/providers/coinbase/prices.ts";
import { coinbaseVendor } from "../../replay/coinbase.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixedWorld, MOMENT } from "../../support/fixed-world.ts";
import { describeWithData } from "../../support/test-data.ts";
import { describeExchange, withText } from "../exchange-contract.ts";
import { kindOf, readJson, recorded, respondWith, signal, token } from "../requests.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BTC = token("BTC");
const PRODUCT = "https://api.exchange.coinbase.com/products/BTC-USD";

const TICKER =
  '{"ask":"63118.98","bid":"63118.97","volume":"3656.46091754","trade_id":1050113015,"price":"63118.97",' +
  '"size":"0.00000003","time":"2026-07-04T18:27:21.589828120Z","rfq_volume":"71.322108"}';
const STATS =
  '{"open":"62400.5","high":"63500","low":"62011.01","last":"63118.97","volume":"3656.46","volume_30day":"1"}';
const QUOTE = { "/ticker": TICKER, "/stats": STATS };
const history = (candles: unknown, from: number, until: number, timeframe: "1d" | "1h" = "1d") => {
  const { fetch, requests, headers } = respondWith({ "/candles": candles });
  return { requests, headers, bars: coinbase({ fetch }).history!(BTC, { timeframe, from, until, signal }) };
};

describeExchange("coinbase", {
  make: coinbase,
  vendor: coinbaseVendor,
  venue: "COINBASE",
  // Neither trades nor bars name their product.
  echoless: ["latest", "history"],
  noBars: ["[]"],
  quote: {
    responses: QUOTE,
    expected: {
      price: 63118.97,
      tradedAt: Date.UTC(2026, 6, 4, 18, 27, 21, 589),
      previousClose: 62400.5,
      open: 62400.5,
      high: 63500,
      low: 62011.01,
      volume: 3656.46,
      bid: 63118.97,
      ask: 63118.98,
    },
    requests: [`${PRODUCT}/ticker`, `${PRODUCT}/stats`],
  },
  partial: {
    responses: { ...QUOTE, "/stats": { open: "0", high: "63500" } },
    expected: { price: 63118.97, high: 63500 },
  },
  malformed: {
    ...withText("/ticker", TICKER, "63118.97", ["0", "-1", "1e5"]),
    ...withText("/ticker", TICKER, "2026-07-04T18:27:21.589828120Z", ["2026-13-04T18:27:21Z", "1783189641"]),
  },
  unsupported: [token("USD"), token("CGLD")],
  named: [token("CELO"), "/products/CGLD-USD/ticker"],
  bars: "/candles",
  errors: [
    [404, { message: "NotFound" }, "unknown_symbol"],
    [404, { message: "Route not found" }, "malformed"],
    [400, { message: "granularity too small for the requested time range" }, "malformed"],
    [200, { message: "NotFound" }, "malformed"],
  ],
});

describeWithData("coinbase as recorded", ["fixtures", "coinbase"], (folder) => {
  const latest = (ticker: string, stats: unknown) => {
    const { fetch } = respondWith({ "/ticker": readJson(folder, ticker), "/stats": stats });
    return coinbase({ fetch }).latest!(BTC, { signal });
  };

  it("dates a price by its trade, to the millisecond", async () => {
    expect(await latest("mimir_coinbase_exchange_ticker.json", STATS)).toMatchObject({
      price: 63118.97,
      tradedAt: Date.UTC(2026, 6, 4, 18, 27, 21, 589),
    });
  });

  it("returns the figures of the 24 hours before a trade", async () => {
    const stats = readJson(folder, "xchange_coinbasepro_stats.json");
    expect(await latest("xchange_coinbasepro_ticker.json", stats)).toMatchObject({
      price: 246.28,
      tradedAt: Date.UTC(2015, 3, 8, 20, 49, 6, 506),
      previousClose: 254.04,
      open: 254.04,
      high: 255.47,
      low: 244.29,
      volume: 7697.38286685,
    });
  });

  it("rejects responses of Coinbase's other API", async () => {
    expect(await kindOf(latest("nautilus_http_ticker.json", STATS))).toBe("malformed");
    const candles = readJson(folder, "nautilus_http_candles.json");
    expect(await kindOf(history(candles, 1712188800000, 1712192400000, "1h").bars)).toBe("malformed");
  });

  it("names products by base and quote", () => {
    const products = readJson<{ id: string; base_currency: string; quote_currency: string }[]>(
      folder,
      "xchange_coinbasepro_products.json",
    );
    for (const { id, base_currency, quote_currency } of products)
      expect(id).toBe(`${base_currency}-${quote_currency}`);
  });
});

describe("coinbase", () => {
  it("reads the low before the high, as documented, and sends a user agent", async () => {
    const time = 1712192400000;
    const row = [time / 1000, 66055.14, 66331.99, 66312.4, 66181.6, 355.82896243];
    const { requests, headers, bars: response } = history([row], time, time, "1h");
    const { bars, ...rest } = await response;
    expect(bars).toEqual([
      { time, open: 66312.4, high: 66331.99, low: 66055.14, close: 66181.6, volume: 355.82896243 },
    ]);
    expect(rest).toEqual({
      adjustment: "raw",
      currency: "USD",
      hours: "regular",
      volumeScope: "one_venue",
      venue: "COINBASE",
    });
    expect(requests).toEqual([
      `${PRODUCT}/candles?granularity=3600&start=2024-04-04T01:00:00.000Z&end=2024-04-04T01:00:00.000Z`,
    ]);
    expect(headers[0]!.get("user-agent")).toBe("market-signal");
  });

  it("requests pages of 300 bars, two at a time, newest first", async () => {
    const honest = fetchFrom(coinbaseVendor, fixedWorld());
    let [under, most] = [0, 0];
    const { fetch, requests } = recorded(async (input, init) => {
      under += 1;
      most = Math.max(most, under);
      await Promise.resolve();
      under -= 1;
      return honest(input, init);
    });
    const last = Math.floor(MOMENT / HOUR) * HOUR;
    const from = last - 699 * HOUR;
    const request = { timeframe: "1h", from: from - 1, until: MOMENT, signal } as const;
    const { bars } = await coinbase({ fetch }).history!(BTC, request);
    expect(bars.map(({ time }) => time).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 700 }, (_, i) => from + i * HOUR),
    );
    const windows = requests.map((url) => {
      const { searchParams } = new URL(url);
      return [Date.parse(searchParams.get("start")!), Date.parse(searchParams.get("end")!)];
    });
    expect(windows).toEqual([
      [last - 299 * HOUR, last],
      [last - 599 * HOUR, last - 300 * HOUR],
      [from, last - 600 * HOUR],
    ]);
    expect(most).toBe(2);
  });

  it("drops bars before the start, and rejects others outside the window", async () => {
    const bars = (...times: readonly number[]) =>
      history(
        times.map((time) => [time / 1000, 1, 2, 1, 2, 5]),
        2 * DAY,
        3 * DAY,
      ).bars;
    expect((await bars(2 * DAY, DAY)).bars.map(({ time }) => time)).toEqual([2 * DAY]);
    expect(await kindOf(bars(4 * DAY, 2 * DAY))).toBe("malformed");
    expect((await bars(DAY)).bars).toEqual([]);
  });

  it("returns null for a price of 0 or null", async () => {
    const { bars } = await history([[86400, 0, 2, null, 2, 5]], DAY, DAY).bars;
    expect(bars).toEqual([{ time: DAY, open: null, high: 2, low: null, close: 2, volume: 5 }]);
  });
});
