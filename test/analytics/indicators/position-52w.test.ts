import { describe, expect, it } from "vitest";
import { position52w } from "../../../src/analytics/indicators/position-52w.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("position52w", () => {
  it("places the close between the extremes of two bars", () => {
    expect(position52w(of(10, 12, 14), of(6, 8, 9), of(8, 9, 12.5), 2)).toEqual(of(none, 0.5, 0.75));
  });

  it("is unknown in a range without width", () => {
    const flat = of(5, 5, 5);
    expect(position52w(flat, flat, flat, 2)).toEqual(of(none, none, none));
  });
});
