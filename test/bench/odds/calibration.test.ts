import { describe, expect, it } from "vitest";
import { calibrationEstimate, reliability } from "./calibration.ts";

const DAY = 86_400_000;
const blockOf = (time: number) => Math.floor(time / (60 * DAY));
const odds = (forecast: number, happened: boolean) => ({ odds: forecast, happened, time: 0 });

describe("calibration", () => {
  it("is the mean distance over ten bins, weighted by count", () => {
    // bin 0: 0.02 + 0.08 forecast, 0 happened; bin 9: 1 forecast, 1 happened; bin 3: 0.3 and 0 happened
    const scored = [odds(0.02, false), odds(0.08, false), odds(1, true), odds(0.3, false)];
    expect(calibrationEstimate(scored, blockOf).value).toBeCloseTo((0.1 + 0 + 0.3) / 4, 12);
  });

  it("cancels errors within a bin, not across bins", () => {
    expect(calibrationEstimate([odds(0.5, true), odds(0.5, false)], blockOf).value).toBe(0);
    expect(calibrationEstimate([odds(0.55, true), odds(0.45, false)], blockOf)).toEqual({
      value: expect.closeTo(0.45, 12),
      low: null,
      high: null,
    });
    expect(calibrationEstimate([], blockOf)).toEqual({ value: null, low: null, high: null });
  });

  it("counts the odds of each tenth", () => {
    const bins = reliability(
      [odds(0.1, true), odds(0.14, false), odds(0.3, true)].map((each, i) => ({ ...each, time: i * DAY })),
      blockOf,
    );
    expect(bins.map((bin) => bin?.count ?? 0)).toEqual([0, 2, 0, 1, 0, 0, 0, 0, 0, 0]);
    expect(bins[1]!.forecast).toBeCloseTo(0.12, 12);
    expect(bins[1]!.happened.value).toBe(0.5);
  });

  it("has the interval of blocks that are drawn with replacement", () => {
    // 10 odds of 0.25 in each of five blocks, of which 0, 0, 5, 5, 5 happened: 15 of 50, so 0.05 from the odds
    const scored = [0, 0, 5, 5, 5].flatMap((count, block) =>
      Array.from({ length: 10 }, (_, i) => ({ ...odds(0.25, i < count), time: block * 60 * DAY })),
    );
    const { value, low, high } = calibrationEstimate(scored, blockOf);
    expect(value).toBeCloseTo(0.05, 12);
    // with k of 5 drawn blocks at 0.5: |0.25 - k / 10| is 0.05 for k = 2 and 3, 0.15 for 1 and 4, 0.25 for 0 and 5;
    // P(k = 2, 3) = 0.58, P(k = 0, 5) = 0.09
    expect(low).toBeCloseTo(0.05, 12);
    expect(high).toBeCloseTo(0.25, 12);
  });
});
