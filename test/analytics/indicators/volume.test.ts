import { describe, expect, it } from "vitest";
import { cmf, mfi, obv } from "../../../src/analytics/indicators/volume.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("obv", () => {
  it("adds the volume of rises and takes off that of falls", () => {
    expect(obv(of(1, 2, 2, 1), of(5, 3, 4, 2))).toEqual(of(0, 3, 3, 1));
  });
});

describe("cmf", () => {
  it("weighs volume by where the bar closed in its range", () => {
    // closes at the high (+3), in the middle (0 of 5), without range (0 of 5), at the low (-5)
    const [high, low, close] = [of(10, 10, 9, 10), of(8, 8, 9, 8), of(10, 9, 9, 8)];
    expect(cmf(high, low, close, of(3, 5, 5, 5), 2)).toEqual(of(none, 0.375, 0, -0.5));
  });

  it("is unknown where nothing traded", () => {
    expect(cmf(of(2, 2), of(1, 1), of(2, 2), of(0, 0), 2)).toEqual(of(none, none));
  });
});

describe("mfi", () => {
  it("is the share of turnover that came with a rising price", () => {
    // +6 * 2, -3 * 1; then -3 * 1 and an unchanged bar
    const price = of(3, 6, 3, 3);
    expect(mfi(price, price, price, of(1, 2, 1, 9), 2)).toEqual(of(none, none, 80, 0));
  });

  it("reads 50 at an unchanged price, and nothing where nothing traded", () => {
    const price = of(4, 4, 4, 4);
    expect(mfi(price, price, price, of(1, 1, 0, 0), 2)).toEqual(of(none, none, 50, none));
  });
});
