import { describe, expect, it } from "vitest";
import { bollinger } from "../../../src/analytics/indicators/bollinger.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("bollinger", () => {
  it("is two population deviations around the mean", () => {
    expect(bollinger(of(1, 3, 3, 5), 2, 2)).toEqual({
      upper: of(none, 4, 3, 6),
      middle: of(none, 2, 3, 4),
      lower: of(none, 0, 3, 2),
      percentB: of(none, 0.75, 0.5, 0.75),
      width: of(none, 2, 0, 1),
    });
  });
});
