import { describe, expect, it } from "vitest";
import { toldHours } from "../../../../src/features/questions/told/hours.ts";
import { readerOf } from "../../../../src/features/questions/told/reader.ts";

const HOLIDAY = { date: "2026-11-26", kind: "closed", name: "Thanksgiving Day" };
const HALF = { date: "2026-11-27", kind: "half", name: "Day after Thanksgiving" };
const told = (from: string, market_days: readonly object[]) =>
  toldHours(readerOf({ from, to: "2026-12-05", market_days }), null, false);

describe("when exchanges trade", () => {
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
  ])("is told of the day: %s", (from, days, sentence) => {
    expect(told(from, days).sentence).toMatch(new RegExp(`^${sentence.replace(/[().]/g, "\\$&")}`));
  });

  it("is told of the days that are unlike others, with every figure beside", () => {
    const { sentence, figures } = told("2026-11-20", [HOLIDAY, HALF]);
    expect(sentence).toContain(
      "Weekdays are 09:30 to 16:00 New York time; closed on 2026-11-26 (Thanksgiving Day) and until 13:00 on 2026-11-27 (Day after Thanksgiving)",
    );
    expect(figures).toMatchObject({ weekday: "Friday", is_trading_day: true, other_days: [HOLIDAY, HALF] });
    expect(told("2026-11-20", []).sentence).toContain("no other day until 2026-12-05 is unlike that");
  });
});
