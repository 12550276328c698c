import { expect, it } from "vitest";
import { dayAfter } from "../../src/lib/day-after.ts";

it("returns a date a number of days later or earlier, across months, years and leap days", () => {
  expect(dayAfter("2026-12-31")).toBe("2027-01-01");
  expect(dayAfter("2024-02-28")).toBe("2024-02-29");
  expect(dayAfter("2026-03-01", -1)).toBe("2026-02-28");
  expect(dayAfter("2026-01-15", -44)).toBe("2025-12-02");
});
