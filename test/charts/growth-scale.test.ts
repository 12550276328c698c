import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growthScale, moneyText } from "../../src/charts/growth-scale.ts";

const heights = { top: 100, bottom: 500 };

describe("the equity scale", () => {
  it("is linear up to five times the lowest value, and logarithmic beyond", () => {
    expect(growthScale([100, 500], heights).isLog).toBe(false);
    expect(growthScale([100, 500.1], heights).isLog).toBe(true);
  });

  it("stays linear if a value is zero or negative", () => {
    expect(growthScale([0, 1_000], heights).isLog).toBe(false);
    expect(growthScale([-5, 1_000], heights).isLog).toBe(false);
  });

  it("gives equal changes in percent equal heights", () => {
    // 4% padding above and below: a factor of 100 spans 400 / 1.08 pixels, a factor of 10 half of that
    const { y } = growthScale([10, 1_000], heights);
    expect(y(10)).toBeCloseTo(500 - (400 / 1.08) * 0.04, 9);
    expect(y(10) - y(100)).toBeCloseTo(200 / 1.08, 9);
    expect(y(100) - y(1_000)).toBeCloseTo(200 / 1.08, 9);
  });

  it("draws lines at round numbers", () => {
    expect(growthScale([7_214, 80_345], heights).ticks).toEqual([
      7_000, 10_000, 15_000, 20_000, 30_000, 50_000, 70_000,
    ]);
    expect(growthScale([10, 5_000], heights).ticks).toEqual([10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]);
    expect(growthScale([1, 1e12], heights).ticks).toEqual([1, 1e2, 1e4, 1e6, 1e8, 1e10, 1e12]);
  });

  it("keeps every value inside and in order, with at least two grid lines and not too many", () => {
    const money = fc.double({ min: 1e-3, max: 1e12, noNaN: true });
    fc.assert(
      fc.property(fc.array(money, { minLength: 1, maxLength: 20 }), (values) => {
        const { y, ticks } = growthScale([...values, Number.NaN], heights);
        const sorted = [...values].sort((a, b) => a - b).map(y);
        expect(sorted).toEqual([...sorted].sort((a, b) => b - a));
        expect(Math.max(...sorted)).toBeLessThanOrEqual(500.001);
        expect(Math.min(...sorted)).toBeGreaterThanOrEqual(99.999);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(11);
      }),
    );
  });

  it.each([
    [10_000, "10,000.00"],
    [-637.5717, "-637.57"],
    [1_234_567.8, "1,234,568"],
    [2_500_000_000, "2,500.0M"],
    [4e12, "4,000.0B"],
    [5e15, "5,000.0T"],
    [2e20, "2.00e+20"],
  ])("formats %d as %s", (amount, text) => expect(moneyText(amount)).toBe(text));
});
