import { describe, expect, it } from "vitest";
import { dayOfPeriod, periodIn } from "../../../src/domain/recognisers/period-text.ts";

/** A Friday. */
const NOW = new Date("2026-11-20T15:00:00Z");

describe("the time in a text", () => {
  it.each([
    ["news of the last two weeks", "2026-11-06", null],
    ["gains this month", "2026-11-01", "2026-11-30"],
    ["dividends next week", "2026-11-23", "2026-11-29"],
    ["trades since June 2025", "2025-06-01", null],
    ["trades in March 2025", "2025-03-01", "2025-03-31"],
    ["trades from March 2025 to May 2025", "2025-03-01", "2025-05-31"],
    ["prices from June to August 2025", "2025-06-01", "2025-08-31"],
    ["backtest from 2020 to 2023", "2020-01-01", "2023-12-31"],
    ["insiders in 2025 Q3", "2025-07-01", "2025-09-30"],
    ["between 2026-01-05 and 2026-02-10", "2026-01-05", "2026-02-10"],
    ["yesterday", "2026-11-19", "2026-11-19"],
    ["trades in 2024", "2024-01-01", "2024-12-31"],
  ])("of '%s' is from %s to %s", (text, from, to) => {
    expect(periodIn(text, NOW)).toMatchObject({ from, to });
  });

  it("is the next such day for a calendar, and none without a time", () => {
    expect(periodIn("earnings on December 3", NOW, true)).toMatchObject({
      from: "2026-12-03",
      to: "2026-12-03",
    });
    expect(periodIn("news on Apple", NOW)).toBeNull();
  });
});

describe("the days of a period", () => {
  const days = (text: string, isComing = false) =>
    [false, true].map((isLast) => dayOfPeriod(text, NOW, { isLast, isComing }));

  it.each([
    ["Q1 2025", "2025-01-01", "2025-03-31"],
    ["third quarter of 2025", "2025-07-01", "2025-09-30"],
    ["March 2025", "2025-03-01", "2025-03-31"],
    ["2024", "2024-01-01", "2024-12-31"],
    ["the current month", "2026-11-01", "2026-11-20"],
    ["ytd", "2026-01-01", "2026-11-20"],
  ])("%s are %s and %s", (text, first, last) => {
    expect(days(text)).toEqual([first, last]);
  });

  it("are not moved if the period is wholly ahead, so that a field of past days refuses them", () => {
    expect(days("March 2027")).toEqual(["2027-03-01", "2027-03-31"]);
    expect(days("2030")).toEqual(["2030-01-01", "2030-12-31"]);
    expect(days("2026")).toEqual(["2026-01-01", "2026-11-20"]);
  });

  it.each([
    ["this month", "2026-11-01", "2026-11-30"],
    ["next month", "2026-12-01", "2026-12-31"],
    ["next week", "2026-11-23", "2026-11-29"],
    ["March", "2027-03-01", "2027-03-31"],
    ["February", "2027-02-01", "2027-02-28"],
    ["November", "2026-11-01", "2026-11-30"],
    ["December", "2026-12-01", "2026-12-31"],
    ["Q1", "2027-01-01", "2027-03-31"],
    ["first quarter", "2027-01-01", "2027-03-31"],
    ["March 2026", "2026-03-01", "2026-03-31"],
    ["2026", "2026-01-01", "2026-12-31"],
  ])("may lie ahead in a field of coming days: %s", (text, first, last) => {
    expect(days(text, true)).toEqual([first, last]);
  });

  it("are null for any other text", () => {
    expect(days("next month")).toEqual([null, null]);
    for (const text of ["soon", "in 2024", "May 5", "20245", ""]) expect(days(text)).toEqual([null, null]);
  });
});
