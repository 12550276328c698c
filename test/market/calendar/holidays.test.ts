import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { tradingDay } from "../../../src/market/calendar/holidays.ts";
import { describeWithData } from "../../support/test-data.ts";

const on = (date: string) => tradingDay(Date.parse(`${date}T00:00:00Z`));
const weekdays = (from: string, to: string): string[] => {
  const days: string[] = [];
  for (let day = Date.parse(from); day <= Date.parse(to); day += 86_400_000)
    if (![0, 6].includes(new Date(day).getUTCDay())) days.push(new Date(day).toISOString().slice(0, 10));
  return days;
};
const notWhole = (year: number, kind: "half" | "closed") =>
  weekdays(`${year}-01-01`, `${year}-12-31`)
    .filter((date) => on(date) === kind)
    .map((date) => date.slice(5));

describe("tradingDay", () => {
  // the exchange's own calendar: https://www.nyse.com/markets/hours-calendars
  it.each([
    [2024, "01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25"],
    [2025, "01-01 01-09 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25"],
    [2026, "01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25"],
    [2027, "01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24"],
    [2028, "01-17 02-21 04-14 05-29 06-19 07-04 09-04 11-23 12-25"],
  ])("closes in %i as the exchange has announced", (year, closed) => {
    expect(notWhole(year, "closed").join(" ")).toBe(closed);
  });

  it.each([
    [2002, "07-05 11-29 12-24"],
    [2003, "07-03 11-28 12-24 12-26"],
    [2012, "07-03 11-23 12-24"],
    [2013, "07-03 11-29 12-24"],
    [2018, "07-03 11-23 12-24"],
    [2020, "11-27 12-24"],
    [2021, "11-26"],
    [2022, "11-25"],
    [2023, "07-03 11-24"],
    [2024, "07-03 11-29 12-24"],
    [2025, "07-03 11-28 12-24"],
    [2026, "11-27 12-24"],
    [2027, "11-26"],
    [2028, "07-03 11-24"],
  ])("ends early in %i on %s", (year, half) => {
    expect(notWhole(year, "half").join(" ")).toBe(half);
  });

  it("moves a Sunday holiday to Monday and a Saturday holiday to Friday, but not New Year on a Saturday", () => {
    expect(["2023-01-02", "2022-06-20", "2021-07-05", "2022-12-26"].map(on)).toEqual(Array(4).fill("closed"));
    expect(["2020-07-03", "2021-12-24"].map(on)).toEqual(["closed", "closed"]);
    expect(["2010-12-31", "2021-12-31", "2027-12-31"].map(on)).toEqual(["full", "full", "full"]);
  });

  it("observes Juneteenth only from 2022 on", () => {
    expect([on("2020-06-19"), on("2021-06-18"), on("2023-06-19")]).toEqual(["full", "full", "closed"]);
  });

  it("includes the one-off closures", () => {
    const dates = [
      "2001-09-11",
      "2001-09-14",
      "2004-06-11",
      "2007-01-02",
      "2012-10-30",
      "2018-12-05",
      "2025-01-09",
    ];
    expect(dates.map(on)).toEqual(dates.map(() => "closed"));
    expect([on("2001-09-10"), on("2001-09-17"), on("2012-10-31")]).toEqual(["full", "full", "full"]);
  });

  it("has no session at a weekend", () => {
    expect([on("2026-11-21"), on("2026-11-22")]).toEqual(["closed", "closed"]);
  });
});

describe.each([
  ["ohlcv/us_daily/SPY.csv", 1357],
  ["ohlcv/us_daily_raw_factors/SPY.csv", 2326],
  ["backtest/GOOG.csv", 2148],
])("against %s", (file, rows) => {
  describeWithData("real sessions", file.split("/"), (path) => {
    const dates = readFileSync(path, "utf8")
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => line.slice(0, 10));

    it("has a session on every recorded trading date, and a holiday on every other weekday", () => {
      expect(dates).toHaveLength(rows);
      const sessions = weekdays(dates[0]!, dates.at(-1)!).filter((date) => on(date) !== "closed");
      expect(dates).toEqual(sessions);
    });
  });
});
