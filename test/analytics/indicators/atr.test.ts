import { describe, expect, it } from "vitest";
import { atr } from "../../../src/analytics/indicators/atr.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("atr", () => {
  it("starts from the mean of the first ranges with a previous close", () => {
    // True ranges 3, 4, 3: (3 + 4)/2, then halfway to 3.
    const [high, low, close] = [of(10, 12, 9, 11), of(8, 11, 7, 9), of(9, 11, 8, 10)];
    expect(atr(high, low, close, 2)).toEqual(of(none, none, 3.5, 3.25));
  });
});
