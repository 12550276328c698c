import { describe, expect, it } from "vitest";
import { choppiness } from "../../../src/analytics/indicators/choppiness.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("choppiness", () => {
  it("is 100 for bars with identical ranges and 0 for a straight line", () => {
    expect(choppiness(of(12, 12, 12), of(10, 10, 10), of(11, 11, 11), 2)).toEqual(of(none, none, 100));
    expect(choppiness(of(10, 12, 14), of(8, 10, 12), of(10, 12, 14), 2)).toEqual(of(none, none, 0));
  });

  it("is NaN if the bars have no range", () => {
    const flat = of(5, 5, 5);
    expect(choppiness(flat, flat, flat, 2)[2]).toBeNaN();
  });
});
