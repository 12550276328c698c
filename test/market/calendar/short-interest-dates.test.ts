import { describe, expect, it } from "vitest";
import {
  shortInterestPublishedAt,
  shortInterestSettlements,
} from "../../../src/market/calendar/short-interest-dates.ts";

const day = (date: string) => Date.parse(date);
const published = (date: string) => new Date(shortInterestPublishedAt(day(date))).toISOString();

describe("the dates of short interest", () => {
  it.each([
    // the schedule of 2025: Martin Luther King day, Presidents' Day, summer time
    ["2025-01-15", "2025-01-27T23:00:00.000Z"],
    ["2025-02-14", "2025-02-26T23:00:00.000Z"],
    ["2025-05-15", "2025-05-27T22:00:00.000Z"],
    ["2025-06-30", "2025-07-10T22:00:00.000Z"],
  ])("publish %s on the evening of the seventh business day, %s", (settlement, evening) => {
    expect(published(settlement)).toBe(evening);
  });

  it("do not count Columbus Day and Veterans Day, on which banks are closed and exchanges trade", () => {
    expect(published("2025-10-31")).toBe("2025-11-12T23:00:00.000Z");
    expect(published("2023-10-06")).toBe("2023-10-18T22:00:00.000Z");
    // the 11th of November 2029 is a Sunday
    expect(published("2029-10-31")).toBe("2029-11-09T23:00:00.000Z");
    expect(published("2029-11-09")).toBe("2029-11-21T23:00:00.000Z");
  });

  it("settle on the 15th and the last day of a month, or the business day before", () => {
    const dates = shortInterestSettlements(day("2025-11-01"), day("2026-02-20"));
    expect(dates.map((date) => new Date(date).toISOString().slice(0, 10))).toEqual([
      "2025-11-14",
      "2025-11-28",
      "2025-12-15",
      "2025-12-31",
      "2026-01-15",
      "2026-01-30",
      "2026-02-13",
    ]);
  });
});
