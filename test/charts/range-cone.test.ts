import { describe, expect, it } from "vitest";
import { pricesOfCone, rangeCone, rangeKey } from "../../src/charts/range-cone.ts";
import { textsIn } from "./svg-content.ts";

// skewed: further up than down, and a median below the close
const cone = {
  close: 100,
  bands: [
    { bars: 1, p5: 96, p10: 97, p25: 98, p50: 99, p75: 103, p90: 105, p95: 107 },
    { bars: 4, p5: 90, p10: 92, p25: 95, p50: 98, p75: 108, p90: 115, p95: 120 },
  ],
};
/** 10 pixels per dollar with 130 at the top, 5 pixels per bar from 50. */
const scale = { y: (price: number) => 10 * (130 - price) };
const xOf = (bars: number) => 50 + 5 * bars;

describe("the cone of a range", () => {
  it("has its edges at the quantiles and its tip at the last close", () => {
    const shapes = [...rangeCone(cone, scale, xOf).matchAll(/<path d="([^"]*)"/g)].map(([, steps]) => steps);
    expect(shapes).toEqual([
      "M50 300L55 230L70 100L70 400L55 340z",
      "M50 300L55 250L70 150L70 380L55 330z",
      "M50 300L55 270L70 220L70 350L55 320z",
      "M50 300L55 310L70 320",
    ]);
  });

  it("is empty without bands", () => {
    expect(rangeCone({ close: 100, bands: [] }, scale, xOf)).toBe("");
    expect(rangeKey({ close: 100, bands: [] }, 0, 0)).toBe("");
  });

  it("needs a scale from the lowest to the highest edge of the 90 % band", () => {
    expect(pricesOfCone(cone)).toEqual([96, 107, 90, 120]);
  });
});

describe("the key of a range", () => {
  const drawn = rangeKey(cone, 10, 100);

  it("names the bands from dark to light, and the median", () => {
    expect(textsIn(drawn)).toEqual([
      "Range of the close over 4 bars, of 100 cases:",
      "50",
      "80",
      "90",
      "median",
    ]);
  });

  it("shades each sample as often as the cone shades its band", () => {
    const xs = [...drawn.matchAll(/<rect x="([\d.]+)"/g)].map(([, x]) => x!);
    const [dark, middle, light] = [...new Set(xs)];
    expect([dark, middle, light].map((x) => xs.filter((each) => each === x).length)).toEqual([3, 2, 1]);
  });
});
