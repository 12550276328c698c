import { describe, expect, it } from "vitest";
import { ema } from "../../../src/analytics/indicators/ema.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("ema", () => {
  it("starts from the plain mean, then moves half way at a period of three", () => {
    expect(ema(of(1, 2, 3, 7, 3), 3)).toEqual(of(none, none, 2, 4.5, 3.75));
  });

  it("passes over another indicator's warm-up", () => {
    expect(ema(of(none, 1, 2, 3, 7), 3)).toEqual(of(none, none, none, 2, 4.5));
    expect(ema(of(none, none), 1)).toEqual(of(none, none));
  });
});
