import { describe, expect, it } from "vitest";
import { readerOf } from "../../../../src/features/requests/results/answer-reader.ts";
import { tradingHours } from "../../../../src/features/requests/results/trading-hours.ts";

const HOLIDAY = { date: "2026-11-26", kind: "closed", name: "Thanksgiving Day" };
const HALF = { date: "2026-11-27", kind: "half", name: "Day after Thanksgiving" };
const hoursFrom = (from: string, market_days: readonly object[]) =>
  tradingHours(readerOf({ from, to: "2026-12-05", market_days }));

describe("trading hours", () => {
  it.each([
    [
      "2026-11-20",
      [HOLIDAY],
      "US exchanges trade on Friday, 2026-11-20, from 09:30 to 16:00 New York time. ",
    ],
    ["2026-11-21", [HOLIDAY], "US exchanges are closed on Saturday, 2026-11-21. "],
    ["2026-11-26", [HOLIDAY], "US exchanges are closed on Thursday, 2026-11-26 (Thanksgiving Day). "],
    [
      "2026-11-27",
      [HALF],
      "US exchanges trade on Friday, 2026-11-27 (Day after Thanksgiving), from 09:30 to 13:00 New York time. ",
    ],
  ])("are those of the first day: %s", (from, days, text) => {
    expect(hoursFrom(from, days).text).toMatch(new RegExp(`^${text.replace(/[().]/g, "\\$&")}`));
  });

  it("include the days with other hours, in text and figures", () => {
    const { text, figures } = hoursFrom("2026-11-20", [HOLIDAY, HALF]);
    expect(text).toContain(
      "Weekdays: 09:30 to 16:00 New York time; closed on 2026-11-26 (Thanksgiving Day), until 13:00 on 2026-11-27 (Day after Thanksgiving)",
    );
    expect(figures).toMatchObject({ weekday: "Friday", is_trading_day: true, other_days: [HOLIDAY, HALF] });
    expect(hoursFrom("2026-11-20", []).text).toContain("no exceptions until 2026-12-05");
  });
});
