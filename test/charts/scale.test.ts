import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { priceScale } from "../../src/charts/scale.ts";

const heights = { top: 100, bottom: 500 };

describe("a price scale", () => {
  it("is linear with 4% padding above and below", () => {
    // 100 to 200 with padding of 4 at each end: 108 dollars on 400 pixels
    const { low, high, y } = priceScale([200, 100, 150], heights);
    expect([low, high]).toEqual([96, 204]);
    expect(y(204)).toBe(100);
    expect(y(96)).toBe(500);
    expect(y(150)).toBe(300);
    expect(y(123)).toBeCloseTo(400, 10);
  });

  it("draws grid lines at round prices, with enough decimals to distinguish them", () => {
    expect(priceScale([200, 100], heights)).toMatchObject({
      ticks: [100, 120, 140, 160, 180, 200],
      decimals: 0,
    });
    // 1.2 to 1.3: a range of 0.108 in nine steps needs a step of at least 0.012
    expect(priceScale([1.2, 1.3], heights)).toMatchObject({ decimals: 2 });
    expect(priceScale([1.2, 1.3], heights).ticks.map((tick) => tick.toFixed(2))).toEqual([
      "1.20",
      "1.22",
      "1.24",
      "1.26",
      "1.28",
      "1.30",
    ]);
    const tiny = priceScale([0.00000123, 0.00000125], heights);
    expect(tiny.ticks.map((tick) => tick.toFixed(tiny.decimals)).slice(0, 3)).toEqual([
      "0.0000012300",
      "0.0000012325",
      "0.0000012350",
    ]);
  });

  it("centres flat prices, including zero and no prices", () => {
    expect(priceScale([700_000, 700_000], heights).y(700_000)).toBe(300);
    expect(priceScale([0], heights).y(0)).toBe(300);
    expect(priceScale([], heights).y(0)).toBe(300);
    expect(priceScale([Number.NaN, 5, Number.POSITIVE_INFINITY], heights).y(5)).toBeCloseTo(300, 9);
  });

  it("does not go below zero if all prices are positive", () => {
    expect(priceScale([0.01, 100], heights).low).toBe(0);
  });

  it("preserves order and range, with a few ticks, for any prices", () => {
    const price = fc.double({ min: 1e-9, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(fc.array(price, { minLength: 1 }), (prices) => {
        const { ticks, low, high, y } = priceScale(prices, heights);
        for (const each of prices) {
          expect(y(each)).toBeGreaterThanOrEqual(heights.top - 1e-6);
          expect(y(each)).toBeLessThanOrEqual(heights.bottom + 1e-6);
        }
        expect(ticks.length).toBeGreaterThanOrEqual(3);
        expect(ticks.length).toBeLessThanOrEqual(11);
        expect(ticks.every((tick) => tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9))).toBe(true);
      }),
    );
  });
});
