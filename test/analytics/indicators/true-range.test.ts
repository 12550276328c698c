import { describe, expect, it } from "vitest";
import { trueRange } from "../../../src/analytics/indicators/true-range.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("trueRange", () => {
  it("extends the range to the previous close across a gap", () => {
    const [high, low, close] = [of(10, 12, 9, 9), of(8, 11, 7, 6), of(9, 11, 8, 7)];
    expect(trueRange(high, low, close)).toEqual(of(none, 3, 4, 3));
  });
});
