import { describe, expect, it } from "vitest";
import { wma } from "../../../src/analytics/indicators/wma.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("wma", () => {
  it("weights the newer of two values twice", () => {
    // (1 + 2*4)/3, (4 + 2*1)/3, (1 + 2*7)/3
    expect(wma(of(1, 4, 1, 7), 2)).toEqual(of(none, 3, 2, 5));
  });

  it("weights four values by recency", () => {
    // (1*10 + 2*20 + 3*30 + 4*40)/10
    expect(wma(of(10, 20, 30, 40), 4)[3]).toBe(30);
  });
});
