import fc from "fast-check";
import { expect, it } from "vitest";
import { isoDate, isoTime } from "../../src/lib/iso-date.ts";

const DAY = 86_400_000;
const first = Date.UTC(1969, 0, 1);
const expected = (time: number) => new Date(time).toISOString().split("T")[0];

it("returns the date of toISOString for every day from 1969 to 2101", () => {
  const days = Array.from({ length: (Date.UTC(2101, 0, 1) - first) / DAY }, (_, i) => first + i * DAY);
  expect(days.map(isoDate)).toEqual(days.map(expected));
});

it("returns the date of toISOString for any valid time", () => {
  fc.assert(
    fc.property(fc.integer({ min: -8.64e15, max: 8.64e15 }), (time) => {
      expect(isoDate(time)).toBe(expected(time));
    }),
  );
  for (const time of [253_402_300_799_999, 253_402_300_800_000, 0, -1, 951_782_400_000.5])
    expect(isoDate(time)).toBe(expected(time));
  expect(() => isoDate(Number.NaN)).toThrow(RangeError);
});

it("returns the time of toISOString", () => {
  const times = fc.oneof(
    fc.integer({ min: 0, max: 4_000_000_000 }).map((minutes) => minutes * 60_000),
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
  );
  fc.assert(
    fc.property(times, (time) => {
      expect(isoTime(time)).toBe(new Date(time).toISOString());
    }),
  );
  expect(() => isoTime(Number.NaN)).toThrow(RangeError);
});
