import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sessionOf } from "../../../src/market/calendar/calendar.ts";
import {
  barFile,
  newYorkHours,
  offsetTime,
  readFiles,
  readStarts,
  sessionDates,
  wallTime,
} from "../../support/bar-files.ts";

const DAY = 86_400_000;
const dates = sessionDates("2025-01-02", 60); // to 2025-03-31, across the change of clocks
const expected = dates.map((date) => `${date}T00:00`);
const session = (date: string) => sessionOf(date)!;
const midnight = (date: string) => Date.parse(date) - newYorkHours(date) * 3_600_000;

describe("dates of the daily bars of stocks", () => {
  it.each<[string, (date: string) => string]>([
    ["plain dates", (date) => date],
    ["midnight in New York with its offset", (date) => offsetTime(midnight(date), newYorkHours(date))],
    ["midnight in New York, written in UTC", (date) => new Date(midnight(date)).toISOString()],
    ["midnight in New York, written in Tokyo", (date) => offsetTime(midnight(date), 9)],
    ["midnight in New York in epoch seconds", (date) => String(midnight(date) / 1000)],
    ["midnight UTC", (date) => `${date}T00:00:00Z`],
    ["midnight UTC in epoch milliseconds", (date) => String(Date.parse(date))],
    ["midnight UTC, written in New York", (date) => offsetTime(Date.parse(date), newYorkHours(date))],
    [
      "midnight UTC, written in New York without a zone",
      (date) => wallTime(Date.parse(date), newYorkHours(date)),
    ],
    ["midnight written with the offset of Berlin", (date) => `${date} 00:00:00+01:00`],
    ["the open with its offset", (date) => offsetTime(session(date).open, newYorkHours(date))],
    ["the open in UTC", (date) => new Date(session(date).open).toISOString()],
    ["the close in epoch seconds", (date) => String(session(date).close / 1000)],
    ["the close without a zone", (date) => `${date} 16:00:00`],
  ])("are read from %s", async (_, write) => {
    expect(await readStarts("AAPL.csv", barFile(dates.map(write)))).toEqual(expected);
    expect(await readStarts("AAPL.csv", barFile(dates.map(write).reverse()))).toEqual(expected);
  });

  it("are said to be those of UTC where the written dates are a day early", async () => {
    const { notes } = await readFiles({
      "AAPL.csv": barFile(dates.map((date) => offsetTime(Date.parse(date), newYorkHours(date)))),
    });
    expect(notes).toEqual(["its dates are those of its stamps in UTC"]);
  });

  it.each([
    [-DAY, "its daily rows are on Sundays to Thursdays: its dates are a day early"],
    [DAY, "its daily rows are on Tuesdays to Saturdays: its dates are a day late"],
  ])("are refused if all are %d ms off", async (shift, reason) => {
    const shifted = dates.map((date) => new Date(Date.parse(date) + shift).toISOString().slice(0, 10));
    expect(await readStarts("AAPL.csv", barFile(shifted))).toBe(reason);
  });
});

describe("days of coins", () => {
  const days = Array.from({ length: 60 }, (_, day) =>
    new Date(Date.UTC(2025, 1, 1) + day * DAY).toISOString().slice(0, 10),
  );
  it.each<[string, (date: string) => string]>([
    ["their start", (date) => `${date}T00:00:00Z`],
    ["their last second", (date) => `${date}T23:59:59.999Z`],
    ["their date", (date) => date],
    ["their start, written in another zone", (date) => offsetTime(Date.parse(date), 8)],
  ])("are read from %s", async (_, write) => {
    expect(await readStarts("BTC-USD.csv", barFile(days.map(write)))).toEqual(
      days.map((date) => `${date}T00:00`),
    );
  });

  it("are never known before their end, whatever hour they begin at", async () => {
    const hours = fc.integer({ min: 1, max: 23 * 60 + 58 });
    await fc.assert(
      fc.asyncProperty(hours, async (minutes) => {
        const begin = (date: string) => new Date(Date.parse(date) + minutes * 60_000).toISOString();
        const clock = begin("2025-02-01").slice(11, 16);
        expect(await readStarts("BTC-USD.csv", barFile(days.slice(0, 5).map(begin)))).toBe(
          `its days begin at ${clock} UTC, and days of coins are those of UTC: a day would be known before its end; bring days that begin at 00:00 UTC, or hourly bars`,
        );
      }),
      { numRuns: 12 },
    );
  });

  it("that begin at midnight in New York are refused, and one row of a running day is left out", async () => {
    expect(await readStarts("BTC-USD.csv", barFile(days.map((date) => `${date}T00:00:00-05:00`)))).toMatch(
      /^its days begin at 05:00 UTC/,
    );
    const { series, notes } = await readFiles({ "BTC-USD.csv": barFile([...days, "2025-04-02 15:32:10"]) });
    expect(series[0]!.bars.time).toHaveLength(60);
    expect(notes).toEqual(["1 row dropped, line 62: not at 00:00 UTC, where days of coins begin"]);
  });
});
