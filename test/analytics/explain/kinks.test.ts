import { describe, expect, it } from "vitest";
import { fitLine } from "../../../src/analytics/drivers/window.ts";
import { kinksOf } from "../../../src/analytics/explain/kinks.ts";
import { deviation } from "../../../src/analytics/indicators/deviation.ts";
import { barsAround, syntheticBars } from "../../support/synthetic-bars.ts";

describe("kinksOf", () => {
  // 20 closes from 101 to 120, each bar from two below to one above its close.
  const closes = Array.from({ length: 20 }, (_, i) => 101 + i);
  const bars = barsAround(closes, { high: closes.map((x) => x + 1), low: closes.map((x) => x - 2) });
  const { bends, jumps } = kinksOf(bars);

  it("includes the bar's own range, the range of 13 bars and the extremes of 4", () => {
    // Last bar 118 to 121. The 13 bars before it span 107 to 119, the first after a close of 106: lows from 105, highs
    // to 120. 4 bars from 116 to 119: lows from 114.
    expect(bends.slice(0, 6)).toEqual([121, 118, 120, 105, 120, 114]);
  });

  it("includes the previous close, the one 14 bars ago and the one that repeats the typical price", () => {
    // Previous typical sum 120 + 117 + 119 = 356; 356 - 121 - 118 = 117 is below the low, so (356 - 121) / 2.
    expect(jumps).toEqual([119, 106, 117.5]);
  });

  it("finds the repeated typical price above and within the bar too", () => {
    const typical = (high: number, low: number) =>
      kinksOf({
        ...bars,
        high: bars.high.map((x, i) => (i === 19 ? high : x)),
        low: bars.low.map((x, i) => (i === 19 ? low : x)),
      }).jumps[2];
    expect(typical(120, 117)).toBe(119); // 356 - 120 - 117
    expect(typical(112, 110)).toBe(123); // (356 - 110) / 2
  });

  it("includes the closes with the narrowest relative bands and the best or worst linear fit", () => {
    const made = syntheticBars(5, 100);
    const others = made.close.subarray(0, -1);
    const [narrowest, straightest] = kinksOf(made).bends.slice(6) as [number, number];
    const width = (close: number) => {
      const { mean, deviation: spread } = deviation(Float64Array.from([...others.slice(-19), close]), 20);
      return spread[19]! / mean[19]!;
    };
    const lined = (close: number) => {
      const { slope, r2 } = fitLine(Float64Array.from([...others.slice(-59), close], Math.log));
      return Math.sign(slope) * r2;
    };
    for (const step of [0.999, 1.001]) expect(width(narrowest * step)).toBeGreaterThan(width(narrowest));
    const [below, there, above] = [0.999, 1, 1.001].map((step) => lined(straightest * step));
    expect((there! - below!) * (there! - above!)).toBeGreaterThan(0);
  });
});
