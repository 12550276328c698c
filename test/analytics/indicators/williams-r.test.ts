import { describe, expect, it } from "vitest";
import { williamsR } from "../../../src/analytics/indicators/williams-r.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("williamsR", () => {
  it("measures down from the high of two bars", () => {
    // -(12 - 9)/(12 - 6), -(14 - 12.5)/(14 - 8)
    expect(williamsR(of(10, 12, 14), of(6, 8, 9), of(8, 9, 12.5), 2)).toEqual(of(none, -50, -25));
  });

  it("is NaN for a zero range", () => {
    const flat = of(5, 5, 5);
    expect(williamsR(flat, flat, flat, 2)).toEqual(of(none, none, none));
  });
});
