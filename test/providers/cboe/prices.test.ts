import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cboe } from "../../../src/providers/cboe/prices.ts";
import { cboeVendor, delayedBars } from "../../replay/cboe.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describePriceProvider } from "../../support/price-provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, signal, stock } from "../requests.ts";

const DAY = 86_400_000;
const MSTR = stock("MSTR");

/** One response to all requests, and the requested URLs. */
function respondWith(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) {
  const requests: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    requests.push(String(input));
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });
  };
  return { source: cboe({ fetch }), requests };
}

const HEADER = {
  symbol: "MSTR",
  security_type: "stock",
  current_price: 94.66,
  open: 98.6,
  high: 100.12,
  low: 93.35,
  prev_day_close: 93.89,
  volume: 16101473,
  last_trade_time: "2026-07-10T15:59:59",
};
const quoting = (change: object) =>
  respondWith({ timestamp: "2026-07-10 21:12:30", data: { ...HEADER, ...change }, symbol: "MSTR" });

describePriceProvider("cboe", {
  make: (fetch) => cboe({ fetch }),
  vendor: cboeVendor,
  instruments: { good: fixed("AAPL"), unknown: UNLISTED_STOCK, other: fixed("SPY") },
  // a quarter of an hour late, and of the regular session alone
  quoted: (world, instrument) => {
    const { last, at } = delayedBars(instrument, world);
    return { price: last.close, tradedAt: at };
  },
});

describeWithData("cboe as recorded", ["fixtures", "cboe"], (folder) => {
  it("returns the last trade, read in New York time, with its day", async () => {
    // the file of a chain begins with what the quote's file holds
    const body = readFileSync(join(folder, "mimir_cboe_options_mstr.json"), "utf8");
    const { source, requests } = respondWith(body);
    expect(await source.latest!(MSTR, { signal })).toEqual({
      price: 94.6604,
      tradedAt: Date.UTC(2026, 6, 10, 19, 59, 59),
      previousClose: 93.89,
      open: 98.6,
      high: 100.12,
      low: 93.35,
      volume: 16101473,
      volumeScope: "all_venues",
      venue: "US",
    });
    expect(requests).toEqual(["https://cdn.cboe.com/api/global/delayed_quotes/quotes/MSTR.json"]);
  });
});

describe("cboe, quotes", () => {
  it("are read at winter's time too", async () => {
    const { source } = quoting({ last_trade_time: "2026-11-20T15:59:59" });
    const { tradedAt } = await source.latest!(MSTR, { signal });
    expect(new Date(tradedAt).toISOString()).toBe("2026-11-20T20:59:59.000Z");
  });

  it.each([
    ["before the opening", Date.UTC(2025, 11, 3, 13), "2025-12-02T20:59:59.000Z"],
    ["ten minutes after the opening", Date.UTC(2025, 11, 3, 14, 40), "2025-12-02T20:59:59.000Z"],
    ["in the session", Date.UTC(2025, 11, 3, 15, 42, 30), "2025-12-03T15:24:59.000Z"],
    ["on a Sunday after a half day", Date.UTC(2025, 10, 30, 15), "2025-11-28T17:59:59.000Z"],
  ])("return the last regular trade that is 15 minutes old %s", async (_, now, at) => {
    const world = fixedWorld(now);
    const quote = await cboe({ fetch: fetchFrom(cboeVendor, world) }).latest!(fixed("AAPL"), { signal });
    expect(new Date(quote.tradedAt).toISOString()).toBe(at);
    const day = Date.parse(`${at.slice(0, 10)}T00:00:00Z`);
    const [before, of] = world.bars("AAPL", "1d", { from: day - 7 * DAY, until: day }).slice(-2);
    expect(quote).toMatchObject({ previousClose: before!.close, open: of!.open });
  });

  it("leave out figures of the day that are 0, null or not there", async () => {
    const { source } = quoting({ open: 0, high: null, low: undefined, prev_day_close: 0, volume: null });
    expect(await source.latest!(MSTR, { signal })).toMatchObject({
      price: 94.66,
      previousClose: null,
      open: null,
      high: null,
      low: null,
      volume: null,
    });
  });

  it("are none without a price, without a time, or of another thing", async () => {
    const changes = [
      { current_price: 0 },
      { current_price: null },
      { current_price: -1 },
      { last_trade_time: null },
      { last_trade_time: "2026-02-31T10:00:00" },
      { last_trade_time: "2026-07-10T15:59:59Z" },
      { security_type: "index" },
      { symbol: "MSTX" },
    ];
    for (const change of changes)
      expect([change, await kindOf(quoting(change).source.latest!(MSTR, { signal }))]).toEqual([
        change,
        "malformed",
      ]);
  });

  it("request a share class with a dot, and a fund with a token's ticker without our suffix", async () => {
    const { source, requests } = respondWith("", 404);
    await kindOf(source.latest!(stock("BRK.B"), { signal }));
    await kindOf(source.latest!({ ...fixed("SPY"), symbol: "BTC.US" }, { signal }));
    expect(requests.map((url) => url.split("/").at(-1))).toEqual(["BRK.B.json", "BTC.json"]);
  });

  it("of a token are not taken from the trust of the same name", async () => {
    const { source, requests } = respondWith("");
    expect(await kindOf(source.latest!(fixed("BTC-USD"), { signal }))).toBe("unsupported");
    expect(requests).toEqual([]);
  });

  it.each([
    [
      403,
      "application/xml",
      '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
      "unknown_symbol",
    ],
    [404, "text/html", "<html><body>Not Found</body></html>", "unknown_symbol"],
    [403, "text/html", "<html><body>Attention</body></html>", "blocked"],
    [200, "text/html", "<!doctype html><title>Wait</title>", "blocked"],
    [429, "text/plain", "Too Many Requests", "rate_limited"],
    [503, "text/plain", "", "down"],
  ])("at status %i with %s %s are %s", async (status, type, body, kind) => {
    const { source } = respondWith(body, status, { "content-type": type });
    expect(await kindOf(source.latest!(MSTR, { signal }))).toBe(kind);
  });
});

describe("cboe, daily bars", () => {
  const row = (date: string, open: number, close: number) => ({
    date,
    open,
    high: Math.max(open, close),
    low: Math.min(open, close),
    close,
    volume: 1000,
  });
  const barsOf = (...rows: readonly object[]) => respondWith({ symbol: "MSTR", data: rows }).source;
  const request = (source: ReturnType<typeof cboe>, from: string, until: string) =>
    source.history!(MSTR, { timeframe: "1d", from: Date.parse(from), until: Date.parse(until), signal });

  it("are read as numbers or as text, with nothing before the listing", async () => {
    const source = barsOf(
      { date: "2026-07-08", open: "0.0", high: "0.0", low: "0.0", close: "0.0", volume: "0" },
      { date: "2026-07-09", open: "93.1", high: "94.5", low: "92.2", close: "93.89", volume: "15000000" },
      { date: "2026-07-10", open: 98.6, high: 100.12, low: 93.35, close: 94.64, volume: 16101473 },
    );
    const { bars, ...rest } = await request(source, "2026-07-08", "2026-07-10");
    const none = { open: null, high: null, low: null, close: null, volume: 0 };
    expect(bars).toEqual([
      { time: Date.UTC(2026, 6, 8), ...none },
      { time: Date.UTC(2026, 6, 9), open: 93.1, high: 94.5, low: 92.2, close: 93.89, volume: 15000000 },
      { time: Date.UTC(2026, 6, 10), open: 98.6, high: 100.12, low: 93.35, close: 94.64, volume: 16101473 },
    ]);
    expect(rest).toEqual({ adjustment: "split", hours: "regular", volumeScope: "all_venues", venue: "US" });
  });

  it("are the window's, of all there are", async () => {
    const days = ["2026-07-06", "2026-07-07", "2026-07-08", "2026-07-09"];
    const { bars } = await request(
      barsOf(...days.map((date) => row(date, 10, 10))),
      "2026-07-07",
      "2026-07-08",
    );
    expect(bars.map(({ time }) => time)).toEqual([Date.UTC(2026, 6, 7), Date.UTC(2026, 6, 8)]);
  });

  it("that are unadjusted for a split are refused, also if it is after the window", async () => {
    const source = barsOf(
      row("2026-07-06", 400, 402),
      row("2026-07-07", 401, 404),
      row("2026-07-08", 101.5, 103),
      row("2026-07-09", 103, 102),
    );
    expect(await kindOf(request(source, "2026-07-06", "2026-07-09"))).toBe("unsupported");
    expect(await kindOf(request(source, "2026-07-06", "2026-07-07"))).toBe("unsupported");
    expect(await kindOf(request(source, "2026-07-08", "2026-07-09"))).toBe("answered");
  });

  it("are malformed with an invalid date or another ticker", async () => {
    expect(await kindOf(request(barsOf(row("2026-02-30", 1, 1)), "2026-01-01", "2026-03-01"))).toBe(
      "malformed",
    );
    const options = { timeframe: "1d", from: 0, until: DAY, signal } as const;
    const other = respondWith({ symbol: "MSTX", data: [] }).source;
    expect(await kindOf(other.history!(MSTR, options))).toBe("malformed");
  });
});
