import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newYorkDate, newYorkDay, newYorkOffsetMs } from "../../src/lib/newyork.ts";

const hours = (instant: string) => newYorkOffsetMs(Date.parse(instant)) / 3_600_000;

describe("newyork", () => {
  it.each([
    // second Sunday of March, first Sunday of November
    { rule: 2007, before: "2026-03-08T06:59:59.999Z", start: "2026-03-08T07:00:00Z" },
    { rule: 2007, before: "2007-03-11T06:59:59.999Z", start: "2007-03-11T07:00:00Z" },
    // first Sunday of April
    { rule: 1987, before: "2006-04-02T06:59:59.999Z", start: "2006-04-02T07:00:00Z" },
    { rule: 1987, before: "1987-04-05T06:59:59.999Z", start: "1987-04-05T07:00:00Z" },
    // last Sunday of April
    { rule: 1976, before: "1986-04-27T06:59:59.999Z", start: "1986-04-27T07:00:00Z" },
  ])("springs forward at $start by the rule of $rule", ({ before, start }) => {
    expect([hours(before), hours(start)]).toEqual([-5, -4]);
  });

  it.each([
    { rule: 2007, before: "2026-11-01T05:59:59.999Z", end: "2026-11-01T06:00:00Z" },
    { rule: 2007, before: "2020-11-01T05:59:59.999Z", end: "2020-11-01T06:00:00Z" },
    { rule: 1987, before: "2006-10-29T05:59:59.999Z", end: "2006-10-29T06:00:00Z" },
    { rule: 1987, before: "1999-10-31T05:59:59.999Z", end: "1999-10-31T06:00:00Z" },
  ])("falls back at $end by the rule of $rule", ({ before, end }) => {
    expect([hours(before), hours(end)]).toEqual([-4, -5]);
  });

  it("changes the date at midnight in New York", () => {
    expect(newYorkDate(Date.parse("2026-07-02T03:59:59Z"))).toBe("2026-07-01");
    expect(newYorkDate(Date.parse("2026-07-02T04:00:00Z"))).toBe("2026-07-02");
    expect(newYorkDate(Date.parse("2026-01-01T04:59:59Z"))).toBe("2025-12-31");
    expect(newYorkDate(Date.parse("2026-01-01T05:00:00Z"))).toBe("2026-01-01");
    expect(newYorkDay(Date.parse("2026-07-02T03:59:59Z"))).toBe(Date.UTC(2026, 6, 1));
  });

  it("agrees with the IANA time zone database at any hour from 1976 to 2037", () => {
    const iana = new Intl.DateTimeFormat("en-CA", {
      timeZone: "America/New_York",
      hour12: false,
      hour: "2-digit",
    });
    const within = { min: Date.UTC(1976, 3, 1) / 3_600_000, max: Date.UTC(2037, 11, 31) / 3_600_000 };
    fc.assert(
      fc.property(fc.integer(within), (hour) => {
        const wall = ((hour % 24) + newYorkOffsetMs(hour * 3_600_000) / 3_600_000 + 24) % 24;
        expect(wall).toBe(Number(iana.format(hour * 3_600_000)) % 24);
      }),
      { numRuns: 2000 },
    );
  });
});
