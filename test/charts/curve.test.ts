import { describe, expect, it } from "vitest";
import { barCenterX } from "../../src/charts/candles.ts";
import { areaUnder, curve } from "../../src/charts/curve.ts";

const down = (value: number) => 100 - value;

describe("a curve", () => {
  it("passes through the middle of each slot and has gaps for missing values", () => {
    const values = Float64Array.of(1, 2, Number.NaN, 4);
    expect(curve(values, down, { left: 10, slot: 4 })).toBe("M12 99L16 98M24 96");
  });

  it("draws the first, lowest, highest and last of the values that share a pixel", () => {
    // 8 values per pixel. The first pixel draws 3, 0, 9, 5 in order; all values of the second are equal.
    const values = Float64Array.of(3, 4, 0, 4, 9, 4, 4, 5, 7, 7, 7, 7, 7, 7, 7, 7);
    expect(curve(values, (value) => value, { left: 0, slot: 0.125 })).toBe(
      "M0.06 3L0.31 0L0.56 9L0.94 5L1.06 7L1.94 7",
    );
  });

  it("clamps values far outside the chart", () => {
    expect(curve(Float64Array.of(1e9), down, { left: 0, slot: 2 })).toBe("M1 -5000");
  });

  it("may pass through the middle of bars, on the pixel grid", () => {
    const values = Float64Array.of(Number.NaN, 50, 60, Number.NaN, 70);
    expect(curve(values, (value) => 104 - value, { left: 0, slot: 10 }, barCenterX)).toBe(
      "M15.5 54L25.5 44M45.5 34",
    );
  });

  it("closes its area at the bottom", () => {
    expect(areaUnder(Float64Array.of(1, 2), down, { left: 0, slot: 2 }, 50)).toBe("M1 50L1 99L3 98L3 50z");
    expect(areaUnder(new Float64Array(), down, { left: 0, slot: 2 }, 50)).toBe("");
  });
});
