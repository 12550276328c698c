import { describe, expect, it } from "vitest";
import { alpaca } from "../../../src/providers/alpaca/prices.ts";
import { alpacaVendor, SUBSCRIBED_KEY } from "../../replay/alpaca.ts";
import { fixed, MOMENT, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describePriceProvider } from "../../support/price-provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { answersOf } from "../../support/vendor-answers.ts";
import {
  barsIn,
  kindOf,
  NO_DAY,
  readJson,
  respondAs,
  respondInOrder,
  signal,
  stock,
  US_BARS,
} from "../requests.ts";

const MINUTE = 60_000;
const AAPL = fixed("AAPL");
const KEYS = { key: "PKREPLAYONLY00000000", secret: "replay-only-secret" };
const NOW = Date.UTC(2024, 0, 2);

const NONE = { bars: {}, next_page_token: null };

/** A provider with responses in order, and the requested URLs. */
function respond(bodies: readonly unknown[], { status = 200, now = NOW } = {}) {
  const { fetch, requests } = respondInOrder([...bodies, NONE], { status });
  const query = (call: number) => new URL(requests[call]!).searchParams;
  return { provider: alpaca({ fetch, ...KEYS, now: () => now }), requests, query };
}

const bar = (t: string, close = 100, change: object = {}) => ({
  t,
  o: close,
  h: close + 1,
  l: close - 1,
  c: close,
  v: 1000,
  n: 5,
  vw: close,
  ...change,
});
const TRADE = { t: "2022-03-18T14:33:58.448432206Z", x: "V", p: 161.2, s: 200, c: ["@"], i: 1, z: "C" };
const FRIDAY = bar("2022-03-18T04:00:00Z", 160);
const THURSDAY = bar("2022-03-17T04:00:00Z", 159);
const quoting = (snapshot: unknown) => respond([{ AAPL: snapshot }]).provider.latest!(AAPL, { signal });
/** The quote of a plan with all venues. */
const quotingSip = (snapshot: unknown) =>
  alpaca({
    fetch: respondInOrder([{ AAPL: snapshot }]).fetch,
    ...KEYS,
    plan: "algo_trader_plus",
    now: () => NOW,
  }).latest!(AAPL, {
    signal,
  });

describePriceProvider("alpaca", {
  make: (fetch) => alpaca({ fetch, ...KEYS, now: () => MOMENT }),
  vendor: alpacaVendor,
  instruments: { good: AAPL, unknown: UNLISTED_STOCK, other: fixed("SPY") },
  // An unlisted symbol is missing from both bars and snapshots.
  unknownHistory: "empty",
  accept: { shapes: ["unknown_symbol"] },
});

describeWithData("alpaca as recorded", ["fixtures", "alpaca"], (folder) => {
  const recorded = (file: string) =>
    readJson<{ body: object }>(folder, `historical_stock_data__${file}.json`).body;

  it("returns the newest trade with its day on IEX, without a previous close", async () => {
    const { provider, requests } = respond([recorded("get_snapshot")]);
    expect(await provider.latest!(AAPL, { signal })).toEqual({
      price: 161.1998,
      tradedAt: Date.UTC(2022, 2, 18, 14, 33, 58, 448),
      previousClose: null,
      venuePreviousClose: 160.62,
      open: 160.59,
      high: 161.92,
      low: 159.76,
      volume: 31749988,
      bid: 161.19,
      ask: 161.2,
      volumeScope: "one_venue",
      venue: "IEX",
    });
    expect(requests).toEqual(["https://data.alpaca.markets/v2/stocks/snapshots?symbols=AAPL&feed=iex"]);
  });

  it("dates daily bars by their session and requests the next page", async () => {
    const { provider, query } = respond([recorded("get_bars")]);
    const { bars, ...rest } = await barsIn(provider, { from: "2022-02-01", until: "2022-02-28" });
    expect(bars).toEqual([
      { time: Date.UTC(2022, 1, 1), open: 174, high: 174.84, low: 172.31, close: 174.61, volume: 85998033 },
      {
        time: Date.UTC(2022, 1, 2),
        open: 174.64,
        high: 175.88,
        low: 173.33,
        close: 175.84,
        volume: 84817432,
      },
    ]);
    expect(rest).toEqual(US_BARS);
    const next = "QUFQTHxEfDIwMjItMDItMDJUMDU6MDA6MDAuMDAwMDAwMDAwWg==";
    expect([0, 1].map((call) => query(call).get("page_token"))).toEqual([null, next]);
  });

  it("stamps daily bars in summer alike, in any order", async () => {
    const { provider } = respond([{ ...recorded("get_bars_desc"), next_page_token: null }]);
    const { bars } = await barsIn(provider, { from: "2023-09-25", until: "2023-09-27" }, stock("TSLA"));
    expect(bars.map(({ time, close }) => [new Date(time).toISOString().slice(0, 10), close])).toEqual([
      ["2023-09-27", 240.5],
      ["2023-09-26", 244.12],
      ["2023-09-25", 246.99],
    ]);
  });

  it("returns no bars for an empty response, and rejects a symbol missing from the snapshots as unknown", async () => {
    const none = respond([recorded("get_bars_multi_empty_response")]).provider;
    expect(await barsIn(none, { from: "2022-02-01", until: "2022-02-28" })).toMatchObject({ bars: [] });
    const { provider } = respond([recorded("get_snapshot_multi_empty_response")]);
    expect(await kindOf(provider.latest!(AAPL, { signal }))).toBe("unknown_symbol");
  });

  it("rejects a response about two symbols", async () => {
    const { provider } = respond([recorded("multisymbol_get_bars")]);
    expect(await kindOf(barsIn(provider, { from: "2022-03-09", until: "2022-03-10" }))).toBe("malformed");
  });
});

describe("alpaca, quotes", () => {
  it("before the open give the change from the newest close, which is the previous day's", async () => {
    const early = { ...TRADE, t: "2022-03-18T12:00:00Z" };
    const wednesday = bar("2022-03-16T04:00:00Z", 150);
    expect(
      await quotingSip({ latestTrade: early, dailyBar: THURSDAY, prevDailyBar: wednesday }),
    ).toMatchObject({
      ...NO_DAY,
      price: 161.2,
      previousClose: 159,
    });
  });

  it("on a Monday give the change from Friday's close", async () => {
    const monday = bar("2022-03-21T04:00:00Z", 162);
    const latestTrade = { ...TRADE, t: "2022-03-21T14:00:00Z" };
    expect((await quotingSip({ latestTrade, dailyBar: monday, prevDailyBar: FRIDAY })).previousClose).toBe(
      160,
    );
  });

  it("have no previous close without a bar of that day", async () => {
    const prevDailyBar = bar("2022-03-16T04:00:00Z", 150);
    expect(await quotingSip({ latestTrade: TRADE, dailyBar: FRIDAY, prevDailyBar })).toMatchObject({
      open: 160,
      previousClose: null,
    });
    expect(await quotingSip({ latestTrade: TRADE, dailyBar: null })).toMatchObject({
      open: null,
      previousClose: null,
    });
  });

  it("have no open of 0", async () => {
    const dailyBar = { ...FRIDAY, o: 0 };
    expect((await quoting({ latestTrade: TRADE, dailyBar, prevDailyBar: THURSDAY })).open).toBe(null);
  });

  it("fail as unsupported for a symbol that IEX has not traded", async () => {
    expect(await kindOf(quoting({ latestTrade: null, dailyBar: null }))).toBe("unsupported");
    expect(await kindOf(quoting(null))).toBe("unknown_symbol");
  });

  it("fail as unknown for a symbol that Alpaca rejects as invalid", async () => {
    const refusal = { message: "code=400, message=invalid symbol: AAPL" };
    const { provider } = respond([refusal], { status: 400 });
    expect(await kindOf(provider.latest!(AAPL, { signal }))).toBe("unknown_symbol");
    const other = respond([{ message: "end should not be before start" }], { status: 400 });
    expect(await kindOf(other.provider.latest!(AAPL, { signal }))).toBe("malformed");
  });
});

describe("alpaca with a subscription", () => {
  const plan = "algo_trader_plus";
  const subscribed = (fetch: typeof globalThis.fetch) =>
    alpaca({ fetch, ...SUBSCRIBED_KEY, plan, now: () => MOMENT });

  it("quotes the newest trade of all venues", async () => {
    const { fetch, requests } = respondAs(alpacaVendor);
    const quote = await subscribed(fetch).latest!(AAPL, { signal });
    expect(quote).toMatchObject({ volumeScope: "all_venues", venue: "US" });
    expect(requests).toEqual(["https://data.alpaca.markets/v2/stocks/snapshots?symbols=AAPL&feed=sip"]);
  });

  it("has bars up to now, which an account without one may not request", async () => {
    const provider = subscribed(respondAs(alpacaVendor).fetch);
    const window = { from: "2025-12-03", until: "2025-12-03T15:42:30Z", timeframe: "5m" } as const;
    expect(provider.barDelayMinutes).toBe(0);
    expect((await barsIn(provider, window)).bars.at(-1)!.time).toBe(Date.parse("2025-12-03T15:40:00Z"));
    const free = alpaca({ fetch: respondAs(alpacaVendor).fetch, ...KEYS, plan, now: () => MOMENT });
    expect(await kindOf(barsIn(free, window))).toBe("auth");
    expect(await kindOf(free.latest!(AAPL, { signal }))).toBe("auth");
  });
});

describe("alpaca, bars", () => {
  it("end sixteen minutes ago, as required for an account without a subscription", async () => {
    const now = Date.parse("2025-12-03T15:42:30Z");
    const { provider, query } = respond([], { now });
    await barsIn(provider, { from: "2025-12-03", until: "2025-12-03T15:42:30Z", timeframe: "5m" });
    expect(Object.fromEntries(query(0))).toEqual({
      symbols: "AAPL",
      timeframe: "5Min",
      start: "2025-12-03T00:00:00.000Z",
      end: "2025-12-03T15:26:30.000Z",
      limit: "10000",
      adjustment: "split",
      feed: "sip",
    });
    expect((now - Date.parse(query(0).get("end")!)) / MINUTE).toBe(16);
  });

  it("include pre-market and after-hours trading on request", async () => {
    // by hand, New York winter time: 03:30, 04:00, 09:30, 19:30 and 20:00
    const starts = [
      "2023-12-28T08:30",
      "2023-12-28T09:00",
      "2023-12-28T14:30",
      "2023-12-29T00:30",
      "2023-12-29T01:00",
    ];
    const rows = starts.map((start, i) => bar(`${start}:00Z`, 100 + i));
    const page = { bars: { AAPL: rows }, next_page_token: null };
    const window = { from: "2023-12-28", until: "2023-12-30", timeframe: "30m" } as const;
    const read = async (extendedHours: boolean) =>
      barsIn(respond([page]).provider, { ...window, extendedHours });
    const [regular, extended] = [await read(false), await read(true)];
    expect(regular.bars.map(({ close }) => close)).toEqual([102]);
    expect(extended.bars.map(({ close }) => close)).toEqual([101, 102, 103]);
    expect([regular.hours, extended.hours]).toEqual(["regular", "extended"]);
  });

  it("are not requested if all of them are withheld", async () => {
    const { provider, requests } = respond([]);
    const window = { from: "2024-01-01T23:50:00Z", until: "2024-01-02", timeframe: "5m" } as const;
    expect(await barsIn(provider, window)).toMatchObject({ bars: [] });
    expect(requests).toEqual([]);
  });

  it("include the last requested day, whose bar starts within it, and not the next", async () => {
    const days = [bar("2022-03-17T04:00:00Z"), bar("2022-03-18T04:00:00Z")];
    const { provider, query } = respond([{ bars: { AAPL: days }, next_page_token: null }]);
    const { bars } = await barsIn(provider, { from: "2022-03-17", until: "2022-03-17" });
    expect(bars.map(({ time }) => time)).toEqual([Date.UTC(2022, 2, 17)]);
    expect(query(0).get("end")).toBe("2022-03-18T00:00:00.000Z");
  });

  it("are read from all pages", async () => {
    const { fetch, requests } = respondAs(alpacaVendor);
    const provider = alpaca({ ...KEYS, now: () => MOMENT, fetch });
    const window = { from: "2025-10-08", until: "2025-12-03T15:42:30Z", timeframe: "30m" } as const;
    const { bars } = await barsIn(provider, window);
    // 38 sessions of 13 half hours, a half day of 7, and today's from 09:30 and 10:00
    expect(bars.length).toBe(38 * 13 + 7 + 2);
    expect(requests.length).toBe(4);
    expect(new Set(requests).size).toBe(4);
  });

  it("with a repeated page are malformed", async () => {
    const page = { bars: { AAPL: [bar("2022-03-17T04:00:00Z")] }, next_page_token: "again" };
    const { provider, requests } = respond([page, page]);
    expect(await kindOf(barsIn(provider, { from: "2022-03-17", until: "2022-03-18" }))).toBe("malformed");
    expect(requests.length).toBe(2);
  });

  it("with endless empty pages fail after 40 pages", async () => {
    const empty = { bars: null, next_page_token: "more" };
    const { provider, requests } = respond(Array(50).fill(empty));
    expect(await kindOf(barsIn(provider, { from: "2022-03-17", until: "2022-03-18" }))).toBe("unsupported");
    expect(requests.length).toBe(40);
  });
});

describeWithData("alpaca's answers", ["vendors"], (folder) => {
  it("give no previous close: the last print of IEX is not the official close", async () => {
    const provider = alpaca({ fetch: answersOf(folder, "alpaca-iex-previous"), ...KEYS, now: () => NOW });
    expect(await provider.latest!(AAPL, { signal })).toMatchObject({ price: 341.02, previousClose: null });
    expect((await provider.latestOf!([AAPL], { signal })).get("AAPL")).toMatchObject({ previousClose: null });
  });
});

describe("alpaca's batches of quotes", () => {
  const snapshot = (price: number, over: object = {}) => ({
    latestTrade: { ...TRADE, p: price },
    latestQuote: { bp: price - 0.5, ap: price + 0.5 },
    dailyBar: FRIDAY,
    prevDailyBar: THURSDAY,
    ...over,
  });

  it("take one call, leave out unlisted and untraded symbols, and have bid and ask", async () => {
    const { provider, requests } = respond([
      { AAPL: snapshot(161.2), "BRK.B": snapshot(350), SPY: snapshot(1, { latestTrade: null }), ZZQX: null },
    ]);
    const of = [AAPL, stock("BRK.B"), fixed("SPY"), UNLISTED_STOCK, stock("ABR.PRD")];
    const found = await provider.latestOf!(of, { signal });
    expect([...found.keys()]).toEqual(["AAPL", "BRK.B"]);
    expect(found.get("AAPL")).toMatchObject({ price: 161.2, bid: 160.7, ask: 161.7, previousClose: null });
    expect(new URL(requests[0]!).search).toContain("symbols=AAPL,BRK.B,SPY,ZZQX");
  });
});
