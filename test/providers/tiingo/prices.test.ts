import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tiingo } from "../../../src/providers/tiingo/prices.ts";
import { tiingoVendor } from "../../replay/tiingo.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describePriceProvider } from "../../support/price-provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { barsIn, kindOf, NO_DAY, type Responses, respondWith, signal, US_BARS } from "../requests.ts";

const AAPL = fixed("AAPL");
const GOOGL = { ...AAPL, symbol: "GOOGL" };
const token = tiingoVendor.key!;

const respond = (responses: Responses, status = 200) => {
  const { fetch, requests } = respondWith({ ...responses, "": [] }, { status });
  return { provider: tiingo({ fetch, key: token }), requests };
};
const dailyBars = (rows: readonly object[], from: string, until: string) =>
  barsIn(tiingo({ fetch: respondWith({ [DAILY]: rows }).fetch, key: token }), { from, until });

/** After the close, with a free token. */
const CLOSED = {
  ticker: "AAPL",
  timestamp: "2026-09-04T20:00:00+00:00",
  lastSaleTimestamp: null,
  quoteTimestamp: null,
  mid: null,
  last: null,
  lastSize: null,
  open: 328.3,
  high: 328.9,
  low: 317.8,
  tngoLast: 319.9,
  volume: 39606884,
  prevClose: 328.2,
};
const TRADING = {
  ...CLOSED,
  timestamp: "2026-09-04T11:12:29.505261845-04:00",
  lastSaleTimestamp: "2026-09-04T11:12:16.643833612-04:00",
  last: 321.4,
  tngoLast: 321.45,
  volume: 12500,
};
const quoting = (top: object) => respond({ "/iex/AAPL": [top] }).provider.latest!(AAPL, { signal });

const DAILY = "/tiingo/daily/AAPL/prices";
const day = (date: string, close: number, splitFactor = 1) => ({
  date: `${date}T00:00:00.000Z`,
  open: close,
  high: close,
  low: close,
  close,
  volume: 1000,
  adjOpen: 1,
  adjHigh: 1,
  adjLow: 1,
  adjClose: 1,
  adjVolume: 1,
  divCash: 0.5,
  splitFactor,
});
const part = (date: string, close: number) => ({
  date,
  open: close,
  high: close,
  low: close,
  close,
  volume: 50,
});

describePriceProvider("tiingo", {
  make: (fetch) => tiingo({ fetch, key: token }),
  vendor: tiingoVendor,
  instruments: { good: AAPL, unknown: UNLISTED_STOCK, other: fixed("SPY") },
  // Rows of bars contain no ticker.
  echoless: ["history"],
  noBars: ["[]"],
  // An empty list is Tiingo's response for an unknown ticker.
  accept: { shapes: ["unknown_symbol"] },
});

describeWithData("tiingo as recorded", ["fixtures", "tiingo"], (folder) => {
  const recorded = (file: string): unknown => {
    const [, text = ""] = /body: \{string: '([^']+)'\}/.exec(readFileSync(join(folder, file), "utf8"))!;
    return JSON.parse(text);
  };

  it("returns daily bars", async () => {
    const path = "/tiingo/daily/GOOGL/prices";
    const { provider, requests } = respond({ [path]: recorded("ticker_price_with_date.yaml") });
    expect(await barsIn(provider, { from: "2015-01-01", until: "2015-01-05" }, GOOGL)).toEqual({
      bars: [
        { time: Date.UTC(2015, 0, 2), open: 532.6, high: 535.8, low: 527.88, close: 529.55, volume: 1327870 },
        {
          time: Date.UTC(2015, 0, 5),
          open: 527.15,
          high: 527.9899,
          low: 517.75,
          close: 519.46,
          volume: 2059119,
        },
      ],
      actions: { splits: [], dividends: [] },
      ...US_BARS,
    });
    expect(requests).toEqual([`https://api.tiingo.com${path}?startDate=2015-01-01`]);
  });

  it("reads both formats of a day's time zone", async () => {
    const { provider } = respond({ "/tiingo/daily/GOOGL/prices": recorded("ticker_price.yaml") });
    const { bars } = await barsIn(provider, { from: "2018-04-12", until: "2018-04-12" }, GOOGL);
    expect(bars).toMatchObject([{ time: Date.UTC(2018, 3, 12), close: 1037.29, volume: 1644794 }]);
  });

  it("returns half hours from open to close, with null for a missing volume", async () => {
    const { provider, requests } = respond({ "/iex/GOOGL/prices": recorded("intraday_price.yaml") });
    const window = { from: "2018-01-02", until: "2018-01-02T20:00:00Z", timeframe: "30m" } as const;
    const { bars, ...rest } = await barsIn(provider, window, GOOGL);
    // thirteen of a full session, except the one that starts after the window
    expect(bars.length).toBe(12);
    expect(bars[0]).toEqual({
      time: Date.UTC(2018, 0, 2, 14, 30),
      open: 1057.47,
      high: 1061.91,
      low: 1054.17,
      close: 1061.91,
      volume: null,
    });
    expect(rest).toEqual({ adjustment: "split", hours: "regular", volumeScope: "one_venue", venue: "IEX" });
    expect(requests).toEqual([
      "https://api.tiingo.com/iex/GOOGL/prices?startDate=2018-01-02&endDate=2018-01-02&resampleFreq=30min&columns=open,high,low,close,volume",
      "https://api.tiingo.com/tiingo/daily/GOOGL/prices?startDate=2018-01-02&columns=date,splitFactor",
    ]);
  });
});

describe("tiingo, quotes", () => {
  it("are the last trade on IEX if the account has the exchange agreement", async () => {
    expect(await quoting(TRADING)).toEqual({
      price: 321.4,
      tradedAt: Date.UTC(2026, 8, 4, 15, 12, 16, 643),
      previousClose: 328.2,
      open: 328.3,
      high: 328.9,
      low: 317.8,
      volume: 12500,
      volumeScope: "one_venue",
      venue: "IEX",
    });
  });

  it("are the official close once it is known, with the volume of all venues", async () => {
    expect(await quoting(CLOSED)).toMatchObject({
      price: 319.9,
      tradedAt: Date.UTC(2026, 8, 4, 20),
      previousClose: 328.2,
      volume: 39606884,
      volumeScope: "all_venues",
      venue: "US",
    });
  });

  it("are unsupported with only a reference price", async () => {
    const unlicensed = { ...TRADING, last: null, lastSaleTimestamp: null };
    for (const top of [
      unlicensed,
      { ...unlicensed, quoteTimestamp: TRADING.timestamp },
      { ...unlicensed, timestamp: "2026-09-05T20:00:00+00:00" },
      { ...CLOSED, tngoLast: 0 },
    ])
      expect(await kindOf(quoting(top))).toBe("unsupported");
  });

  it("are not requested again for an account without trades and bids", async () => {
    const unlicensed = { ...TRADING, last: null, lastSaleTimestamp: null };
    const { provider, requests } = respond({ "/iex/AAPL": [unlicensed] });
    for (const _ of [1, 2]) expect(await kindOf(provider.latest!(AAPL, { signal }))).toBe("unsupported");
    expect(requests.length).toBe(1);
    expect(await barsIn(provider, { from: "2025-11-06", until: "2025-11-10" })).toMatchObject({ bars: [] });

    const untraded = { ...TRADING, last: null, quoteTimestamp: TRADING.timestamp };
    const quiet = respond({ "/iex/AAPL": [untraded] });
    for (const _ of [1, 2]) await kindOf(quiet.provider.latest!(AAPL, { signal }));
    expect(quiet.requests.length, "one stock without a trade is no lack of a right").toBe(2);
  });

  it("have no volume if its venues are unknown", async () => {
    const evening = {
      timestamp: "2026-09-04T17:00:00-04:00",
      lastSaleTimestamp: "2026-09-04T16:59:00-04:00",
    };
    expect(await quoting({ ...TRADING, ...evening })).toMatchObject({
      price: 321.4,
      high: 328.9,
      volume: null,
    });
  });

  it("drop the figures of another day", async () => {
    const stale = { ...TRADING, lastSaleTimestamp: "2026-09-03T15:30:00-04:00" };
    expect(await quoting(stale)).toMatchObject({ ...NO_DAY, price: 321.4 });
  });

  it("are requested with a dash before the class and may be returned in lower case", async () => {
    const { provider, requests } = respond({ "/iex/BRK-B": [{ ...TRADING, ticker: "brk-b" }] });
    expect(await provider.latest!(fixed("BRK.B"), { signal })).toMatchObject({ price: 321.4 });
    expect(requests).toEqual(["https://api.tiingo.com/iex/BRK-B"]);
  });

  it("on a Saturday are Friday's official close", async () => {
    const saturday = fixedWorld(Date.UTC(2025, 11, 6, 15));
    const provider = tiingo({ fetch: fetchFrom(tiingoVendor, saturday), key: token });
    const [thursday, friday] = saturday
      .bars("SPY", "1d", { from: Date.UTC(2025, 11, 4), until: Date.UTC(2025, 11, 5) })
      .map(({ close }) => close);
    expect(await provider.latest!(fixed("SPY"), { signal })).toMatchObject({
      price: friday,
      previousClose: thursday,
      tradedAt: Date.UTC(2025, 11, 5, 21),
    });
  });
});

describe("tiingo, bars", () => {
  it("are adjusted for all splits up to today, including those after the window", async () => {
    const rows = [
      day("2025-11-06", 400),
      day("2025-11-07", 400),
      day("2025-11-10", 100, 4),
      day("2025-11-11", 50, 2),
      day("2025-11-12", 500, 0.1),
    ];
    const { bars } = await dailyBars(rows, "2025-11-06", "2025-11-11");
    // One share is now 4 x 2 / 10 shares if from the 7th, 2 / 10 if from the 10th, 1 / 10 if from the 11th.
    expect(bars.map(({ close, volume }) => [close!.toFixed(6), volume!.toFixed(6)])).toEqual([
      ["500.000000", "800.000000"],
      ["500.000000", "800.000000"],
      ["500.000000", "200.000000"],
      ["500.000000", "100.000000"],
    ]);
  });

  it("count a split once if its row is duplicated", async () => {
    const rows = [day("2025-11-07", 400), day("2025-11-10", 100, 4), day("2025-11-10", 100, 4)];
    const { bars } = await dailyBars(rows, "2025-11-07", "2025-11-07");
    expect(bars).toMatchObject([{ close: 100, volume: 4000 }]);
  });

  it("have null for a price of 0 and a missing volume", async () => {
    const rows = [{ ...day("2025-11-07", 400), open: 0, volume: null }, day("2025-11-10", 100, 4)];
    const { bars } = await dailyBars(rows, "2025-11-07", "2025-11-07");
    expect(bars).toMatchObject([{ open: null, close: 100, volume: null }]);
  });

  it("not adjusted for today's split are rejected", async () => {
    const prices = [part("2025-11-07T20:30:00.000Z", 400), part("2025-11-10T14:30:00.000Z", 100)];
    const window = { from: "2025-11-07", until: "2025-11-10T15:00:00Z", timeframe: "30m" } as const;
    const unnamed = respond({ "/iex/AAPL/prices": prices, [DAILY]: [day("2025-11-07", 400)] });
    expect(await kindOf(barsIn(unnamed.provider, window))).toBe("unsupported");
    const split = respond({ "/iex/AAPL/prices": prices, [DAILY]: [day("2025-11-10", 100, 4)] });
    expect((await barsIn(split.provider, window)).bars.map(({ close }) => close)).toEqual([100, 100]);
  });

  it("without a split factor or a valid time are malformed", async () => {
    const { splitFactor: _, ...incomplete } = day("2025-11-07", 400);
    for (const row of [
      incomplete,
      day("2025-11-07", 400, 0),
      { ...day("2025-11-07", 1), date: "2025-11-31" },
    ])
      expect(await kindOf(dailyBars([row], "2025-11-06", "2025-11-10"))).toBe("malformed");
  });
});

describe("tiingo, errors", () => {
  it.each([
    [200, "You have run over your 500 symbol look up for this month.", "rate_limited"],
    [200, { detail: "Error: You have run over your hourly request allocation." }, "rate_limited"],
    [403, { detail: "You have run over your 50 symbols" }, "rate_limited"],
    [403, { detail: "You do not have permission to access this ticker" }, "unsupported"],
    [403, { detail: "Invalid token." }, "auth"],
    [403, "", "auth"],
    [404, { detail: "Not found." }, "unknown_symbol"],
    [404, "404 page not found", "malformed"],
    [200, { detail: "Error: Ticker 'AAPL' not found" }, "unknown_symbol"],
    [200, { detail: "Error: something else" }, "malformed"],
    [200, "Error: something else", "malformed"],
  ])("maps status %i with %j to %s", async (status, body, kind) => {
    const { provider } = respond({ [DAILY]: body, "/iex/AAPL": body }, status);
    expect(await kindOf(barsIn(provider, { from: "2025-11-06", until: "2025-11-10" }))).toBe(kind);
    expect(await kindOf(provider.latest!(AAPL, { signal }))).toBe(kind);
  });
});
