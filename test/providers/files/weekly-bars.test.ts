import { describe, expect, it } from "vitest";
import { canonicalOf } from "../../../src/market/symbols/directory.ts";
import { openFiles } from "../../../src/providers/files/open.ts";
import { stoppedClock } from "../../support/context.ts";
import { csvFolder } from "../../support/csv-folder.ts";

const HEADER = "date,open,high,low,close,volume";
/** Days, each a dollar higher than the one before, with a range of two dollars. */
const daily = (dates: readonly string[]): string =>
  [
    HEADER,
    ...dates.map((date, i) => [date, 10 + i, 11 + i, 9 + i, 10.5 + i, 100 * (i + 1)].join(",")),
    "",
  ].join("\n");

async function weeks(name: string, dates: readonly string[], now = "2024-03-01T00:00:00Z", asOf?: string) {
  const dir = csvFolder({ [`${name}.csv`]: daily(dates) });
  const { bars } = await openFiles({ dir, clock: stoppedClock(new Date(now)) });
  const request = { timeframe: "1w", limit: 10, ...(asOf && { asOf: Date.parse(asOf) }) } as const;
  const { bars: built, as_of, forming } = await bars.history(canonicalOf(name)!, request);
  const { time, open, high, low, close, volume } = built;
  const rows = Array.from(time, (at, i) => [
    new Date(at).toISOString().slice(0, 10),
    ...[open, high, low, close, volume].map((column) => column[i]!),
  ]);
  return { rows, as_of, forming };
}
// Monday 2024-01-15 and Monday 2024-02-19 are holidays
const JANUARY = ["08", "09", "10", "11", "12", "16", "17", "18", "19", "22"].map((day) => `2024-01-${day}`);
const FIRST = ["2024-01-08", 10, 15, 9, 14.5, 1500];
const SECOND = ["2024-01-15", 15, 19, 14, 18.5, 3000];

describe("weekly bars of daily files", () => {
  it("are the sessions of a week, labelled by its Monday even on a holiday", async () => {
    // by hand: days 1-5 and 6-9; the third week has only its Monday
    expect(await weeks("AAPL", JANUARY)).toEqual({
      rows: [FIRST, SECOND],
      as_of: "2024-01-19T21:00:00.000Z",
      forming: null,
    });
  });

  it("close with the last session of the week, and contain nothing later than the requested time", async () => {
    const before = await weeks("AAPL", JANUARY, undefined, "2024-01-19T20:59:59Z");
    expect(before).toEqual({ rows: [FIRST], as_of: "2024-01-12T21:00:00.000Z", forming: null });
    const after = await weeks("AAPL", JANUARY, undefined, "2024-01-19T21:00:00Z");
    expect(after.rows).toEqual([FIRST, SECOND]);
  });

  it("have the days of the week so far as the forming bar", async () => {
    const { rows, forming } = await weeks("AAPL", JANUARY, "2024-01-17T15:00:00Z");
    expect(rows).toEqual([FIRST]);
    // by hand: the rows of 16 and 17 January
    expect(forming).toEqual({
      time: Date.UTC(2024, 0, 15),
      open: 15,
      high: 17,
      low: 14,
      close: 16.5,
      volume: 1300,
    });
  });

  it("begin with the first complete week", async () => {
    const mondays = async (dates: readonly string[]) =>
      (await weeks("AAPL", dates)).rows.map(([date]) => date);
    expect(await mondays(JANUARY.slice(1))).toEqual(["2024-01-15"]);
    expect(await mondays(JANUARY.slice(5))).toEqual(["2024-01-15"]);
    expect(await mondays(JANUARY.slice(6))).toEqual([]);
    expect((await weeks("BTC-USD", JANUARY.slice(5))).rows).toEqual([]);
  });

  it("last from Monday to Sunday for a token", async () => {
    const dates = Array.from({ length: 15 }, (_, i) => `2024-01-${String(i + 8).padStart(2, "0")}`);
    const { rows, as_of } = await weeks("BTC-USD", dates);
    expect(rows).toEqual([
      ["2024-01-08", 10, 17, 9, 16.5, 2800],
      ["2024-01-15", 17, 24, 16, 23.5, 7700],
    ]);
    expect(as_of).toBe("2024-01-22T00:00:00.000Z");
  });

  it("are refused for a symbol without daily bars", async () => {
    const dir = csvFolder({ "AAPL_1h.csv": daily(["2024-01-02T14:30Z", "2024-01-02T15:30Z"]) });
    const { bars } = await openFiles({ dir, clock: stoppedClock() });
    await expect(bars.history(canonicalOf("AAPL")!, { timeframe: "1w", limit: 5 })).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      message: "The files contain no 1w bars of AAPL",
      hint: "Request 1h; the owner of the server can add a file with other bars.",
    });
  });
});
