import { describe, expect, it } from "vitest";
import { marketDays } from "../../../src/market/calendar/market-days.ts";

const shown = (from: string, to: string) =>
  marketDays.between(from, to).map(({ date, kind, name }) => `${date} ${kind} ${name}`);

describe("exchange holidays and half days", () => {
  it("match the dates that the NYSE publishes for 2026", () => {
    // https://www.nyse.com/markets/hours-calendars
    expect(shown("2026-01-01", "2026-12-31")).toEqual([
      "2026-01-01 closed New Year's Day",
      "2026-01-19 closed Martin Luther King Jr. Day",
      "2026-02-16 closed Washington's Birthday",
      "2026-04-03 closed Good Friday",
      "2026-05-25 closed Memorial Day",
      "2026-06-19 closed Juneteenth",
      "2026-07-03 closed Independence Day",
      "2026-09-07 closed Labor Day",
      "2026-11-26 closed Thanksgiving Day",
      "2026-11-27 half Day after Thanksgiving",
      "2026-12-24 half Christmas Eve",
      "2026-12-25 closed Christmas Day",
    ]);
  });

  it("include closures outside the yearly rules as special", () => {
    expect(shown("2025-01-01", "2025-01-31")).toEqual([
      "2025-01-01 closed New Year's Day",
      "2025-01-09 closed Special closing",
      "2025-01-20 closed Martin Luther King Jr. Day",
    ]);
    expect(shown("2012-10-25", "2012-10-31")).toEqual([
      "2012-10-29 closed Special closing",
      "2012-10-30 closed Special closing",
    ]);
    expect(shown("2007-01-01", "2007-01-03")).toEqual([
      "2007-01-01 closed New Year's Day",
      "2007-01-02 closed Special closing",
    ]);
    expect(shown("2018-12-01", "2018-12-10")).toEqual(["2018-12-05 closed Special closing"]);
    expect(shown("2004-06-10", "2004-06-12")).toEqual(["2004-06-11 closed Special closing"]);
  });

  it("include both end dates, and are empty for a week without closures", () => {
    expect(shown("2026-11-26", "2026-11-26")).toEqual(["2026-11-26 closed Thanksgiving Day"]);
    expect(shown("2026-10-05", "2026-10-11")).toEqual([]);
    expect(shown("2026-12-31", "2026-12-01")).toEqual([]);
  });
});
