import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AssetClass, Instrument } from "../../../src/domain/market.ts";
import { cleanBars } from "../../../src/market/live/clean.ts";
import type { SourceFailure } from "../../../src/market/live/source.ts";
import { yahoo } from "../../../src/providers/yahoo/source.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { yahooVendor } from "../../replay/yahoo.ts";
import { fixed, fixedWorld, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeSource } from "../../support/source-contract.ts";
import { describeWithData } from "../../support/test-data.ts";

const { signal } = new AbortController();
const instrument = (symbol: string, asset_class: AssetClass = "equity"): Instrument => ({
  symbol,
  name: symbol,
  asset_class,
  sector: null,
  currency: "USD",
});
const AAPL = instrument("AAPL");
const at = (iso: string) => Date.parse(iso);
const answering = (body: unknown, status = 200) =>
  yahoo({
    fetch: async () => new Response(typeof body === "string" ? body : JSON.stringify(body), { status }),
  });
const kindOf = (asked: Promise<unknown>) =>
  asked.then(
    () => "answered",
    (failure: SourceFailure) => failure.kind,
  );
const ALL = { timeframe: "1d", from: 0, until: Date.UTC(2030, 0), signal } as const;

describeSource("Yahoo", {
  make: (fetch) => yahoo({ fetch }),
  vendor: yahooVendor,
  instruments: { good: fixed("AAPL"), unknown: UNLISTED_STOCK, other: fixed("SPY") },
  tolerance: 1e-6,
});
describeSource("Yahoo, of tokens", {
  make: (fetch) => yahoo({ fetch }),
  vendor: yahooVendor,
  instruments: { good: fixed("BTC-USD"), unknown: instrument("ZZQX-USD", "crypto"), other: fixed("ETH-USD") },
  tolerance: 1e-6,
});

describeWithData("Yahoo as recorded", ["fixtures", "yahoo"], (folder) => {
  /** The body of a recording, whichever way it was kept. */
  function recorded(name: string): unknown {
    const read = JSON.parse(readFileSync(join(folder, name), "utf8")) as { response?: { bodyJson: unknown } };
    return read.response?.bodyJson ?? read;
  }

  it("gives the days around Apple's split of 31 August 2020 adjusted, each dated by its session", async () => {
    const source = answering(recorded("chart-AAPL-2020-08-31-to-2020-11-07.json"));
    const given = await source.history!(AAPL, ALL);
    const { bars } = cleanBars(given, { assetClass: "equity", timeframe: "1d", at: ALL.until });
    expect(bars.time).toHaveLength(49);
    expect(new Date(bars.time[0]!).toISOString()).toBe("2020-08-31T00:00:00.000Z");
    expect([bars.close[0], bars.close[1]]).toEqual([129.04, 134.18]);
    expect(given.adjustment).toBe("split");
  });

  it("leaves out the row told again at 16:00, and dates the quote by its trade", async () => {
    const source = answering(recorded("chart-NVDA-1d-1h-2024-05-03.json"));
    const nvda = instrument("NVDA");
    const given = await source.history!(nvda, { ...ALL, timeframe: "1h" });
    expect(given.bars).toHaveLength(8);
    const { bars } = cleanBars(given, { assetClass: "equity", timeframe: "1h", at: ALL.until });
    expect(bars.time).toHaveLength(7);
    expect([bars.open[0], bars.close[6], bars.volume[6]]).toEqual([877.89, 887.87, 2_798_449]);
    expect(await source.latest!(nvda, { signal })).toEqual({
      price: 887.89,
      tradedAt: at("2024-05-03T20:00:07Z"),
      previousClose: 858.17,
      open: 877.89,
      high: 892.81,
      low: 870.4,
      volume: 39_595_568,
      volumeScope: "all_venues",
      venue: "US",
    });
  });

  it("gives days of UTC and units of the token where it counts dollars", async () => {
    const source = answering(recorded("chart-BTC-USD-2020-01-01-to-2020-01-03.json"));
    const { bars } = await source.history!(instrument("BTC-USD", "crypto"), ALL);
    expect(bars.map(({ time }) => new Date(time).toISOString().slice(0, 10))).toEqual([
      "2020-01-01",
      "2020-01-02",
      "2020-01-03",
    ]);
    // 18,565,664,997 dollars at (7254.331 + 7174.944 + 7200.174) / 3
    expect(bars[0]!.volume).toBeCloseTo(2_575_053.8, 0);
  });

  it("has no bars on a weekend, and no chart of what it does not list", async () => {
    const weekend = answering(
      recorded("chart-AAPL-2025-02-01-to-2025-02-02-includePrePost-false-interval-1m.json"),
    );
    expect((await weekend.history!(AAPL, ALL)).bars).toEqual([]);
    const unknown = answering(recorded("chart_error_unknown_symbol.json"), 404);
    expect(await kindOf(unknown.history!(AAPL, ALL))).toBe("unknown_symbol");
    const yen = answering({ chart: { result: [recorded("mimir_yahoo_quote_3350.json")], error: null } });
    expect(await kindOf(yen.latest!(instrument("3350"), { signal }))).toBe("malformed");
  });
});

/** The chart of the morning of 24 February 2022, whose quote was recorded: a close of 160.07, then 155.82 before the open. */
const morning = {
  chart: {
    result: [
      {
        meta: {
          symbol: "AAPL",
          currency: "USD",
          instrumentType: "EQUITY",
          regularMarketPrice: 160.07,
          regularMarketTime: at("2022-02-23T21:00:04Z") / 1_000,
          regularMarketDayHigh: 166.15,
          regularMarketDayLow: 159.75,
          regularMarketVolume: 90_009_247,
          chartPreviousClose: 160.07,
          currentTradingPeriod: {
            regular: { start: at("2022-02-24T14:30:00Z") / 1_000, end: at("2022-02-24T21:00:00Z") / 1_000 },
          },
        },
        timestamp: [
          at("2022-02-24T10:15:00Z") / 1_000,
          at("2022-02-24T10:16:00Z") / 1_000,
          at("2022-02-24T10:17:00Z") / 1_000,
        ],
        indicators: {
          quote: [
            {
              open: [156, 155.9, null],
              high: [156.1, 155.95, null],
              low: [155.8, 155.8, null],
              close: [155.9, Math.fround(155.82), null],
              volume: [0, 0, null],
            },
          ],
        },
      },
    ],
    error: null,
  },
};

describe("Yahoo's quote", () => {
  it("is the trade of the morning and not the close of the evening before", async () => {
    expect(await answering(morning).latest!(AAPL, { signal })).toEqual({
      price: 155.82,
      tradedAt: at("2022-02-24T10:16:00Z"),
      previousClose: 160.07,
      open: null,
      high: null,
      low: null,
      volume: null,
      volumeScope: "all_venues",
      venue: "US",
    });
  });

  it("is the trade of the evening after the close, with the day it belongs to", async () => {
    const now = at("2025-12-03T22:31:10Z");
    const world = fixedWorld(now);
    const quote = await yahoo({ fetch: fetchFrom(yahooVendor, world) }).latest!(fixed("AAPL"), { signal });
    const trade = world.trade("AAPL")!;
    expect(quote).toMatchObject({ price: trade.price, tradedAt: at("2025-12-03T22:31:00Z") });
    expect(quote.previousClose).toBe(trade.previousClose);
    expect(quote.volume).toBe(trade.volume);
  });
});

describe("Yahoo's refusals", () => {
  it("are told apart", async () => {
    const refused = (code: string) => ({
      chart: { result: null, error: { code, description: "words of theirs" } },
    });
    expect(await kindOf(answering(refused("Unprocessable Entity"), 422).history!(AAPL, ALL))).toBe(
      "unsupported",
    );
    expect(await kindOf(answering(refused("Not Found"), 404).latest!(AAPL, { signal }))).toBe(
      "unknown_symbol",
    );
    expect(await kindOf(answering("Too Many Requests\r\n", 429).latest!(AAPL, { signal }))).toBe(
      "rate_limited",
    );
    expect(await kindOf(answering("", 307).latest!(AAPL, { signal }))).toBe("blocked");
    expect(await kindOf(answering({}).latest!(instrument("ABR-PD"), { signal }))).toBe("unsupported");
  });

  it("are of a stock where it answers about a coin, and the other way round", async () => {
    const coin = JSON.parse(JSON.stringify(morning)) as typeof morning;
    coin.chart.result[0]!.meta.instrumentType = "CRYPTOCURRENCY";
    expect(await kindOf(answering(coin).latest!(AAPL, { signal }))).toBe("malformed");
  });

  it("asks for BRK-B and BTC-USD as it calls them, and for four-hour bars not at all", async () => {
    const asked: string[] = [];
    const source = yahoo({
      fetch: async (url) => {
        asked.push(new URL(String(url)).pathname);
        return new Response("{}");
      },
    });
    for (const of of [instrument("BRK.B"), instrument("BTC-USD", "crypto"), instrument("BTC.US", "etf")])
      await kindOf(source.latest!(of, { signal }));
    expect(asked).toEqual(["BRK-B", "BTC-USD", "BTC"].map((name) => `/v8/finance/chart/${name}`));
    expect(await kindOf(source.history!(AAPL, { ...ALL, timeframe: "4h" }))).toBe("unsupported");
  });
});
