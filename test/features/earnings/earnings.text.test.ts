import { describe, expect, it } from "vitest";
import type { MarketDay } from "../../../src/domain/earnings/calendar.ts";
import { formatEarningsCalendar } from "../../../src/features/earnings/earnings.text.ts";

const HOLIDAY: MarketDay = { date: "2026-11-26", kind: "closed", name: "Thanksgiving Day" };
const HALF: MarketDay = { date: "2026-11-27", kind: "half", name: "Day after Thanksgiving" };
const linesFrom = (from: string) =>
  formatEarningsCalendar(
    {
      ...{ from, to: "2026-12-05", market_days: [HOLIDAY, HALF].filter(({ date }) => date >= from) },
      ...{ events: [], earnings: [], next_reports: [], notes: [], dataSource: null },
    },
    (_, text) => text,
  ).split("\n");

describe("the text of a calendar", () => {
  it.each([
    [
      "2026-11-20",
      "US exchanges trade on Friday, 2026-11-20, from 09:30 to 16:00 New York time. Crypto trades at all hours.",
    ],
    ["2026-11-21", "US exchanges are closed on Saturday, 2026-11-21. Crypto trades at all hours."],
    [
      "2026-11-26",
      "US exchanges are closed on Thursday, 2026-11-26 (Thanksgiving Day). Crypto trades at all hours.",
    ],
    [
      "2026-11-27",
      "US exchanges trade on Friday, 2026-11-27 (Day after Thanksgiving), from 09:30 to 13:00 New York time. Crypto trades at all hours.",
    ],
  ])("names the hours of its first day: %s", (from, line) => {
    expect(linesFrom(from)[1]).toBe(line);
  });

  it("lists the days with other hours", () => {
    expect(linesFrom("2026-11-20").slice(2, 4)).toEqual([
      "  2026-11-26  exchanges closed: Thanksgiving Day",
      "  2026-11-27  exchanges close at 13:00: Day after Thanksgiving",
    ]);
  });
});
