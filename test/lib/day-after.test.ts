import { expect, it } from "vitest";
import { dayAfter } from "../../src/lib/day-after.ts";

it("is the day after on the calendar, over months, leap days and backwards", () => {
  expect(dayAfter("2026-12-31")).toBe("2027-01-01");
  expect(dayAfter("2024-02-28")).toBe("2024-02-29");
  expect(dayAfter("2026-03-01", -1)).toBe("2026-02-28");
  expect(dayAfter("2026-01-15", -44)).toBe("2025-12-02");
});
