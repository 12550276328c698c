import { describe, expect, it } from "vitest";
import { massive } from "../../../src/providers/massive/prices.ts";
import { massiveVendor } from "../../replay/massive.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describePriceProvider } from "../../support/price-provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import {
  barsIn,
  kindOf,
  NO_DAY,
  readJson,
  respondInOrder,
  respondWith,
  signal,
  US_BARS,
} from "../requests.ts";

const AAPL = fixed("AAPL");
const key = massiveVendor.key!;

/** A provider with responses in order, the last one repeated, and the requested URLs. */
function respond(bodies: readonly unknown[], status = 200) {
  const { fetch, requests } = respondInOrder(bodies, { status });
  return { provider: massive({ fetch, key }), requests };
}
const WEEK = { from: "2025-03-10", until: "2025-03-14" };
const HALF_HOURS = { ...WEEK, timeframe: "30m" } as const;
const week = (...bodies: readonly unknown[]) => barsIn(respond(bodies).provider, WEEK);

const row = (t: string, close = 100) => ({
  v: 1000,
  vw: close,
  o: close,
  c: close,
  h: close + 1,
  l: close - 1,
  n: 5,
  t: Date.parse(t),
});
const aggregates = (results: readonly object[], change: object = {}) => ({
  ticker: "AAPL",
  queryCount: results.length,
  resultsCount: results.length,
  adjusted: true,
  results,
  status: "OK",
  request_id: "x",
  count: results.length,
  ...change,
});
const NEXT = "https://api.polygon.io/v2/aggs/ticker/AAPL/range/30/minute/1741613400000/2025-03-14";

const TICKER = {
  ticker: "AAPL",
  day: { c: 160.3, h: 166.2, l: 159.8, o: 161.84, v: 68840127, vw: 162.7 },
  lastTrade: { c: null, i: "1", p: 159.99, s: 200, t: 1.651251948294e18, x: 12 },
  prevDay: { c: 163.64, h: 164.5, l: 158.9, o: 159.25, v: 130149192, vw: 161.8 },
};
const quoting = (change: object) =>
  respond([{ status: "OK", request_id: "x", ticker: { ...TICKER, ...change } }]).provider.latest!(AAPL, {
    signal,
  });
const NOT_IN_PLAN = {
  status: "NOT_AUTHORIZED",
  request_id: "x",
  message: "You are not entitled to this data. Please upgrade your plan.",
};

describePriceProvider("massive", {
  make: (fetch) => massive({ fetch, key }),
  vendor: massiveVendor,
  instruments: { good: AAPL, unknown: UNLISTED_STOCK, other: fixed("SPY") },
  // An unknown ticker looks like one without bars.
  unknownHistory: "empty",
});

describeWithData("massive as recorded under its old name", ["fixtures", "polygon"], (folder) => {
  it("dates daily bars by their session in winter and summer", async () => {
    const { provider, requests } = respond([readJson(folder, "aggs_AAPL_1day.json")]);
    expect(await barsIn(provider, { from: "2005-04-01", until: "2005-04-04" })).toEqual({
      bars: [
        {
          time: Date.UTC(2005, 3, 1),
          open: 1.5032,
          high: 1.5064,
          low: 1.4489,
          close: 1.4604,
          volume: 642646396,
        },
        {
          time: Date.UTC(2005, 3, 4),
          open: 1.4639,
          high: 1.4754,
          low: 1.4343,
          close: 1.4675,
          volume: 578172308,
        },
      ],
      ...US_BARS,
    });
    expect(requests).toEqual([
      "https://api.massive.com/v2/aggs/ticker/AAPL/range/1/day/2005-04-01/2005-04-04?adjusted=true&sort=asc&limit=50000",
    ]);
  });

  it("returns the last trade to the millisecond with the figures of its day", async () => {
    const { provider, requests } = respond([readJson(folder, "snapshot_AAPL.json")]);
    expect(await provider.latest!(AAPL, { signal })).toEqual({
      price: 159.99,
      tradedAt: 1651251948294,
      previousClose: 163.64,
      open: 161.84,
      high: 166.2,
      low: 159.8,
      volume: 68840127,
      volumeScope: "all_venues",
      venue: "US",
    });
    expect(requests).toEqual(["https://api.massive.com/v2/snapshot/locale/us/markets/stocks/tickers/AAPL"]);
  });
});

describe("massive, quotes", () => {
  it("before the day has begun have neither its figures nor the previous close", async () => {
    const day = { o: 0, h: 0, l: 0, c: 0, v: 0, vw: 0 };
    expect(await quoting({ day })).toMatchObject({ price: 159.99, ...NO_DAY });
    expect(await quoting({ day: null })).toMatchObject({ price: 159.99, ...NO_DAY });
  });

  it("fail without a trade", async () => {
    expect(await kindOf(quoting({ lastTrade: undefined }))).toBe("unsupported");
    expect(await kindOf(quoting({ lastTrade: { ...TICKER.lastTrade, p: 0 } }))).toBe("malformed");
    expect(await kindOf(quoting({ ticker: "MSFT" }))).toBe("malformed");
  });

  it("are requested once if the plan does not include them, while bars continue", async () => {
    for (const refusal of [NOT_IN_PLAN, { ...NOT_IN_PLAN, status: "ERROR" }]) {
      const { fetch, requests } = respondWith({
        "/tickers/AAPL": () => new Response(JSON.stringify(refusal), { status: 403 }),
        "": aggregates([]),
      });
      const provider = massive({ fetch, key });
      for (const _ of [1, 2, 3]) expect(await kindOf(provider.latest!(AAPL, { signal }))).toBe("unsupported");
      expect(await barsIn(provider, WEEK)).toMatchObject({ bars: [] });
      expect(requests.length).toBe(2);
    }
  });
});

describe("massive, plans", () => {
  it.each([
    [undefined, 720, 0, 15],
    ["free", 720, 0, 15],
    ["starter", 1_820, 15, 15],
    ["developer", 3_640, 15, 15],
    ["advanced", 7_280, 0, 0],
  ] as const)("%s reach %i days back", (plan, days, delay, barDelay) => {
    const { reaches, delayMinutes, barDelayMinutes } = massive({ fetch, key, ...(plan && { plan }) });
    expect([reaches["1d"], reaches["5m"], delayMinutes, barDelayMinutes]).toEqual([
      days,
      days,
      delay,
      barDelay,
    ]);
  });
});

describe("massive, bars", () => {
  it("are empty if the response counts none", async () => {
    const { results: _, ...none } = aggregates([]);
    expect(await week(none)).toMatchObject({ bars: [] });
    expect(await kindOf(week({ ...none, resultsCount: 2 }))).toBe("malformed");
  });

  it("of a delayed plan are returned too", async () => {
    const body = aggregates([row("2025-03-10T04:00:00Z")], { status: "DELAYED" });
    expect((await week(body)).bars.length).toBe(1);
  });

  it.each([{ adjusted: false }, { ticker: "MSFT" }, { status: "PENDING" }])(
    "are malformed if they state %j",
    async (change) => {
      expect(await kindOf(week(aggregates([row("2025-03-10T04:00:00Z")], change)))).toBe("malformed");
    },
  );

  it("not included in the plan are unsupported, which is not reported as a key error", async () => {
    const today = { ...NOT_IN_PLAN, message: "Attempted to request today's data before end of day." };
    expect(await kindOf(barsIn(respond([today], 403).provider, WEEK))).toBe("unsupported");
  });

  it("exclude pre-market and after-hours trading", async () => {
    const rows = ["12:00", "13:30", "19:30", "20:00"].map((time) => row(`2025-03-10T${time}:00Z`));
    const { bars } = await barsIn(respond([aggregates(rows)]).provider, HALF_HOURS);
    expect(bars.map(({ time }) => new Date(time).toISOString())).toEqual([
      "2025-03-10T13:30:00.000Z",
      "2025-03-10T19:30:00.000Z",
    ]);
  });

  it("include pre-market and after-hours trading on request, but nothing outside of it", async () => {
    // by hand, New York summer time: 03:30, 04:00, 09:30, 19:30 and 20:00
    const starts = ["07:30", "08:00", "13:30", "23:30"].map((start) => `2025-03-12T${start}:00Z`);
    const rows = [...starts, "2025-03-13T00:00:00Z"].map((start, i) => row(start, 100 + i));
    const { provider } = respond([aggregates(rows)]);
    const { bars, hours } = await barsIn(provider, { ...HALF_HOURS, extendedHours: true });
    expect(bars.map(({ close }) => close)).toEqual([101, 102, 103]);
    expect(hours).toBe("extended");
  });

  it("are paged through our base URL, whatever host the next page names", async () => {
    const first = aggregates([row("2025-03-10T13:30:00Z")], { next_url: `${NEXT}?cursor=bGltaXQ9NTAwMDA` });
    const { provider, requests } = respond([first, aggregates([row("2025-03-10T14:00:00Z")])]);
    expect((await barsIn(provider, HALF_HOURS)).bars.length).toBe(2);
    expect(requests).toEqual([
      "https://api.massive.com/v2/aggs/ticker/AAPL/range/30/minute/1741564800000/1741910400000?adjusted=true&sort=asc&limit=50000",
      "https://api.massive.com/v2/aggs/ticker/AAPL/range/30/minute/1741613400000/2025-03-14?cursor=bGltaXQ9NTAwMDA",
    ]);
  });

  it.each(["", "/relative", "https://api.massive.com/v3/trades/AAPL", NEXT.replace("AAPL", "MSFT")])(
    "end or are malformed if the next page is %j",
    async (next_url) => {
      const { provider, requests } = respond([aggregates([row("2025-03-10T04:00:00Z")], { next_url })]);
      expect(await kindOf(barsIn(provider, WEEK))).toBe(next_url === "" ? "answered" : "malformed");
      expect(requests.length).toBe(1);
    },
  );

  it("with repeated or endless pages are rejected", async () => {
    const again = respond([aggregates([row("2025-03-10T04:00:00Z")], { next_url: NEXT })]);
    expect(await kindOf(barsIn(again.provider, WEEK))).toBe("malformed");
    expect(again.requests.length).toBe(2);
    const empty = respond([aggregates([], { next_url: NEXT })]);
    expect(await kindOf(barsIn(empty.provider, WEEK))).toBe("unsupported");
    expect(empty.requests.length).toBe(8);
  });

  it("of half a year in 30-minute bars are complete", async () => {
    const world = fixedWorld();
    const provider = massive({ fetch: fetchFrom(massiveVendor, world), key });
    const range = { from: Date.UTC(2025, 4, 1), until: Date.UTC(2025, 10, 1) };
    const { bars } = await provider.history!(AAPL, { timeframe: "30m", ...range, signal });
    expect(bars.map(({ time }) => time)).toEqual(world.bars("AAPL", "30m", range).map(({ time }) => time));
  });
});
