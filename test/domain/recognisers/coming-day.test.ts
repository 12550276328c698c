import { describe, expect, it } from "vitest";
import { comingDay } from "../../../src/domain/recognisers/coming-day.ts";

/** A Friday. */
const NOW = new Date("2026-11-20T15:00:00Z");

describe("a coming day", () => {
  it.each([
    ["Christmas", "2026-12-25"],
    ["the end of the month", "2026-11-30"],
    ["end of next quarter", "2027-03-31"],
    ["year end", "2026-12-31"],
    ["EOY", "2026-12-31"],
    ["this week", "2026-11-20"],
    ["next week", "2026-11-27"],
  ])("%s is %s", (text, day) => {
    expect(comingDay(text, NOW)).toBe(day);
  });

  it.each(["soon", "a week of trading", "Christmas sales", ""])("%s is none", (text) => {
    expect(comingDay(text, NOW)).toBeNull();
  });
});
