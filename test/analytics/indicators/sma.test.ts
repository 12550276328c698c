import { describe, expect, it } from "vitest";
import { sma } from "../../../src/analytics/indicators/sma.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("sma", () => {
  it("is the simple mean of the last values", () => {
    expect(sma(of(1, 2, 3, 7), 3)).toEqual(of(none, none, 2, 4));
    expect(sma(of(5, 7), 1)).toEqual(of(5, 7));
  });

  it("ignores a missing value once it left the window", () => {
    expect(sma(of(1, none, 3, 5, 7), 2)).toEqual(of(none, none, none, 4, 6));
  });
});
