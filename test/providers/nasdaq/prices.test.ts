import { describe, expect, it } from "vitest";
import { quoteAt, validateQuote } from "../../../src/market/prices/validate-quote.ts";
import { nasdaq } from "../../../src/providers/nasdaq/prices.ts";
import { nasdaqVendor } from "../../replay/nasdaq.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describePriceProvider } from "../../support/price-provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { answersOf } from "../../support/vendor-answers.ts";
import { barsIn, documented, kindOf, NO_DAY, respondWith, signal, stock, US_BARS } from "../requests.ts";

const AAPL = fixed("AAPL");
const SPY = fixed("SPY");

/** A provider with one response per asset class, and the requested URLs. */
function respond(bodies: { readonly stocks?: unknown; readonly etf?: unknown }) {
  const ofClass = (url: URL) => bodies[url.searchParams.get("assetclass") as "stocks" | "etf"];
  const { fetch, requests } = respondWith({ "": ofClass });
  return { provider: nasdaq({ fetch }), requests };
}

const good = (data: unknown) => ({
  data,
  message: null,
  status: { rCode: 200, bCodeMessage: null, developerMessage: null },
});
const refused = (rCode: number, code: number) => ({
  data: null,
  message: null,
  status: { rCode, bCodeMessage: [{ code, errorMessage: "words" }], developerMessage: null },
});

const SALE = {
  lastSalePrice: "$339.80",
  netChange: "+0.46",
  percentageChange: "+0.13%",
  deltaIndicator: "up",
  lastTradeTimestamp: "May 23, 2025 3:13 PM ET",
  isRealTime: true,
  volume: "84,429,343",
};
const CLOSE = {
  ...SALE,
  lastSalePrice: "$339.34",
  netChange: "-1.70",
  deltaIndicator: "down",
  lastTradeTimestamp: "Closed at May 23, 2025 4:00 PM ET",
};
const quoting = (primaryData: object, secondaryData: object | null = null, data: object = {}) =>
  respond({
    stocks: good({ symbol: "AAPL", primaryData, secondaryData, assetClass: "STOCKS", ...data }),
  }).provider.latest!(AAPL, { signal });

describeWithData("nasdaq's answers", ["vendors"], (folder) => {
  it("stamped with a Saturday are Friday's close, at any time of the weekend", async () => {
    const friday = {
      price: 341.07,
      tradedAt: Date.parse("2026-09-25T20:00:00Z"),
      previousClose: 335.92,
    };
    const fetch = answersOf(folder, "nasdaq-saturday");
    const quote = await nasdaq({ fetch }).latest!(AAPL, { signal });
    expect(quote).toMatchObject(friday);
    for (const time of ["2026-09-26T04:00:00Z", "2026-09-26T16:00:00Z", "2026-09-27T23:00:00Z"]) {
      const now = Date.parse(time);
      const cached = validateQuote(quote, { name: "nasdaq", delayMinutes: 15, liveWithinMs: 120_000 }, now);
      const context = {
        assetClass: "equity",
        now,
        stale: false,
        served_from: "provider",
        tried: [],
      } as const;
      expect(quoteAt(cached, context)).toMatchObject({ price_source: "prior_close", change: 5.15 });
    }
  });
});

const row = (date: string, open: string, close: string, volume = "1,000") => ({
  date,
  close,
  volume,
  open,
  high: open > close ? open : close,
  low: open > close ? close : open,
});
const barsOf = (rows: readonly object[] | null, from: string, until: string) => {
  const stocks = good({ symbol: "AAPL", totalRecords: 1, tradesTable: { asOf: null, rows } });
  return barsIn(respond({ stocks }).provider, { from, until });
};

describePriceProvider("nasdaq", {
  make: (fetch) => nasdaq({ fetch }),
  vendor: nasdaqVendor,
  instruments: { good: AAPL, unknown: UNLISTED_STOCK, other: SPY },
});

describeWithData("nasdaq as documented", ["fixtures", "documented", "errors_and_shapes.json"], (file) => {
  const shape = (what: string) => documented(file, "nasdaq", what);
  const DAYS = { from: "2026-09-02", until: "2026-09-25" };

  it("reads daily bars with dollar signs and commas", async () => {
    const { provider, requests } = respond({ stocks: shape("historical OHLCV ok") });
    expect(await barsIn(provider, DAYS)).toEqual({
      bars: [
        {
          time: Date.UTC(2026, 8, 25),
          open: 336.04,
          high: 341.67,
          low: 334.53,
          close: 341.07,
          volume: 30002510,
        },
      ],
      ...US_BARS,
    });
    expect(requests).toEqual([
      "https://api.nasdaq.com/api/quote/AAPL/historical?assetclass=stocks&fromdate=2026-09-01&todate=2026-09-25&limit=9999",
    ]);
  });

  it("has a null volume if the response has none", async () => {
    const { provider } = respond({ stocks: shape("index OHLC") });
    const { bars } = await barsIn(provider, { from: "2026-08-20", until: "2026-08-25" }, stock("NDX"));
    expect(bars).toMatchObject([{ time: Date.UTC(2026, 7, 25), close: 29209.23, volume: null }]);
  });

  it("reports a symbol that is neither a stock nor a fund as unknown", async () => {
    const body = shape("unknown symbol");
    const { provider, requests } = respond({ stocks: body, etf: body });
    expect(await kindOf(provider.latest!(AAPL, { signal }))).toBe("unknown_symbol");
    expect(requests).toEqual([
      "https://api.nasdaq.com/api/quote/AAPL/info?assetclass=stocks",
      "https://api.nasdaq.com/api/quote/AAPL/info?assetclass=etf",
    ]);
  });

  it("has no bars in a window for which the response has none", async () => {
    const { provider } = respond({ stocks: shape("same-day window") });
    const none = { bars: [], adjustment: "unknown" };
    expect(await barsIn(provider, { from: "2026-09-25", until: "2026-09-25" })).toMatchObject(none);
  });

  it("is down on a temporary failure", async () => {
    const { provider } = respond({ stocks: shape("transient vendor failure") });
    expect(await kindOf(provider.latest!(AAPL, { signal }))).toBe("down");
    expect(await kindOf(barsIn(provider, DAYS))).toBe("down");
  });
});

describe("nasdaq, quotes", () => {
  it("return the price with its minute and the previous close", async () => {
    expect(await quoting(SALE)).toEqual({
      ...NO_DAY,
      price: 339.8,
      tradedAt: Date.UTC(2025, 4, 23, 19, 13),
      previousClose: 339.34,
      volume: 84429343,
      volumeScope: "all_venues",
      venue: "US",
      delayMinutes: 0,
    });
  });

  it("are in real time only if they say so", async () => {
    for (const isRealTime of [false, null, undefined, "true"])
      expect(await quoting({ ...SALE, isRealTime })).not.toHaveProperty("delayMinutes");
  });

  it.each([
    ["Nov 20, 2026 3:59 PM ET", "2026-11-20T20:59:00.000Z"],
    ["Nov 20, 2026 12:05 PM ET", "2026-11-20T17:05:00.000Z"],
    ["DATA AS OF Nov 19, 2019 9:27 AM ET - PRE-MARKET", "2019-11-19T14:27:00.000Z"],
    ["DATA AS OF Nov 19, 2019 4:31 PM ET - AFTER HOURS", "2019-11-19T21:31:00.000Z"],
    ["Closed at Sep 3, 2026 4:00 PM ET", "2026-09-03T20:00:00.000Z"],
    ["Jul 10, 2026", "2026-07-10T20:00:00.000Z"],
    ["DATA AS OF Nov 19, 2019", "2019-11-19T21:00:00.000Z"],
    // the half day after Thanksgiving
    ["Nov 28, 2025", "2025-11-28T18:00:00.000Z"],
  ])("read %s as %s", async (lastTradeTimestamp, at) => {
    const { tradedAt } = await quoting({ ...SALE, lastTradeTimestamp });
    expect(new Date(tradedAt).toISOString()).toBe(at);
  });

  it.each([
    "",
    "N/A",
    "Nov 20, 2026 3:59 PM",
    "Nov 31, 2026 3:59 PM ET",
    "Nov 20, 2026 13:59 PM ET",
    "Nox 20, 2026 3:59 PM ET",
    "Nov 31, 2026",
    // a Sunday
    "Nov 22, 2026 3:13 PM ET",
  ])("are malformed with the time %j", async (lastTradeTimestamp) => {
    expect(await kindOf(quoting({ ...SALE, lastTradeTimestamp }))).toBe("malformed");
  });

  it("before the open give the change from the last close", async () => {
    const primary = { ...SALE, lastTradeTimestamp: "May 27, 2025 8:58 AM ET" };
    expect(await quoting(primary, CLOSE)).toMatchObject({ price: 339.8, previousClose: 339.34 });
  });

  it("after the close give the change from the previous day's close", async () => {
    const primary = { ...SALE, lastTradeTimestamp: "May 23, 2025 6:13 PM ET" };
    // 339.34 after a loss of 1.70
    expect(await quoting(primary, CLOSE)).toMatchObject({ price: 339.8, previousClose: 341.04 });
    expect((await quoting(primary)).previousClose, "of either day").toBe(null);
  });

  it("read the sign of a change from the direction word, and null without one", async () => {
    const changed = async (netChange: string | null, deltaIndicator: string | null) =>
      (await quoting({ ...SALE, netChange, deltaIndicator })).previousClose;
    expect(await changed("0.81", "up")).toBe(338.99);
    expect(await changed("0.81", "down")).toBe(340.61);
    expect(await changed("-0.81", "up")).toBe(340.61);
    expect(await changed("0.00", null)).toBe(339.8);
    expect(await changed("0.81", null)).toBe(null);
    expect(await changed("UNCH", "up")).toBe(null);
    expect(await changed(null, null)).toBe(null);
  });

  it("have null for a volume written as missing, and keep fractional shares", async () => {
    for (const volume of ["N/A", "--", "", null, undefined])
      expect((await quoting({ ...SALE, volume })).volume).toBe(null);
    expect((await quoting({ ...SALE, volume: "8,222,161.548039" })).volume).toBe(8222161.548039);
  });

  it.each(["N/A", "$0.00", "", null, "-$1.00", "1,2,3", "0x10", 339.8])(
    "are malformed with the price %j",
    async (lastSalePrice) => {
      expect(await kindOf(quoting({ ...SALE, lastSalePrice }))).toBe("malformed");
    },
  );

  it("are rejected for another ticker or asset class", async () => {
    expect(await kindOf(quoting(SALE, null, { symbol: "MSFT" }))).toBe("malformed");
    expect(await kindOf(quoting(SALE, null, { assetClass: "CRYPTO" }))).toBe("malformed");
  });

  it("of a fund are requested as a fund first", async () => {
    const { provider, requests } = respond({
      etf: refused(400, 1001),
      stocks: good({ symbol: "SPY", primaryData: SALE, secondaryData: null, assetClass: "STOCKS" }),
    });
    expect(await provider.latest!(SPY, { signal })).toMatchObject({ price: 339.8 });
    expect(requests.map((url) => url.split("=")[1])).toEqual(["etf", "stocks"]);
  });

  it("request a share class with a dot", async () => {
    const { provider, requests } = respond({ stocks: refused(400, 1001), etf: refused(400, 1001) });
    await kindOf(provider.latest!(stock("BRK.B"), { signal }));
    expect(requests[0]).toContain("/api/quote/BRK.B/info?assetclass=stocks");
  });

  it.each([
    [refused(400, 1001), "unknown_symbol"],
    [refused(200, 1000), "down"],
    [refused(500, 1000), "down"],
    [refused(400, 1002), "malformed"],
    [refused(400, 1011), "malformed"],
    [good({}), "malformed"],
  ])("map %j to %s", async (body, kind) => {
    const { provider } = respond({ stocks: body, etf: body });
    expect(await kindOf(provider.latest!(AAPL, { signal }))).toBe(kind);
  });

  it.each([
    ["before the opening", Date.UTC(2025, 11, 3, 13, 0, 30)],
    ["in the session", Date.UTC(2025, 11, 3, 15, 42, 30)],
    ["after the close", Date.UTC(2025, 11, 3, 22, 0, 30)],
    ["after the close of a half day", Date.UTC(2025, 10, 28, 19, 0, 30)],
  ])("return the newest trade %s with the previous close", async (_, now) => {
    const world = fixedWorld(now);
    for (const of of [AAPL, SPY, fixed("BRK.B")]) {
      const { price, at, previousClose } = world.trade(of.symbol)!;
      const quote = await nasdaq({ fetch: fetchFrom(nasdaqVendor, world) }).latest!(of, { signal });
      expect(quote).toMatchObject({ price, tradedAt: at, previousClose });
    }
  });

  it.each([
    ["at night", Date.UTC(2025, 11, 4, 3), "2025-12-03T21:00:00.000Z"],
    ["on a Sunday", Date.UTC(2025, 10, 30, 15), "2025-11-28T18:00:00.000Z"],
  ])("return the close of the last session %s", async (_, now, closedAt) => {
    const world = fixedWorld(now);
    const [before, last] = world.bars("AAPL", "1d", { from: now - 9 * 86_400_000, until: now }).slice(-2);
    const quote = await nasdaq({ fetch: fetchFrom(nasdaqVendor, world) }).latest!(AAPL, { signal });
    expect(quote).toMatchObject({ price: last!.close, previousClose: before!.close, volume: last!.volume });
    expect(new Date(quote.tradedAt).toISOString()).toBe(closedAt);
  });

  it("are blocked without browser headers", async () => {
    const honest = fetchFrom(nasdaqVendor, fixedWorld());
    const plain = nasdaq({ fetch: (input) => honest(input) });
    expect(await kindOf(plain.latest!(AAPL, { signal }))).toBe("blocked");
  });
});

describe("nasdaq, daily bars", () => {
  it("are empty without rows", async () => {
    for (const rows of [[], null])
      expect(await barsOf(rows, "2026-09-02", "2026-09-25")).toMatchObject({ bars: [] });
  });

  it("have an unknown adjustment if they look unadjusted for a split", async () => {
    const rows = [
      row("09/24/2026", "101.50", "103.00"),
      row("09/23/2026", "401.00", "404.00"),
      row("09/22/2026", "400.00", "402.00"),
    ];
    const { bars, adjustment } = await barsOf(rows, "2026-09-22", "2026-09-24");
    expect([bars.length, adjustment]).toEqual([3, "unknown"]);
    expect((await barsOf(rows.slice(1), "2026-09-22", "2026-09-24")).adjustment).toBe("split");
  });

  it.each([
    row("02/31/2026", "1.00", "1.00"),
    row("24/09/2026", "1.00", "1.00"),
    row("9/24/2026", "1.00", "1.00"),
    row("09/24/2026", "one", "1.00"),
    row("09/24/2026", "1.00", "1.00", "-5"),
  ])("are malformed with an invalid date or figure: %j", async (invalid) => {
    expect(await kindOf(barsOf([invalid], "2026-01-01", "2026-09-25"))).toBe("malformed");
  });
});
