import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { downsampleEquity } from "../../../src/features/backtest/downsample.ts";

const curve = (worth: readonly number[]) =>
  worth.map((equity, i) => ({ time: `${i}`.padStart(4, "0"), equity, buy_hold: null }));
const worthOf = (points: readonly { readonly equity: number }[]) => points.map(({ equity }) => equity);

describe("downsampleEquity", () => {
  it("copies all points when there are few enough", () => {
    const points = curve([3, 1, 2]);
    expect(downsampleEquity(points, 3)).toEqual(points);
    expect(downsampleEquity(points, 3)).not.toBe(points);
    expect(downsampleEquity([], 60)).toEqual([]);
  });

  it("keeps the first, the last, and the extremes of each interval in order", () => {
    // the ten between form two intervals: 5 9 4 6 7, and 8 2 3 10 6
    const points = curve([1, 5, 9, 4, 6, 7, 8, 2, 3, 10, 6, 11]);
    expect(worthOf(downsampleEquity(points, 6))).toEqual([1, 9, 4, 2, 10, 11]);
  });

  it("keeps one point of a constant interval", () => {
    expect(worthOf(downsampleEquity(curve([1, 7, 7, 7, 7, 7, 7, 2]), 6))).toEqual([1, 7, 7, 2]);
  });

  it("keeps highs and lows, adds no point, and never exceeds the maximum", () => {
    const worths = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(worths, fc.integer({ min: 4, max: 100 }), (worth, most) => {
        const points = curve(worth);
        const kept = downsampleEquity(points, most);
        expect(kept.length).toBeLessThanOrEqual(Math.max(most, 1));
        expect([kept[0], kept.at(-1)]).toEqual([points[0], points.at(-1)]);
        expect(Math.max(...worthOf(kept))).toBe(Math.max(...worth));
        expect(Math.min(...worthOf(kept))).toBe(Math.min(...worth));
        const times = kept.map(({ time }) => time);
        expect(times).toEqual([...new Set(times)].sort());
        expect(points).toEqual(expect.arrayContaining(kept));
      }),
    );
  });
});
