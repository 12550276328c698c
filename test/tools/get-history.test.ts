import { describe, expect, it } from "vitest";
import { noIndices } from "../../src/app/providers/not-connected.ts";
import type { HistoryRequest } from "../../src/domain/ports.ts";
import { getHistory } from "../../tools/get-history.ts";
import { countingMeters } from "../support/context.ts";
import { fixed } from "../support/fixed-world.ts";
import { climbingBars, marketOf } from "../support/market.ts";
import { callerOf, invalidField } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const unfinished = {
  time: Date.UTC(2026, 0, 15),
  open: 137.5,
  high: 138,
  low: 137,
  close: 137.75,
  volume: 40,
};
const fourHours = climbingBars({ timeframe: "4h", zone: "UTC", count: 30, end: Date.UTC(2026, 0, 15, 8) });
const market = {
  bars: {
    AAPL: climbingBars(),
    SPY: climbingBars({ count: 400 }),
    LINK: climbingBars({ count: 3 }),
    "BTC-USD": fourHours,
  },
  forming: { AAPL: unfinished },
};
const { ports, requests } = marketOf(market);
const call = callerOf(getHistory, ports);

describe("get_history", () => {
  it("returns the levels of an index without volume, by day and week", async () => {
    const { history } = ports.bars;
    const bars = { history: async (_: unknown, request: HistoryRequest) => history(fixed("AAPL"), request) };
    const indices = { ...noIndices(), missing: null, bars };
    const callIndex = callerOf(getHistory, { ...ports, indices });
    const answer = await callIndex({ symbol: "$VIX", limit: 1 });
    expect(answer).toMatchObject({
      symbol: "^VIX",
      asset_class: "index",
      bars: [{ datetime: "2026-01-14", close: 137.375, volume: null }],
      index_note: expect.stringMatching(/^An index is in points, has no volume and cannot be traded\. VIXY /),
    });
    await expect(callIndex({ symbol: "^VIX", timeframe: "4h" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: "timeframe: ^VIX is an index, which has daily and weekly levels",
      hint: "Pass 1d or 1w.",
    });
  });

  it("returns closed daily bars newest first, dated by day, and the unfinished bar separately", async () => {
    expect(await call({ symbol: "aapl", limit: 2 })).toEqual({
      ok: true,
      symbol: "AAPL",
      tf: "1d",
      bars: [
        {
          datetime: "2026-01-14",
          open: 137.25,
          high: 137.875,
          low: 136.875,
          close: 137.375,
          volume: 1000,
        },
        {
          datetime: "2026-01-13",
          open: 137.125,
          high: 137.75,
          low: 136.75,
          close: 137.25,
          volume: 1000,
        },
      ],
      count: 2,
      next_as_of: "2026-01-13T00:00:00.000Z",
      next_cursor: expect.any(String),
      forming: {
        datetime: "2026-01-15",
        open: 137.5,
        high: 138,
        low: 137,
        close: 137.75,
        volume: 40,
      },
      asset_class: "equity",
      venue: "XTST",
      source: "fixture",
      adjustment: "split",
      omitted: null,
      reason: null,
      data_as_of: "2026-01-14T21:00:00.000Z",
      provenance: {
        provider: "fixture",
        fetched_at: "2026-01-15T15:00:00.000Z",
        as_of: "2026-01-14T21:00:00.000Z",
        delay_minutes: null,
        session: null,
        adjustment: "split",
        currency: "USD",
        stale: false,
        fallback_from: [],
      },
      alternatives: [],
      label: "SAMPLE (simulated)",
    });
  });

  it("dates bars shorter than a day by their start in UTC", async () => {
    const { tf, bars, forming, data_as_of } = await call({ symbol: "BTC/USD", timeframe: "4h", limit: 3 });
    expect({ tf, forming, data_as_of }).toEqual({
      tf: "4h",
      forming: null,
      data_as_of: "2026-01-15T12:00:00.000Z",
    });
    expect(bars.map(({ datetime }) => datetime)).toEqual([
      "2026-01-15T08:00:00.000Z",
      "2026-01-15T04:00:00.000Z",
      "2026-01-15T00:00:00.000Z",
    ]);
  });

  it("dates weekly bars by their Monday, and pages through them without a gap", async () => {
    const weeks = climbingBars({ timeframe: "1w", count: 5, end: Date.UTC(2026, 0, 5) });
    const weekly = callerOf(getHistory, marketOf({ bars: { AAPL: weeks } }).ports);
    const { tf, bars, data_as_of, next_as_of } = await weekly({
      symbol: "AAPL",
      timeframe: "weekly",
      limit: 2,
    });
    expect({ tf, data_as_of, next_as_of }).toEqual({
      tf: "1w",
      data_as_of: "2026-01-09T21:00:00.000Z",
      next_as_of: "2025-12-29T00:00:00.000Z",
    });
    expect(bars.map(({ datetime }) => datetime)).toEqual(["2026-01-05", "2025-12-29"]);
    const older = await weekly({ symbol: "AAPL", timeframe: "1w", limit: 2, as_of: next_as_of! });
    expect(older.bars.map(({ datetime }) => datetime)).toEqual(["2025-12-22", "2025-12-15"]);
  });

  it("names the part of the day of each bar with extended hours", async () => {
    // by hand, New York time: 09:00, 09:30, ... 15:30 and 16:00 of 14 January
    const halfHours = climbingBars({ timeframe: "30m", count: 15, end: Date.UTC(2026, 0, 14, 21) });
    const outside = (i: number) => i === 0 || i === 14;
    const volume = halfHours.volume.map((units, i) => (outside(i) ? 0 : units));
    const { ports, requests } = marketOf({ bars: { AAPL: { ...halfHours, volume }, SPY: halfHours } });
    const extended = callerOf(getHistory, ports);
    const input = { timeframe: "30m", limit: 15 };
    const { bars, volume_note } = await extended({ ...input, symbol: "AAPL", extended_hours: true });
    expect(bars.map(({ session }) => session)).toEqual(["post", ...Array(13).fill("regular"), "pre"]);
    expect(volume_note).toBe(
      "The provider reports no volume outside the regular session: 0 there means unknown.",
    );
    expect(requests.at(-1)).toMatchObject({ extendedHours: true });
    expect((await extended({ ...input, symbol: "SPY", extended_hours: true })).volume_note).toBeNull();
    const regular = await extended({ ...input, symbol: "AAPL" });
    expect(regular).not.toHaveProperty("volume_note");
    expect(regular.bars[0]).not.toHaveProperty("session");
    expect(requests.at(-1)).not.toHaveProperty("extendedHours");
  });

  it.each([
    [{ symbol: "AAPL" }, "1d bars cover the regular session only"],
    [{ symbol: "AAPL", timeframe: "1w" }, "1w bars cover the regular session only"],
    [{ symbol: "BTC-USD", timeframe: "4h" }, "BTC-USD trades around the clock: it has no extended hours"],
  ])("refuses extended hours for %j", async (input, detail) => {
    await expect(call({ ...input, extended_hours: true })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: `extended_hours: ${detail}`,
      data: { errors: [{ pointer: "/extended_hours", detail }] },
    });
  });

  it("returns 100 bars by default, or all when there are fewer", async () => {
    expect(await call({ symbol: "AAPL" })).toMatchObject({ count: 100, bars: { length: 100 } });
    const all = await call({ symbol: "AAPL", limit: 500 });
    expect(all).toMatchObject({ count: 300, bars: { length: 300 }, next_as_of: null });
    expect(requests.at(-1)).toMatchObject({ symbol: "AAPL", timeframe: "1d" });
  });

  it("returns 30 bars by default in a concise answer, and pages a large limit without gaps", async () => {
    expect((await call({ symbol: "AAPL", detail: "concise" })).count).toBe(30);
    const whole = await call({ symbol: "SPY", limit: 400 });
    const first = await call({ symbol: "SPY", limit: 400, detail: "concise" });
    const second = await call({ symbol: "SPY", limit: 400, detail: "concise", as_of: first.next_as_of });
    expect([first.count, second.count, second.next_as_of]).toEqual([380, 20, null]);
    expect([...first.bars, ...second.bars]).toEqual(whole.bars);
    expect(JSON.stringify(first).length / 4).toBeLessThan(10_000);
  });

  it("pages through continuous trading without a gap", async () => {
    const newest = await call({ symbol: "BTC-USD", timeframe: "4h", limit: 3 });
    const before = await call({ symbol: "BTC-USD", timeframe: "4h", limit: 1, as_of: newest.next_as_of });
    expect(before.bars[0]?.datetime).toBe("2026-01-14T20:00:00.000Z");
  });

  it.each([0, 501, 1.5, -3, "ten", {}])("rejects a limit of %o", async (limit) => {
    const { meters, debits } = countingMeters();
    await expect(call({ symbol: "AAPL", limit }, { meters })).rejects.toMatchObject(invalidField("/limit"));
    expect(debits).toEqual({ burst: 1, day: 0 });
  });

  it.each([1, 500])("accepts a limit of %i", async (limit) => {
    await expect(call({ symbol: "SPY", limit })).resolves.toMatchObject({ count: Math.min(limit, 400) });
  });

  it("returns for a past moment only bars that had closed by then", async () => {
    // New York closes at 21:00 UTC in winter
    const before = await call({ symbol: "AAPL", limit: 1, as_of: "2026-01-13T20:59:59Z" });
    expect(before).toMatchObject({ bars: [{ datetime: "2026-01-12" }], forming: null });
    const at = await call({ symbol: "AAPL", limit: 1, as_of: "2026-01-13T21:00:00Z" });
    expect(at).toMatchObject({ bars: [{ datetime: "2026-01-13" }], data_as_of: "2026-01-13T21:00:00.000Z" });
    const sameInNewYork = await call({ symbol: "AAPL", limit: 1, as_of: "2026-01-13T16:00:00-05:00" });
    expect(sameInNewYork).toEqual(at);
  });

  it("includes the whole day of a bare date", async () => {
    expect(await call({ symbol: "AAPL", limit: 1, as_of: "2026-01-13" })).toMatchObject({
      bars: [{ datetime: "2026-01-13" }],
    });
  });

  it("treats today's date as now", async () => {
    await call({ symbol: "AAPL", limit: 1, as_of: "2026-01-15" });
    expect(requests.at(-1)?.asOf).toBe(Date.UTC(2026, 0, 15, 15));
  });

  it.each(["2026-01-16", "2026-01-15T15:00:00.001Z", "2027-06-30"])(
    "rejects the future moment %s",
    async (as_of) => {
      await expect(call({ symbol: "AAPL", as_of })).rejects.toMatchObject({
        code: "INVALID_INPUT",
        data: { errors: [{ pointer: "/as_of", detail: "is in the future" }] },
      });
    },
  );

  it.each([
    "1m",
    "01/02/2025",
    "2025-06-30T21",
    "2025-02-29",
    "2025-02-30T00:00:00Z",
    "2025-13-01",
    "2025-06-30T25:00Z",
    "Tuesday March 7 2025",
  ])("rejects %o as a moment", async (as_of) => {
    await expect(call({ symbol: "AAPL", as_of })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      data: { errors: expect.arrayContaining([{ pointer: "/as_of", detail: expect.any(String) }]) },
    });
  });

  it("names the rows left out before the first bar only if no bars precede it", async () => {
    const omitted = [{ time: Date.parse("2020-01-06"), reason: "invalid" }] as const;
    const bars: typeof ports.bars = {
      history: async (...args) => ({ ...(await ports.bars.history(...args)), omitted }),
    };
    const request = callerOf(getHistory, { ...ports, bars });
    expect((await request({ symbol: "LINK", limit: 3 })).omitted).toBe(
      "1 row of bars was left out: 1 without a valid price (2020-01-06).",
    );
    expect((await request({ symbol: "LINK", limit: 2 })).omitted).toBeNull();
  });

  it("fails without bars instead of returning an empty list", async () => {
    await expect(call({ symbol: "MSFT" })).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      message: "This market has no bars of MSFT",
      hint: expect.stringContaining("AAPL"),
      data: { symbol: "MSFT", available: 0, required: 1 },
    });
    await expect(call({ symbol: "AAPL", as_of: "2001-01-01" })).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      message: "No 1d bars of AAPL had closed by 2001-01-01",
    });
  });

  it("rejects an unknown symbol with a null price", async () => {
    await expect(call({ symbol: "ZZZQ" })).rejects.toMatchObject({
      code: "UNKNOWN_SYMBOL",
      data: { symbol: "ZZZQ", price: null, data: { price: null }, candidates: [] },
    });
  });

  it("lists the alternatives of an ambiguous name", async () => {
    expect(await call({ symbol: "LINK" })).toMatchObject({
      symbol: "LINK",
      asset_class: "equity",
      alternatives: [{ symbol: "LINK-USD", asset_class: "crypto" }],
    });
  });
});

describe("get_history from and to", () => {
  const call = callerOf(getHistory, marketOf(market).ports);
  const datesOf = ({ bars }: Awaited<ReturnType<typeof call>>) => bars.map(({ datetime }) => datetime);

  it("returns the bars of a range, newest first, both days included", async () => {
    const answer = await call({ symbol: "AAPL", from: "2025-12-29", to: "2026-01-02" });
    expect(datesOf(answer)).toEqual(["2026-01-02", "2026-01-01", "2025-12-31", "2025-12-30", "2025-12-29"]);
    expect(answer).toMatchObject({
      count: 5,
      next_as_of: null,
      next_cursor: null,
      forming: null,
      reason: null,
      data_as_of: "2026-01-02T21:00:00.000Z",
    });
    expect(answer).not.toHaveProperty("understood");
  });

  it("goes on to the newest bar and the unfinished one without to, and has no default length with from", async () => {
    const answer = await call({ symbol: "SPY", from: "2025-06-02" });
    expect(answer.count).toBe(163);
    expect(datesOf(answer).at(-1)).toBe("2025-06-02");
    const open = await call({ symbol: "AAPL", from: "2026-01-14" });
    expect(open).toMatchObject({ count: 1, forming: { datetime: "2026-01-15" } });
  });

  it("starts at from whatever the default length is, and is cut to the maximum of concise answers", async () => {
    const wide = { symbol: "SPY", from: "2024-01-01", detail: "concise" } as const;
    const answer = await call(wide);
    expect(answer).toMatchObject({ count: 380, next_cursor: expect.any(String) });
    const rest = await call({ ...wide, cursor: answer.next_cursor });
    expect([answer.count + rest.count, rest.next_cursor]).toEqual([400, null]);
  });

  it("reads a time of day by the start of the bars", async () => {
    const { bars } = await call({
      symbol: "BTC-USD",
      timeframe: "4h",
      from: "2026-01-14T08:00:00Z",
      to: "2026-01-14T16:30:00Z",
    });
    expect(bars.map(({ datetime }) => datetime)).toEqual([
      "2026-01-14T16:00:00.000Z",
      "2026-01-14T12:00:00.000Z",
      "2026-01-14T08:00:00.000Z",
    ]);
  });

  it("says why a range has no bars", async () => {
    expect(await call({ symbol: "AAPL", from: "2026-01-10", to: "2026-01-11" })).toMatchObject({
      bars: [],
      count: 0,
      next_cursor: null,
      reason: "No 1d bar of AAPL starts in this range; the last one before it is 2026-01-09.",
      data_as_of: "2026-01-09T21:00:00.000Z",
    });
  });

  it("has no bar that closes after as_of, and says that to was cut", async () => {
    const answer = await call({
      symbol: "AAPL",
      from: "2026-01-06",
      to: "2026-01-12",
      as_of: "2026-01-08T15:00:00Z",
    });
    expect(datesOf(answer)).toEqual(["2026-01-07", "2026-01-06"]);
    expect(answer).toMatchObject({
      understood: ["to: 2026-01-12 is after as_of 2026-01-08T15:00:00Z; the list ends at as_of."],
    });
    const future = await call({ symbol: "AAPL", from: "2026-01-14", to: "2026-03-01" });
    expect(future).toMatchObject({ count: 1, understood: [expect.stringContaining("is in the future")] });
  });

  it.each([
    [{ from: "2026-01-12", to: "2026-01-09" }, "is after `to`"],
    [{ from: "2026-01-16" }, "is in the future"],
    [{ from: "2026-01-12", as_of: "2026-01-09" }, "is after `as_of`"],
  ])("refuses %j", async (times, detail) => {
    await expect(call({ symbol: "AAPL", ...times })).rejects.toMatchObject(invalidField("/from", detail));
  });

  it("returns every bar of the range once over all pages, by cursor and by as_of alike", async () => {
    const range = { symbol: "SPY", from: "2025-11-03", to: "2025-12-31" };
    const whole = datesOf(await call(range));
    for (const [field, next] of [
      ["cursor", "next_cursor"],
      ["as_of", "next_as_of"],
    ] as const) {
      const seen: string[] = [];
      let more: string | null | undefined;
      do {
        const answer: Awaited<ReturnType<typeof call>> = await call({
          ...range,
          limit: 20,
          ...(more && { [field]: more }),
        });
        seen.push(...datesOf(answer));
        more = answer[next];
      } while (more !== null);
      expect(seen).toEqual(whole);
    }
    expect(whole).toHaveLength(43);
  });
});

toolContract(getHistory, { ports });
