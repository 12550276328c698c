import { describe, expect, it } from "vitest";
import { sessionOf } from "../../../src/market/calendar/calendar.ts";
import { figures, readFiles, sessionDates } from "../../support/bar-files.ts";

const DAY = 86_400_000;
const HEADER = "date,open,high,low,close,volume";
const read = async (name: string, rows: readonly string[]) => {
  const { series, reason, notes } = await readFiles({ [name]: [HEADER, ...rows, ""].join("\n") });
  if (series[0] === undefined) return reason;
  const { bars, timeframe, omitted } = series[0];
  return {
    timeframe,
    first: new Date(bars.time[0]!).toISOString().slice(0, 16),
    bars: bars.time.length,
    omitted: omitted.length,
    notes,
  };
};
const row = (time: string, at: number, volume?: number) => [time, ...figures(at, volume)].join(",");
const everyDay = (from: string, to: string) =>
  Array.from({ length: (Date.parse(to) - Date.parse(from)) / DAY }, (_, at) =>
    new Date(Date.parse(from) + at * DAY).toISOString().slice(0, 10),
  );

describe("rows of a longer bar length before the others", () => {
  const weeks = Array.from({ length: 90 }, (_, at) =>
    new Date(Date.UTC(2023, 0, 2) + 7 * at * DAY).toISOString().slice(0, 10),
  );
  const weekly = weeks.map((date, at) => row(date, at, 5000));
  const note = (lines: string) =>
    `90 rows dropped, line ${lines} ...: of a longer bar length before the others`;

  it.each([100, 40])("are left out before %d days, whichever are more", async (count) => {
    const daily = sessionDates("2024-09-23", count).map((date, at) => row(date, at));
    expect(await read("AAPL.csv", [...weekly, ...daily])).toEqual({
      timeframe: "1d",
      first: "2024-09-23T00:00",
      bars: count,
      omitted: 90,
      notes: [note("2, 3, 4, 5, 6")],
    });
    const lines = [count + 2, count + 3, count + 4, count + 5, count + 6].join(", ");
    expect(await read("AAPL.csv", [...weekly, ...daily].reverse())).toMatchObject({
      bars: count,
      notes: [note(lines)],
    });
  });

  it("may be days before hours", async () => {
    const daily = sessionDates("2024-05-06", 90).map((date, at) => row(date, at, 7000));
    const hourly = sessionDates("2024-10-01", 20).flatMap((date) =>
      Array.from({ length: 7 }, (_, at) => row(`${date} ${String(9 + at).padStart(2, "0")}:30`, at)),
    );
    expect(await read("AAPL.csv", [...daily, ...hourly])).toMatchObject({
      timeframe: "1h",
      first: "2024-10-01T13:30",
      bars: 140,
    });
  });

  it("are no bars of a supported length alone", async () => {
    expect(await read("AAPL.csv", weekly)).toMatch(/^its bars are 7 d apart; supported are /);
  });
});

describe("rows on days without a session", () => {
  it("are left out if they have no volume", async () => {
    const rows = everyDay("2025-06-30", "2025-07-12").map((date, at) =>
      sessionOf(date) === null ? `${date},100,100,100,100,0` : row(date, at),
    );
    expect(await read("AAPL.csv", rows)).toMatchObject({
      bars: 9,
      omitted: 3,
      notes: ["3 rows dropped, line 6, 7, 8: on a day without trading"],
    });
  });

  it("are left out if they repeat the row before them, as filled calendars do", async () => {
    let last = "";
    const rows = everyDay("2025-01-02", "2025-07-10").map((date, at) => {
      if (sessionOf(date) !== null) last = figures(at).join(",");
      return `${date},${last}`;
    });
    const sessions = everyDay("2025-01-02", "2025-07-10").filter((date) => sessionOf(date) !== null).length;
    expect(await read("AAPL.csv", rows)).toMatchObject({ bars: sessions, omitted: rows.length - sessions });
  });

  it("are used with a note if they have trades on a holiday, never on a weekend", async () => {
    const rows = ["2025-07-02", "2025-07-03", "2025-07-04", "2025-07-05", "2025-07-07"].map((date, at) =>
      row(date, at),
    );
    expect(await read("AAPL.csv", rows)).toMatchObject({
      bars: 4,
      omitted: 1,
      notes: [
        "1 row dropped, line 5: on a day without trading",
        "1 row with trades on days without a session, line 4: used; check the dates",
      ],
    });
    expect(await read("BTC-USD.csv", rows)).toMatchObject({ bars: 5, notes: [] });
  });

  it("are left out of intraday bars too", async () => {
    const rows = ["2025-07-02", "2025-07-03", "2025-07-04", "2025-07-07"].flatMap((date) =>
      Array.from({ length: 7 }, (_, at) => {
        const time = `${date} ${String(9 + at).padStart(2, "0")}:30`;
        return sessionOf(date) === null ? `${time},100,100,100,100,0` : row(time, at);
      }),
    );
    expect(await read("AAPL.csv", rows)).toMatchObject({
      timeframe: "1h",
      bars: 21,
      notes: ["7 rows dropped, line 16, 17, 18, 19, 20 ...: on a day without trading"],
    });
  });
});

describe("a fault of more rows than not", () => {
  const dates = sessionDates("2025-01-02", 60);
  it("is the reason of the whole file", async () => {
    const rows = dates.map((date, at) => {
      const [open, high, low, close, volume] = figures(at) as [number, number, number, number, number];
      return [date, open, high, low, at < 40 ? close * 0.9 : close, volume].join(",");
    });
    expect(await read("AAPL.csv", rows)).toBe("40 of 60 rows have open or close outside high and low");
    expect(await read("AAPL.csv", rows.slice(15))).toBe(
      "25 of 45 rows have open or close outside high and low",
    );
    expect(await read("AAPL.csv", rows.slice(25))).toMatchObject({ bars: 20, omitted: 15 });
  });

  it("is named for a close that is not adjusted in a few rows only", async () => {
    const rows = dates.map((date, at) => {
      const f = figures(at).slice(0, 4);
      return [
        date,
        ...(at < 6 ? [...f.slice(0, 3).map((price) => price * 0.9), f[3]] : f),
        at < 6 ? f[3]! * 0.9 : f[3],
        1000 + at,
      ].join(",");
    });
    const text = ["date,open,high,low,close,adj close,volume", ...rows, ""].join("\n");
    expect((await readFiles({ "AAPL.csv": text })).reason).toMatch(
      /^its close is not adjusted, but its open, high and low are: in 6 of 60 rows/,
    );
  });
});
