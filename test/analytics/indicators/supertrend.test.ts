import { describe, expect, it } from "vitest";
import { supertrend } from "../../../src/analytics/indicators/supertrend.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("supertrend", () => {
  it("trails only with the trend and flips on a close through the line", () => {
    // True ranges 2, 2.5, 4, 5.5; midpoints 11, 13, 10, 14.
    const [high, low, close] = [of(11, 12, 14, 11, 15), of(9, 10, 12, 9, 13), of(10, 11.5, 13, 9.5, 14)];
    expect(supertrend(high, low, close, 1, 1)).toEqual({
      line: of(none, 9, 10.5, 13, 8.5),
      direction: of(none, 1, 1, -1, 1),
    });
  });

  it("starts in the direction of the close relative to the bar's midpoint", () => {
    expect(supertrend(of(11, 12), of(9, 10), of(10, 10.5), 1, 1)).toEqual({
      line: of(none, 13),
      direction: of(none, -1),
    });
  });
});
