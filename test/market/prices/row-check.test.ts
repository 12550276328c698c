import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTradingDate, ROUNDING, rowFault } from "../../../src/market/prices/row-check.ts";

const LIMITS = { minPrice: 0.01, maxPrice: 1000, maxVolume: 1e6 };
const faultOf = (row: readonly number[]) => {
  const [open, high, low, close, volume] = row as [number, number, number, number, number];
  return rowFault(open, high, low, close, volume, LIMITS);
};

describe("rowFault", () => {
  it.each([
    [[10, 11, 9, 10, 0], null],
    [[10, 10, 10, 10 + 2e-15, 1], null],
    [[10, 11, 9, 11.001, 1], null],
    [[10, 11, 9, 11.002, 1], "range"],
    [[8.998, 11, 9, 10, 1], "range"],
    [[Number.NaN, 11, 9, 10, 1], "price"],
    [[10, 11, 0, 10, 1], "price"],
    [[10, 1001, 9, 10, 1], "price"],
    [[10, 11, 9, 10, Number.NaN], "volume"],
    [[10, 11, 9, 10, -1], "volume"],
    [[10, 11, 9, 10, 1e7], "volume"],
  ] as const)("of %j is %s", (row, fault) => {
    expect(faultOf(row)).toBe(fault);
  });

  it("is null for all rows whose open and close are in their range, and within rounding of it", () => {
    const price = fc.double({ min: 1, max: 900, noNaN: true });
    fc.assert(
      fc.property(price, price, fc.double({ min: -0.9, max: 0.9, noNaN: true }), (a, b, share) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const over = high * (1 + Math.max(0, share) * ROUNDING);
        expect(faultOf([low, high, low, over, 1])).toBeNull();
      }),
    );
  });
});

describe("isTradingDate", () => {
  it("follows the calendar from 1998, and weekdays before", () => {
    const dates = ["2025-07-03", "2025-07-04", "2025-07-05", "1998-01-19", "1997-01-20", "1997-01-25"];
    expect(dates.map((date) => isTradingDate(Date.parse(date)))).toEqual([
      true,
      false,
      false,
      false,
      true,
      false,
    ]);
  });
});
