import { describe, expect, it } from "vitest";
import { mansfield } from "../../../src/analytics/indicators/mansfield.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("mansfield", () => {
  it("compares relative strength with its own mean", () => {
    // strength 2, 6, 2: means 4, 4
    expect(mansfield(of(2, 12, 6), of(1, 2, 3), 2)).toEqual(of(none, 0.5, -0.5));
  });
});
