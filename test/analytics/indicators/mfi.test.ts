import { describe, expect, it } from "vitest";
import { mfi } from "../../../src/analytics/indicators/mfi.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("mfi", () => {
  it("is the share of traded value at rising prices", () => {
    // +6 * 2, -3 * 1; then -3 * 1 and an unchanged bar
    const price = of(3, 6, 3, 3);
    expect(mfi(price, price, price, of(1, 2, 1, 9), 2)).toEqual(of(none, none, 80, 0));
  });

  it("is 50 at an unchanged price, and NaN without volume", () => {
    const price = of(4, 4, 4, 4);
    expect(mfi(price, price, price, of(1, 1, 0, 0), 2)).toEqual(of(none, none, 50, none));
  });
});
