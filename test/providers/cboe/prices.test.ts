import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cboe } from "../../../src/providers/cboe/prices.ts";
import { cboeVendor, delayedBars } from "../../replay/cboe.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describePriceProvider } from "../../support/price-provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { answersOf } from "../../support/vendor-answers.ts";
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
  close: 94.64,
  prev_day_close: 93.89,
  volume: 16101473,
  last_trade_time: "2026-07-10T15:59:59",
};
/** The quote of a file written at a time (UTC), in the session by default. */
const quoting = (change: object, timestamp = "2026-07-10 19:20:00") =>
  respond({
    timestamp,
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

describeWithData("cboe's answers", ["vendors"], (folder) => {
  it("before the open have the close of the last session and no previous one", async () => {
    const provider = cboe({ fetch: answersOf(folder, "cboe-premarket-previous") });
    expect(await provider.latest!(stock("MRVL"), { signal })).toMatchObject({
      price: 234.33,
      tradedAt: Date.parse("2026-08-17T20:00:00Z"),
      previousClose: null,
    });
  });
});

describeWithData("cboe as recorded", ["fixtures", "cboe"], (folder) => {
  it("returns the official close after the session, not the late trade at 94.6604", async () => {
    // The file of a chain begins with the contents of the quote file.
    const body = readFileSync(join(folder, "mimir_cboe_options_mstr.json"), "utf8");
    const { provider, requests } = respond(body);
    expect(await provider.latest!(MSTR, { signal })).toEqual({
      price: 94.64,
      tradedAt: Date.UTC(2026, 6, 10, 20),
      previousClose: 93.89,
      open: 98.6,
      high: 100.12,
      low: 93.35,
      volume: 16101473,
      volumeScope: "all_venues",
      venue: "US",
    });
    expect(requests).toEqual(["https://cdn-api.cboe.com/api/global/delayed_quotes/quotes/MSTR.json"]);
  });
});

describe("cboe, quotes", () => {
  it("are read in New York time, also in winter", async () => {
    const summer = await quoting({ last_trade_time: "2026-07-10T15:04:58" });
    expect(summer).toMatchObject({ price: 94.66, tradedAt: Date.UTC(2026, 6, 10, 19, 4, 58) });
    const winter = await quoting({ last_trade_time: "2026-11-20T14:04:58" }, "2026-11-20 19:20:00");
    expect(winter.tradedAt).toBe(Date.UTC(2026, 10, 20, 19, 4, 58));
  });

  it("are the last trade until the delayed session has ended, then the close", async () => {
    const of = async (timestamp: string) => {
      const { price, tradedAt } = await quoting({}, timestamp);
      return [price, new Date(tradedAt).toISOString()];
    };
    const [last, close] = [
      [94.66, "2026-07-10T19:59:59.000Z"],
      [94.64, "2026-07-10T20:00:00.000Z"],
    ];
    expect(await of("2026-07-10 20:14:59")).toEqual(last);
    expect(await of("2026-07-10 20:15:00")).toEqual(close);
    expect(await of("2026-07-13 12:00:00")).toEqual(close);
    // without an official close, the late trade does not take its place
    expect(await kindOf(quoting({ close: 0 }, "2026-07-10 20:15:00"))).toBe("malformed");
    expect(await kindOf(quoting({ close: null }))).toBe("answered");
  });

  it("follow the vendor to its new host, and no further", async () => {
    const world = fixedWorld();
    const seen: string[] = [];
    const moved: typeof fetch = (input, init) => {
      seen.push(new URL(String(input)).host);
      return fetchFrom(cboeVendor, world)(input, init);
    };
    const at = (baseUrl: string) => cboe({ fetch: moved, baseUrl }).latest!(fixed("AAPL"), { signal });
    expect(await at("https://cdn.cboe.com")).toEqual(await at("https://cdn-api.cboe.com"));
    expect(seen).toEqual(["cdn.cboe.com", "cdn-api.cboe.com", "cdn-api.cboe.com"]);
    const away = respond("", 307, { location: "https://cdn.cboe.com.example/AAPL.json" });
    expect(await kindOf(away.provider.latest!(MSTR, { signal }))).toBe("blocked");
    expect(away.requests).toHaveLength(1);
  });

  it.each([
    ["before the opening", Date.UTC(2025, 11, 3, 13), "2025-12-02T21:00:00.000Z"],
    ["ten minutes after the opening", Date.UTC(2025, 11, 3, 14, 40), "2025-12-02T21:00:00.000Z"],
    ["in the session", Date.UTC(2025, 11, 3, 15, 42, 30), "2025-12-03T15:24:59.000Z"],
    ["on a Sunday after a half day", Date.UTC(2025, 10, 30, 15), "2025-11-28T18:00:00.000Z"],
  ])("return the last regular trade that is 15 minutes old, or the close, %s", async (_, now, at) => {
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
    [403, "application/xml", "<?xml version='1.0'?><Error><Code>SlowDown</Code></Error>", "blocked"],
    [403, "application/json", '{"message":"Forbidden"}', "blocked"],
    [403, "text/plain", "", "blocked"],
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
