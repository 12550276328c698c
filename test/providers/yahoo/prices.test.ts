import { describe, expect, it } from "vitest";
import type { Instrument } from "../../../src/domain/market/market.ts";
import { sanitizeBars } from "../../../src/market/prices/sanitize-bars.ts";
import { yahoo } from "../../../src/providers/yahoo/prices.ts";
import type { World } from "../../replay/world.ts";
import { yahooVendor } from "../../replay/yahoo.ts";
import { fixed, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describePriceProvider } from "../../support/price-provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, respondWith, signal } from "../requests.ts";
import { AAPL, ALL, at, BTC, instrument, morning, recordedBody, respond, token } from "./answers.ts";

const contract = {
  make: (fetch: typeof globalThis.fetch) => yahoo({ fetch }),
  vendor: yahooVendor,
  tolerance: 1e-6,
  // a token's day is the 24 hours before the trade, not the UTC day; quotes of stocks are tested below
  quoted: (world: World, { symbol }: Instrument) => {
    const { price, at } = world.trade(symbol)!;
    return { price, tradedAt: Math.floor(at / 1_000) * 1_000 };
  },
};
describePriceProvider("Yahoo", {
  ...contract,
  instruments: { good: fixed("AAPL"), unknown: UNLISTED_STOCK, other: fixed("SPY") },
});
describePriceProvider("Yahoo, of tokens", {
  ...contract,
  instruments: {
    good: fixed("BTC-USD"),
    unknown: instrument("PEPE-USD", "crypto"),
    other: fixed("ETH-USD"),
  },
});

describeWithData("Yahoo as recorded", ["fixtures", "yahoo"], (folder) => {
  it("drops the repeated row at 16:00 and dates the quote by its trade", async () => {
    const provider = respond(recordedBody(folder, "chart-NVDA-1d-1h-2024-05-03.json"));
    const nvda = instrument("NVDA");
    const given = await provider.history!(nvda, { ...ALL, timeframe: "1h" });
    expect(given.bars).toHaveLength(8);
    const { bars } = sanitizeBars(given, { assetClass: "equity", timeframe: "1h", at: ALL.until });
    expect(bars.time).toHaveLength(7);
    expect([bars.open[0], bars.close[6], bars.volume[6]]).toEqual([877.89, 887.87, 2_798_449]);
    expect(await provider.latest!(nvda, { signal })).toEqual({
      price: 887.89,
      tradedAt: at("2024-05-03T20:00:07Z"),
      officialClose: true,
      previousClose: 858.17,
      open: 877.89,
      high: 892.81,
      low: 870.4,
      volume: 39_595_568,
      volumeScope: "all_venues",
      venue: "US",
    });
  });

  it("has no bars on a weekend, and no chart for an unlisted symbol", async () => {
    const weekend = respond(
      recordedBody(folder, "chart-AAPL-2025-02-01-to-2025-02-02-includePrePost-false-interval-1m.json"),
    );
    expect((await weekend.history!(AAPL, ALL)).bars).toEqual([]);
    const unknown = respond(recordedBody(folder, "chart_error_unknown_symbol.json"), 404);
    expect(await kindOf(unknown.history!(AAPL, ALL))).toBe("unknown_symbol");
    const yen = respond({
      chart: { result: [recordedBody(folder, "mimir_yahoo_quote_3350.json")], error: null },
    });
    expect(await kindOf(yen.latest!(AAPL, { signal }))).toBe("malformed");
  });
});

describe("failures of Yahoo requests", () => {
  const refused = (code: string) => ({ chart: { result: null, error: { code, description: "words" } } });
  it.each([
    [422, refused("Unprocessable Entity"), "unsupported"],
    [404, refused("Not Found"), "unknown_symbol"],
    [429, "Too Many Requests\r\n", "rate_limited"],
    [307, "", "blocked"],
  ])("map status %i with %j to %s", async (status, body, kind) => {
    expect(await kindOf(respond(body, status).history!(AAPL, ALL))).toBe(kind);
    expect(await kindOf(respond(body, status).latest!(AAPL, { signal }))).toBe(kind);
  });

  it("are unsupported for preferred shares", async () => {
    expect(await kindOf(respond({}).latest!(instrument("ABR-PD"), { signal }))).toBe("unsupported");
  });

  it("are malformed if the response to a stock is about a coin, and the other way round", async () => {
    const coin = JSON.parse(JSON.stringify(morning)) as typeof morning;
    for (const kind of ["CRYPTOCURRENCY", "MUTUALFUND", "INDEX", "FUTURE"]) {
      coin.chart.result[0]!.meta.instrumentType = kind;
      expect(await kindOf(respond(coin).latest!(AAPL, { signal }))).toBe("malformed");
    }
    const stock = token();
    stock.chart.result[0]!.meta.instrumentType = "EQUITY";
    expect(await kindOf(respond(stock).latest!(BTC, { signal }))).toBe("malformed");
  });

  it("requests symbols by Yahoo's names and never requests four-hour bars", async () => {
    const { fetch, requests } = respondWith({ "": {} });
    const provider = yahoo({ fetch });
    for (const of of [instrument("BRK.B"), BTC, instrument("BTC.US", "etf"), instrument("UNI-USD", "crypto")])
      await kindOf(provider.latest!(of, { signal }));
    expect(requests.map((url) => new URL(url).pathname)).toEqual(
      ["BRK-B", "BTC-USD", "BTC", "UNI7083-USD"].map((name) => `/v8/finance/chart/${name}`),
    );
    expect(await kindOf(provider.history!(AAPL, { ...ALL, timeframe: "4h" }))).toBe("unsupported");
    // TON-USD is a different token at Yahoo, not Toncoin
    expect(await kindOf(provider.latest!(instrument("TON-USD", "crypto"), { signal }))).toBe("unsupported");
    expect(requests).toHaveLength(4);
  });
});

describe("Yahoo's splits and dividends", () => {
  it("come with the daily bars, dated by the session, and unreadable ones are dropped", async () => {
    const chart = JSON.parse(JSON.stringify(morning)) as { chart: { result: object[] } };
    const open = at("2022-02-04T14:30:00Z") / 1_000;
    Object.assign(chart.chart.result[0]!, {
      events: {
        dividends: { [open]: { amount: 0.22, date: open }, bad: { amount: "x" } },
        splits: { [open]: { date: open, numerator: 4, denominator: 1, splitRatio: "4:1" } },
      },
    });
    const given = await respond(chart).history!(AAPL, ALL);
    expect(given.actions).toEqual({
      splits: [{ date: "2022-02-04", ratio: 4 }],
      dividends: [{ date: "2022-02-04", amount: 0.22 }],
    });
    expect((await respond(morning).history!(AAPL, ALL)).actions).toEqual({ splits: [], dividends: [] });
    expect((await respond(chart).history!(AAPL, { ...ALL, timeframe: "1h" })).actions).toBeUndefined();
  });
});
