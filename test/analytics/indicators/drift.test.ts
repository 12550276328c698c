import { describe, expect, it } from "vitest";
import { deviation } from "../../../src/analytics/indicators/deviation.ts";
import { linearRegression } from "../../../src/analytics/indicators/linear-regression.ts";
import { rollingSum } from "../../../src/analytics/indicators/rolling.ts";
import { sma } from "../../../src/analytics/indicators/sma.ts";
import { wma } from "../../../src/analytics/indicators/wma.ts";
import { randomFrom } from "../../support/synthetic-bars.ts";

const LENGTH = 120_000;
const SHIFT = 60_000;
const FLAT = 100_000;

/** A million until SHIFT, one from there on, both with 1% noise; constant .1 + .2 from FLAT on. */
const random = randomFrom(11);
const x = Float64Array.from({ length: LENGTH }, (_, i) => {
  if (i >= FLAT) return 0.1 + 0.2;
  return (i < SHIFT ? 1e6 : 1) * (1 + (random() - 0.5) / 50);
});

/** The definition applied to one window, in two passes. */
function textbook(window: Float64Array) {
  const n = window.length;
  const sum = window.reduce((total, value) => total + value, 0);
  const mean = sum / n;
  const away = window.map((value) => value - mean);
  const squares = away.reduce((total, value) => total + value * value, 0);
  const covariance = away.reduce((total, value, i) => total + value * (i - (n - 1) / 2), 0);
  const places = (n * (n * n - 1)) / 12;
  const weighted = window.reduce((total, value, i) => total + value * (i + 1), 0) / ((n * (n + 1)) / 2);
  const r2 = squares === 0 ? 0 : (covariance * covariance) / (places * squares);
  return { sum, mean, weighted, deviation: Math.sqrt(squares / n), slope: covariance / places, r2 };
}

describe.each([2, 14, 20, 200])(
  "windows of %i over 120,000 bars that fall from a million to one",
  (period) => {
    const { mean, deviation: spread } = deviation(x, period);
    const { slope, r2 } = linearRegression(x, period);
    const columns = { sum: rollingSum(x, period), average: sma(x, period), weighted: wma(x, period) };

    it("match a naive recomputation to a relative 1e-9", () => {
      const worst = { sum: 0, mean: 0, average: 0, weighted: 0, deviation: 0, slope: 0, r2: 0 };
      const note = (name: keyof typeof worst, actual: number, expected: number, size: number) => {
        const apart = Math.abs(actual - expected) / size;
        if (!(apart <= worst[name])) worst[name] = apart;
      };
      for (let i = period - 1; i < FLAT; i++) {
        // Every bar around the fall, every 37th elsewhere.
        if (i % 37 !== 0 && Math.abs(i - SHIFT) > 2 * period) continue;
        const expected = textbook(x.subarray(i - period + 1, i + 1));
        note("sum", columns.sum[i]!, expected.sum, expected.sum);
        note("average", columns.average[i]!, expected.mean, expected.mean);
        note("mean", mean[i]!, expected.mean, expected.mean);
        note("weighted", columns.weighted[i]!, expected.weighted, expected.weighted);
        note("deviation", spread[i]!, expected.deviation, expected.deviation);
        note("slope", slope[i]!, expected.slope, expected.deviation);
        note("r2", r2[i]!, expected.r2, 1);
      }
      expect(Object.entries(worst).filter(([, apart]) => !(apart <= 1e-9))).toEqual([]);
    });

    it("have exactly zero deviation and slope for a constant series", () => {
      const flat = FLAT + period - 1;
      expect(spread.subarray(flat).every((value) => value === 0)).toBe(true);
      expect(slope.subarray(flat).every((value) => value === 0)).toBe(true);
      expect(r2.subarray(flat).every((value) => value === 0)).toBe(true);
      expect(mean.subarray(flat).every((value) => value === 0.1 + 0.2)).toBe(true);
      expect(columns.average.subarray(flat).every((value) => value === 0.1 + 0.2)).toBe(true);
      expect(columns.weighted.subarray(flat).every((value) => value === 0.1 + 0.2)).toBe(true);
    });
  },
);
