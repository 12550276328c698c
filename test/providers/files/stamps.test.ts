import { describe, expect, it } from "vitest";
import { TIMEFRAME_MS } from "../../../src/domain/market/bars.ts";
import { barCloseMs, sessionOf } from "../../../src/market/calendar/calendar.ts";
import {
  barFile,
  newYorkHours,
  offsetTime,
  readFiles,
  readStarts,
  sessionDates,
  wallTime,
} from "../../support/bar-files.ts";

const HOUR = 3_600_000;
const dates = sessionDates("2025-02-24", 20); // across the change of clocks on March 9
const UTC = "its hours without a zone follow UTC; read as UTC";
const ENDS = "its stamps are the ends of bars; moved to their starts";
const LENGTHS = ["1h", "30m", "15m", "5m"] as const;

interface Hours {
  readonly length: number;
  readonly isEnd?: boolean;
  readonly extended?: boolean;
}
/** Starts of the bars of all dates, and their stamps. */
function barsOf(
  write: (time: number, date: string) => string,
  { length, isEnd = false, extended = false }: Hours,
) {
  const all = dates.flatMap((date) => {
    const { open, close } = sessionOf(date)!;
    const [from, to] = extended ? [open - 5.5 * HOUR, close + 4 * HOUR] : [open, close];
    return Array.from({ length: Math.ceil((to - from) / length) }, (_, at) => {
      const start = from + at * length;
      return { start, stamp: write(isEnd ? Math.min(start + length, to) : start, date) };
    });
  });
  return {
    starts: all.map(({ start }) => new Date(start).toISOString().slice(0, 16)),
    text: barFile(all.map(({ stamp }) => stamp)),
  };
}
const inNewYork = (time: number, date: string) => wallTime(time, newYorkHours(date));
const inUtc = (time: number) => wallTime(time, 0);
const withOffset = (time: number, date: string) => offsetTime(time, newYorkHours(date));

describe.each(LENGTHS)("stamps of %s bars of a stock", (timeframe) => {
  const length = TIMEFRAME_MS[timeframe];
  it.each([
    ["New York's time", inNewYork, {}, []],
    ["New York's time with extended hours", inNewYork, { extended: true }, []],
    ["UTC without a zone", inUtc, {}, [UTC]],
    ["UTC without a zone with extended hours", inUtc, { extended: true }, [UTC]],
    ["ends in New York's time", inNewYork, { isEnd: true }, [ENDS]],
    ["ends in New York's time with extended hours", inNewYork, { isEnd: true, extended: true }, [ENDS]],
    ["ends in UTC without a zone", inUtc, { isEnd: true }, [UTC, ENDS]],
    ["offsets", withOffset, {}, []],
    ["ends with offsets", withOffset, { isEnd: true }, [ENDS]],
  ] as const)("are read as %s", async (_, write, hours, notes) => {
    const { starts, text } = barsOf(write, { length, ...hours });
    const found = await readFiles({ "AAPL.csv": text });
    expect(found.notes).toEqual(notes);
    const [{ bars }] = found.series as [(typeof found.series)[number]];
    expect([...bars.time].map((time) => new Date(time).toISOString().slice(0, 16))).toEqual(starts);
    expect(bars.timeframe).toBe(timeframe);
  });

  it.each([
    [
      "Chicago's time",
      (time: number, date: string) => wallTime(time, newYorkHours(date) - 1),
      /^its days run from 08:30 to /,
    ],
    ["a fixed offset", (time: number) => wallTime(time, -5), /^its days run from 08:30 to /],
    [
      "Berlin's time",
      (time: number, date: string) => wallTime(time, newYorkHours(date) + 6),
      /^its days run from 15:30 to /,
    ],
    [
      "New York's time marked as UTC",
      (time: number, date: string) => `${inNewYork(time, date)}Z`,
      /^its hours are those of New York, but its stamps state another zone/,
    ],
    [
      "New York's time in epoch seconds",
      (time: number, date: string) => String(time / 1000 + newYorkHours(date) * 3600),
      /^its hours are those of New York, but its stamps state another zone/,
    ],
  ] as const)("are refused in %s", async (_, write, reason) => {
    // from the change of clocks on, so that a fixed offset is wrong on all days
    const { text } = barsOf(write, { length });
    const [header, ...rows] = text.split("\n");
    const summer = rows.filter((row) => row.slice(0, 10) >= "2025-03-10" || /^\d{10},/.test(row));
    expect(await readStarts("AAPL.csv", [header, ...summer].join("\n"))).toMatch(reason);
  });

  it("are refused in London's time across its change of clocks", async () => {
    const found = sessionDates("2025-10-06", 20).flatMap((date) => {
      const { open, close } = sessionOf(date)!;
      return Array.from({ length: Math.ceil((close - open) / length) }, (_, at) =>
        wallTime(open + at * length, date < "2025-10-26" ? 1 : 0),
      );
    });
    // the hours of London's summer fit the ends of hours in UTC, and those of no other bars
    const reason =
      timeframe === "1h"
        ? /^most of its days fit the session, but whole days such as 2025-10-27 lie at other hours/
        : /^its days run from 14:30 to /;
    expect(await readStarts("AAPL.csv", barFile(found))).toMatch(reason);
  });

  it("are refused in Chicago's time with extended hours", async () => {
    const { text } = barsOf((time, date) => wallTime(time, newYorkHours(date) - 1), {
      length,
      extended: true,
    });
    expect(await readStarts("AAPL.csv", text)).toMatch(/^its days run from 03:00 to 18:/);
  });

  it("are refused in Chicago's time if single rows of all days are missing", async () => {
    const { text } = barsOf((time, date) => wallTime(time, newYorkHours(date) - 1), { length });
    const [header, ...rows] = text.trim().split("\n");
    const perDay = Math.ceil((6.5 * HOUR) / length);
    const sparse = rows.filter((_, at) => {
      const [day, row] = [Math.floor(at / perDay), at % perDay];
      return day % 2 === 0 ? row > 0 : row < perDay - 1;
    });
    expect(await readStarts("AAPL.csv", [header, ...sparse].join("\n"))).toMatch(
      /^its days run from 08:30 to /,
    );
  });

  it("are never known before their end", async () => {
    const { text } = barsOf(inNewYork, { length, isEnd: true });
    const ends = text
      .split("\n")
      .slice(1, -1)
      .map((row) => row.split(",")[0]!);
    const { series } = await readFiles({ "AAPL.csv": text });
    const { time } = series[0]!.bars;
    expect(time).toHaveLength(ends.length);
    for (const [at, end] of ends.entries()) {
      const instant = Date.parse(`${end}Z`) - newYorkHours(end.slice(0, 10)) * HOUR;
      expect(barCloseMs(time[at]!, timeframe, "America/New_York")).toBeGreaterThanOrEqual(instant);
    }
  });
});

describe("stamps of bars", () => {
  it("of a coin in the last second of a bar are its end", async () => {
    const ends = Array.from({ length: 30 }, (_, at) => String(Date.UTC(2025, 0, 2) + (at + 1) * HOUR - 1));
    const found = await readFiles({ "BTC-USD_1h.csv": barFile(ends) });
    expect(found.series[0]!.bars.time[0]).toBe(Date.UTC(2025, 0, 2));
    expect(found.notes).toEqual([ENDS]);
  });

  it("in a column of closing times are ends of bars", async () => {
    const ends = Array.from({ length: 30 }, (_, at) =>
      new Date(Date.UTC(2025, 0, 2) + (at + 1) * HOUR).toISOString(),
    );
    const text = barFile(ends, "close_time,open,high,low,close,volume");
    expect((await readStarts("BTC-USD_1h.csv", text))[0]).toBe("2025-01-02T00:00");
  });
});
