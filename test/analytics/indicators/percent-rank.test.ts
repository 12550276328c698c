import { describe, expect, it } from "vitest";
import { percentRank } from "../../../src/analytics/indicators/percent-rank.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("percentRank", () => {
  const rising = Float64Array.from({ length: 130 }, (_, i) => i);

  it("counts the lower values and half of the equal ones, including itself", () => {
    expect(percentRank(rising, 252)[125]).toBe(125.5 / 126);
    expect(percentRank(rising, 252)[129]).toBe(129.5 / 130);
    expect(percentRank(new Float64Array(126).fill(3), 252)[125]).toBe(0.5);
    expect(percentRank(rising.toReversed(), 252)[129]).toBe(0.5 / 130);
  });

  it("ignores values older than its window", () => {
    expect(percentRank(rising, 126)[129]).toBe(125.5 / 126);
  });

  it("is NaN for fewer than 126 values", () => {
    expect(percentRank(rising, 252)[124]).toBeNaN();
    expect(percentRank(rising, 125)[129]).toBeNaN();
    expect(percentRank(of(none, ...rising), 252)[125]).toBeNaN();
    expect(percentRank(of(none, ...rising), 252)[126]).toBe(125.5 / 126);
  });
});
