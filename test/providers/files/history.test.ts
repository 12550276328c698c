import { describe, expect, it } from "vitest";
import type { Bars, SessionZone, Timeframe } from "../../../src/domain/market/bars.ts";
import { canonicalOf } from "../../../src/market/symbols/directory.ts";
import { countClosedBars, detectTradingHours } from "../../../src/providers/files/history.ts";
import { openFiles } from "../../../src/providers/files/open.ts";
import { stoppedClock } from "../../support/context.ts";
import { csvFolder, flatCsv } from "../../support/csv-folder.ts";

const barsAt = (timeframe: Timeframe, zone: SessionZone, ...starts: string[]): Bars => {
  const time = Float64Array.from(starts, (start) => Date.parse(start));
  return {
    time,
    open: time,
    high: time,
    low: time,
    close: time,
    volume: time,
    timeframe,
    adjustment: "unknown",
    zone,
  };
};
const NY = "America/New_York";

describe("detectTradingHours", () => {
  it.each([
    ["hours from the bell", "regular", barsAt("1h", NY, "2024-01-02T14:30Z", "2024-01-02T20:30Z")],
    [
      "hours on the clock, the first half before the bell",
      "regular",
      barsAt("1h", NY, "2024-01-02T14:00Z", "2024-01-02T20:00Z"),
    ],
    ["an hour before the bell", "extended", barsAt("1h", NY, "2024-01-02T13:00Z", "2024-01-02T14:00Z")],
    ["an hour after it", "extended", barsAt("1h", NY, "2024-01-02T20:00Z", "2024-01-02T21:00Z")],
    ["an hour after an early close", "extended", barsAt("1h", NY, "2024-07-03T17:00Z")],
    ["a holiday, which says nothing", "regular", barsAt("1h", NY, "2024-07-04T22:00Z")],
    ["days", "regular", barsAt("1d", NY, "2024-01-02")],
    ["a market that never closes", "regular", barsAt("1h", "UTC", "2024-01-02T03:00Z")],
  ] as const)("takes %s for %s", (_, hours, bars) => {
    expect(detectTradingHours(bars)).toBe(hours);
  });
});

describe("countClosedBars", () => {
  it("counts the bars that had closed at an instant", () => {
    const bars = barsAt("1h", NY, "2024-01-02T14:30Z", "2024-01-02T19:30Z", "2024-01-02T20:30Z");
    const count = (at: string) => countClosedBars(bars, Date.parse(at), "regular");
    expect(
      ["2024-01-02T15:29Z", "2024-01-02T15:30Z", "2024-01-02T20:59Z", "2024-01-02T21:00Z"].map(count),
    ).toEqual([0, 1, 2, 3]);
  });

  it("does not count an extended-hours bar before its evening hours end", () => {
    const bars = barsAt("4h", NY, "2024-01-02T12:00Z", "2024-01-02T16:00Z", "2024-01-02T20:00Z"); // 07:00, 11:00, 15:00
    expect(countClosedBars(bars, Date.parse("2024-01-02T21:00Z"), "extended")).toBe(2);
    expect(countClosedBars(bars, Date.parse("2024-01-03T00:00Z"), "extended")).toBe(3);
  });
});

// A short week: July 3 ends at 13:00 New York (17:00 UTC), July 4 is a holiday.
const FILES = {
  "AAPL.csv": flatCsv("2024-07-01 1", "2024-07-02 2", "2024-07-03 3", "2024-07-05 4", "2024-07-08 5"),
  "AAPL_1h.csv": flatCsv(
    "2024-07-03T10:30 1",
    "2024-07-03T11:30 2",
    "2024-07-03T12:30 3",
    "2024-07-05T09:30 4",
  ),
  "BTCUSDT.csv": flatCsv("2024-07-01 1", "2024-07-02 2", "2024-07-03 3"),
};
const ask = async (now: string, symbol: string, timeframe: Timeframe, limit = 99, asOf?: string) => {
  const market = await openFiles({ dir: csvFolder(FILES), clock: stoppedClock(new Date(now)) });
  const request = { timeframe, limit, ...(asOf === undefined ? {} : { asOf: Date.parse(asOf) }) };
  const { bars, forming, as_of } = await market.bars.history(canonicalOf(symbol)!, request);
  return { closes: [...bars.close], forming: forming?.close ?? null, as_of };
};

describe("history of files", () => {
  it("returns closed bars only, with the forming bar separately", async () => {
    expect(await ask("2024-07-03T16:59:59Z", "AAPL", "1d")).toEqual({
      closes: [1, 2],
      forming: 3,
      as_of: "2024-07-02T20:00:00.000Z",
    });
    expect(await ask("2024-07-03T17:00:00Z", "AAPL", "1d")).toEqual({
      closes: [1, 2, 3],
      forming: null,
      as_of: "2024-07-03T17:00:00.000Z",
    });
  });

  it("closes the last hour of a half day with its session", async () => {
    expect(await ask("2024-07-03T17:00:00Z", "AAPL", "1h")).toMatchObject({
      closes: [1, 2, 3],
      as_of: "2024-07-03T17:00:00.000Z",
    });
  });

  it("closes a crypto day at midnight UTC", async () => {
    expect(await ask("2024-07-03T23:59:59Z", "BTC-USD", "1d")).toMatchObject({ closes: [1, 2], forming: 3 });
    expect(await ask("2024-07-04T00:00:00Z", "BTC-USD", "1d")).toMatchObject({
      closes: [1, 2, 3],
      forming: null,
    });
  });

  it("returns nothing later than asOf, and no forming bar", async () => {
    expect(await ask("2026-01-01T00:00:00Z", "AAPL", "1d", 99, "2024-07-05T19:59:00Z")).toEqual({
      closes: [1, 2, 3],
      forming: null,
      as_of: "2024-07-03T17:00:00.000Z",
    });
  });

  it("returns no future bars for a later `asOf`", async () => {
    expect(await ask("2024-07-02T21:00:00Z", "AAPL", "1d", 99, "2030-01-01T00:00:00Z")).toEqual({
      closes: [1, 2],
      forming: null,
      as_of: "2024-07-02T20:00:00.000Z",
    });
  });

  it("returns the newest bars within the limit", async () => {
    expect((await ask("2026-01-01T00:00:00Z", "AAPL", "1d", 2)).closes).toEqual([4, 5]);
    expect(await ask("2024-06-01T00:00:00Z", "AAPL", "1d", 2)).toEqual({
      closes: [],
      forming: null,
      as_of: null,
    });
  });

  it("is empty for a symbol without files, and NOT_ENOUGH_DATA for one with other timeframes only", async () => {
    expect(await ask("2026-01-01T00:00:00Z", "NVDA", "1d")).toEqual({
      closes: [],
      forming: null,
      as_of: null,
    });
    await expect(ask("2026-01-01T00:00:00Z", "AAPL", "5m")).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      message: "The files contain no 5m bars of AAPL",
      hint: "Request 1d or 1h; the owner of the server can add a file with other bars.",
      data: { symbol: "AAPL", timeframe: "5m", available: ["1d", "1h"] },
    });
  });

  it("names the provider and the unknown adjustment", async () => {
    const options = { dir: csvFolder(FILES), clock: stoppedClock() };
    const market = await openFiles(options);
    const request = { timeframe: "1d", limit: 1 } as const;
    const series = await market.bars.history(canonicalOf("AAPL")!, request);
    expect(series).toMatchObject({ source: "files", venue: "FILE", adjustment: "unknown" });
    expect(series.bars).toMatchObject({ zone: "America/New_York", timeframe: "1d", adjustment: "unknown" });
    const stated = await openFiles({ ...options, adjustment: "split" });
    expect(await stated.bars.history(canonicalOf("AAPL")!, request)).toMatchObject({ adjustment: "split" });
  });

  it("rejects when the caller aborts", async () => {
    const market = await openFiles({ dir: csvFolder(FILES), clock: stoppedClock() });
    const request = { timeframe: "1d", limit: 1, signal: AbortSignal.abort() } as const;
    await expect(market.bars.history(canonicalOf("AAPL")!, request)).rejects.toThrow("aborted");
  });

  it("has extended hours only if the file has them", async () => {
    const rows = (...starts: readonly string[]) =>
      ["date,open,high,low,close,volume", ...starts.map((start) => `${start},10,11,9,10.5,100`), ""].join(
        "\n",
      );
    const dir = csvFolder({
      "AAPL_30m.csv": rows("2026-01-13T14:30Z", "2026-01-13T15:00Z"),
      // 09:00, 09:30 and 16:00 New York
      "MSFT_30m.csv": rows("2026-01-13T14:00Z", "2026-01-13T14:30Z", "2026-01-13T21:00Z"),
    });
    const { bars } = await openFiles({ dir, clock: stoppedClock() });
    const request = { timeframe: "30m", limit: 9, extendedHours: true } as const;
    expect((await bars.history(canonicalOf("MSFT")!, request)).bars.time).toHaveLength(3);
    await expect(bars.history(canonicalOf("AAPL")!, request)).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      message: "The 30m bars of AAPL in the files have no extended hours",
    });
  });

  it("has minute bars of a file", async () => {
    const dir = csvFolder({
      "AAPL_1m.csv":
        "date,open,high,low,close,volume\n2026-01-13T20:58Z,10,11,9,10.5,100\n2026-01-13T20:59Z,10.5,12,10,11,50\n",
    });
    const { bars } = await openFiles({ dir, clock: stoppedClock() });
    const series = await bars.history(canonicalOf("AAPL")!, { timeframe: "1m", limit: 5 });
    expect([...series.bars.close]).toEqual([10.5, 11]);
    expect(series).toMatchObject({ as_of: "2026-01-13T21:00:00.000Z", bars: { timeframe: "1m" } });
  });
});
