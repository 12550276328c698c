import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { correlation, dayReturns, onCommonDays } from "../../../src/analytics/check/day-returns.ts";
import { draws } from "../../support/draws.ts";
import { barsAround } from "../../support/synthetic-bars.ts";

const DAY_ONE = Date.UTC(2020, 0, 1) / 86_400_000;
const returnsOf = (values: readonly number[], from = 0) =>
  new Map(values.map((value, day) => [from + day, value]));
/** 40 values in a pattern of four signs. */
const pattern = (...signs: readonly number[]) => Array.from({ length: 40 }, (_, day) => signs[day % 4]!);
const A = pattern(1, -1, 1, -1);
const B = pattern(1, 1, -1, -1);

describe("returns by day", () => {
  it("are the logs of the ratio to the close before, by days since 1970", () => {
    expect([...dayReturns(barsAround([100, 110, 99]))]).toEqual([
      [DAY_ONE + 1, Math.log(110 / 100)],
      [DAY_ONE + 2, Math.log(99 / 110)],
    ]);
    expect(dayReturns(barsAround([100])).size).toBe(0);
  });

  it("are the newest 250", () => {
    const returns = dayReturns(barsAround(Array.from({ length: 400 }, (_, i) => 100 + i)));
    expect(returns.size).toBe(250);
    expect([...returns.keys()].at(0)).toBe(DAY_ONE + 150);
  });
});

describe("returns on common days", () => {
  it("add the days that others lack to the next common day", () => {
    const coin = returnsOf([0.5, 0.01, 0.02, 0.04, 0.08, 0.16]);
    const stock = new Map([
      [1, -0.1],
      [2, -0.2],
      [5, -0.3],
      [6, -0.4],
    ]);
    const [ofCoin, ofStock] = onCommonDays([coin, stock]);
    expect([...ofStock!]).toEqual([-0.1, -0.2, -0.3]);
    expect([...ofCoin!]).toEqual([0.01, 0.02, 0.04 + 0.08 + 0.16].map((value) => expect.closeTo(value, 12)));
  });

  it("are empty without a common day, and without a series", () => {
    expect(onCommonDays([returnsOf([1, 2]), returnsOf([3], 9)]).map(({ length }) => length)).toEqual([0, 0]);
    expect(onCommonDays([])).toEqual([]);
  });

  it("add up to the change from the first common day to the last, for any days", () => {
    const series = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 10 }).chain((days) =>
      fc
        .array(fc.double({ min: -0.1, max: 0.1, noNaN: true }), {
          minLength: days.length,
          maxLength: days.length,
        })
        .map((values) => new Map(days.sort((a, b) => a - b).map((day, i) => [day, values[i]!]))),
    );
    fc.assert(
      fc.property(fc.array(series, { minLength: 1, maxLength: 4 }), (all) => {
        const common = [...all[0]!.keys()].filter((day) => all.every((one) => one.has(day)));
        for (const [i, column] of onCommonDays(all).entries()) {
          expect(column).toHaveLength(common.length);
          const inside = [...all[i]!].filter(([day]) => day >= common[0]! && day <= common.at(-1)!);
          const change = inside.reduce((sum, [, value]) => sum + value, 0);
          expect(column.reduce((sum, value) => sum + value, 0)).toBeCloseTo(change, 12);
        }
      }),
      { numRuns: draws(200) },
    );
  });
});

describe("a correlation", () => {
  it("is known by hand: 1, -1, 0 and the root of a half", () => {
    const [a, b] = [returnsOf(A), returnsOf(B)];
    expect(correlation(a, returnsOf(A.map((value) => 3 * value + 5)))).toBeCloseTo(1, 12);
    expect(correlation(a, returnsOf(A.map((value) => -value)))).toBeCloseTo(-1, 12);
    expect(correlation(a, b)).toBeCloseTo(0, 12);
    expect(correlation(a, returnsOf(A.map((value, day) => value + B[day]!)))).toBeCloseTo(Math.SQRT1_2, 12);
  });

  it("needs 40 common days", () => {
    expect(correlation(returnsOf(A), returnsOf(A.slice(1), 1))).toBeNull();
    expect(correlation(returnsOf(A), returnsOf([...A, 7]))).toBeCloseTo(1, 12);
  });

  it("is unknown of prices that grow by the same share every day", () => {
    const steady = dayReturns(barsAround(Array.from({ length: 61 }, (_, i) => 100 * 1.01 ** i)));
    const moving = new Map([...steady.keys()].map((day, i) => [day, A[i % 40]!]));
    expect(correlation(steady, moving)).toBeNull();
    expect(correlation(moving, steady)).toBeNull();
    expect(correlation(moving, moving)).toBe(1);
  });
});
