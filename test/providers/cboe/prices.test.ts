import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cboe } from "../../../src/providers/cboe/prices.ts";
import { cboeVendor, delayedBars } from "../../replay/cboe.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describePriceProvider } from "../../support/price-provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { barsIn, kindOf, NO_DAY, respondWith, signal, stock, US_BARS } from "../requests.ts";

const DAY = 86_400_000;
const MSTR = stock("MSTR");

/** A provider with one response, and the requested URLs. */
function respond(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) {
  const { fetch, requests } = respondWith({ "": body }, { status, headers });
  return { provider: cboe({ fetch }), requests };
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
  respond({
    timestamp: "2026-07-10 21:12:30",
    data: { ...HEADER, ...change },
    symbol: "MSTR",
  }).provider.latest!(MSTR, { signal });

describePriceProvider("cboe", {
  make: (fetch) => cboe({ fetch }),
  vendor: cboeVendor,
  instruments: { good: fixed("AAPL"), unknown: UNLISTED_STOCK, other: fixed("SPY") },
  // 15 minutes delayed, regular session only
  quoted: (world, instrument) => {
    const { last, at } = delayedBars(instrument, world);
    return { price: last.close, tradedAt: at };
  },
});

describeWithData("cboe as recorded", ["fixtures", "cboe"], (folder) => {
  it("returns the last trade, read in New York time, with the figures of its day", async () => {
    // The file of a chain begins with the contents of the quote file.
    const body = readFileSync(join(folder, "mimir_cboe_options_mstr.json"), "utf8");
    const { provider, requests } = respond(body);
    expect(await provider.latest!(MSTR, { signal })).toEqual({
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
  it("are also read in winter time", async () => {
    const { tradedAt } = await quoting({ last_trade_time: "2026-11-20T15:59:59" });
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

  it("omit figures of the day that are 0, null or missing", async () => {
    const none = { open: 0, high: null, low: undefined, prev_day_close: 0, volume: null };
    expect(await quoting(none)).toMatchObject({ ...NO_DAY, price: 94.66 });
  });

  it.each([
    { current_price: 0 },
    { current_price: null },
    { current_price: -1 },
    { last_trade_time: null },
    { last_trade_time: "2026-02-31T10:00:00" },
    { last_trade_time: "2026-07-10T15:59:59Z" },
    { security_type: "index" },
    { symbol: "MSTX" },
  ])("are malformed with %j", async (change) => {
    expect(await kindOf(quoting(change))).toBe("malformed");
  });

  it("request a share class with a dot, and a fund with a token's ticker without our suffix", async () => {
    const { provider, requests } = respond("", 404);
    await kindOf(provider.latest!(stock("BRK.B"), { signal }));
    await kindOf(provider.latest!({ ...fixed("SPY"), symbol: "BTC.US" }, { signal }));
    expect(requests.map((url) => url.split("/").at(-1))).toEqual(["BRK.B.json", "BTC.json"]);
  });

  it("of a token are not taken from the trust with the same ticker", async () => {
    const { provider, requests } = respond("");
    expect(await kindOf(provider.latest!(fixed("BTC-USD"), { signal }))).toBe("unsupported");
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
  ])("map status %i with %s %s to %s", async (status, type, body, kind) => {
    const { provider } = respond(body, status, { "content-type": type });
    expect(await kindOf(provider.latest!(MSTR, { signal }))).toBe(kind);
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
  const request = (rows: readonly object[], from: string, until: string, symbol = "MSTR") =>
    barsIn(respond({ symbol, data: rows }).provider, { from, until }, MSTR);

  it("are read from numbers or text, with none before the listing", async () => {
    const rows = [
      { date: "2026-07-08", open: "0.0", high: "0.0", low: "0.0", close: "0.0", volume: "0" },
      { date: "2026-07-09", open: "93.1", high: "94.5", low: "92.2", close: "93.89", volume: "15000000" },
      { date: "2026-07-10", open: 98.6, high: 100.12, low: 93.35, close: 94.64, volume: 16101473 },
    ];
    const { bars, ...rest } = await request(rows, "2026-07-08", "2026-07-10");
    const none = { open: null, high: null, low: null, close: null, volume: 0 };
    expect(bars).toEqual([
      { time: Date.UTC(2026, 6, 8), ...none },
      { time: Date.UTC(2026, 6, 9), open: 93.1, high: 94.5, low: 92.2, close: 93.89, volume: 15000000 },
      { time: Date.UTC(2026, 6, 10), open: 98.6, high: 100.12, low: 93.35, close: 94.64, volume: 16101473 },
    ]);
    expect(rest).toEqual(US_BARS);
  });

  it("are limited to the requested window", async () => {
    const days = ["2026-07-06", "2026-07-07", "2026-07-08", "2026-07-09"];
    const rows = days.map((date) => row(date, 10, 10));
    const { bars } = await request(rows, "2026-07-07", "2026-07-08");
    expect(bars.map(({ time }) => time)).toEqual([Date.UTC(2026, 6, 7), Date.UTC(2026, 6, 8)]);
  });

  it("not adjusted for a split are rejected, even if the split is after the window", async () => {
    const rows = [
      row("2026-07-06", 400, 402),
      row("2026-07-07", 401, 404),
      row("2026-07-08", 101.5, 103),
      row("2026-07-09", 103, 102),
    ];
    expect(await kindOf(request(rows, "2026-07-06", "2026-07-09"))).toBe("unsupported");
    expect(await kindOf(request(rows, "2026-07-06", "2026-07-07"))).toBe("unsupported");
    expect(await kindOf(request(rows, "2026-07-08", "2026-07-09"))).toBe("answered");
  });

  it("are malformed with an invalid date or another ticker", async () => {
    const [from, until] = ["2026-01-01", "2026-03-01"] as const;
    expect(await kindOf(request([row("2026-02-30", 1, 1)], from, until))).toBe("malformed");
    expect(await kindOf(request([], from, until, "MSTX"))).toBe("malformed");
  });
});
