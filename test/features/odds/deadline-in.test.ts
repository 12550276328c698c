import { describe, expect, it } from "vitest";
import { deadlineIn, namesTime } from "../../../src/features/odds/deadline-in.ts";

// a Saturday
const AT = Date.UTC(2026, 10, 21, 20);
const ended = (query: string): string | null => {
  const end = deadlineIn(query, AT);
  return end === null ? null : new Date(end - 1).toISOString().slice(0, 10);
};

describe("the requested end date", () => {
  it.each([
    ["bitcoin above 150k by year end", "2026-12-31"],
    ["bitcoin above 150k by the end of the year", "2026-12-31"],
    ["will ETH reach 5000 this year?", "2026-12-31"],
    ["BTC over 200k EOY", "2026-12-31"],
    ["above 150k by the end of next year", "2027-12-31"],
    ["above 150k at year-end 2027", "2027-12-31"],
    ["odds of 150k this month", "2026-11-30"],
    ["odds of 150k at month end", "2026-11-30"],
    ["odds of 150k next month", "2026-12-31"],
    ["above 300 by end of quarter", "2026-12-31"],
    ["above 300 next quarter", "2027-03-31"],
    ["above 300 this week", "2026-11-27"],
    ["above 300 next week", "2026-12-04"],
    ["above 300 by Tuesday", "2026-11-24"],
    ["above 300 on Saturday", "2026-11-21"],
    ["above 300 next Friday", "2026-11-27"],
    ["above 300 next Saturday", "2026-11-28"],
    ["above 300 tomorrow", "2026-11-22"],
    ["above 300 tonight", "2026-11-21"],
    ["above 150k by December 15, this year", "2026-12-15"],
    ["above 150k in March", "2027-03-31"],
    ["above 150k in two years", "2028-11-21"],
    ["above 150k within 30 days", "2026-12-21"],
    ["above 150k over the next 3 weeks", "2026-12-12"],
    ["above 150k in 6 months", "2027-05-21"],
    ["above 150k a year from now", "2027-11-21"],
    // the time is eight in the evening
    ["above 150k in 3 hours", "2026-11-21"],
    ["above 150k in 5 hours", "2026-11-22"],
    ["above 150k in 36 hours", "2026-11-23"],
    ["above 150k in a quarter", "2027-02-21"],
    ["above 150k by Christmas", "2026-12-25"],
    ["above 150k by xmas eve", "2026-12-24"],
    ["above 150k by New Year's", "2027-01-01"],
    ["above 150k before Halloween", "2027-10-31"],
    ["above its 30 day average", null],
    ["above 150k", null],
    ["it may go above the high of the week of trading", null],
  ])("%s: %s", (query, day) => {
    expect(ended(query)).toBe(day);
  });

  it("is the last day of a shorter month, counted from the end of a longer one", () => {
    const end = deadlineIn("in 3 months", Date.UTC(2026, 10, 30, 20))!;
    expect(new Date(end - 1).toISOString().slice(0, 10)).toBe("2027-02-28");
  });

  it.each([
    ["above 150k before the halving", true],
    ["above 150k by next summer", true],
    ["above 150k in a few years", true],
    ["above 150k by the midterms", true],
    ["above 150k by December 15", true],
    ["above 150k tomorrow", true],
    ["odds of bitcoin above 150k", false],
    ["will bitcoin ever hit 150k soon", false],
    ["odds on AAPL now", false],
  ])("is recognized even if it cannot be parsed: %s", (query, named) => {
    expect(namesTime(query)).toBe(named);
  });

  it("continues quarters and months into the next year", () => {
    expect(new Date(deadlineIn("next quarter", Date.UTC(2026, 11, 31))!).toISOString()).toBe(
      "2027-04-01T00:00:00.000Z",
    );
    expect(new Date(deadlineIn("next month", Date.UTC(2026, 11, 31))!).toISOString()).toBe(
      "2027-02-01T00:00:00.000Z",
    );
  });
});
