import { describe, expect, it } from "vitest";
import { ema } from "../../../src/analytics/indicators/ema.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("ema", () => {
  it("starts from the simple mean, then moves halfway at a period of three", () => {
    expect(ema(of(1, 2, 3, 7, 3), 3)).toEqual(of(none, none, 2, 4.5, 3.75));
  });

  it("skips the warm-up of another indicator", () => {
    expect(ema(of(none, 1, 2, 3, 7), 3)).toEqual(of(none, none, none, 2, 4.5));
    expect(ema(of(none, none), 1)).toEqual(of(none, none));
  });
});
