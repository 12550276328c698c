import { describe, expect, it } from "vitest";
import { macd } from "../../../src/analytics/indicators/macd.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("macd", () => {
  it("subtracts the slow average from the fast one and smooths the difference", () => {
    // Closes against EMA3 2, 4.5, 7.75; signal (1 + 2.5)/2, then two thirds of the way to 3.25.
    expect(macd(of(1, 2, 3, 7, 11), 1, 3, 2)).toEqual({
      macd: of(none, none, 1, 2.5, 3.25),
      signal: of(none, none, none, 1.75, 2.75),
      histogram: of(none, none, none, 0.75, 0.5),
    });
  });

  it("is exactly 0 in a flat market", () => {
    expect(macd(new Float64Array(60).fill(0.1)).histogram.at(-1)).toBe(0);
  });

  it("throws for a fast period that is not below the slow one", () => {
    expect(() => macd(of(1, 2), 26, 26)).toThrow(RangeError);
  });
});
