import { describe, expect, it } from "vitest";
import { baseResult } from "../../../src/analytics/track/base.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { climbingBars } from "../../support/market.ts";

/** Bars that open at the close before and move only between the two. */
function barsOf(closes: readonly number[]): Bars {
  const bars = climbingBars({ count: closes.length, step: 0 });
  const close = Float64Array.from(closes);
  const open = close.map((value, i) => close[i - 1] ?? value);
  return {
    ...bars,
    open,
    close,
    high: close.map((value, i) => Math.max(value, open[i]!)),
    low: close.map((value, i) => Math.min(value, open[i]!)),
  };
}
const flat = (count: number, price = 100) => Array.from({ length: count }, () => price);
const rangeOf = (count: number, range = 2) => new Float64Array(count).fill(range);

describe("baseResult", () => {
  it("is 4.25 ATR over 1.5 ATR at the target, and -1 at the stop of the other direction", () => {
    // bought at 100 with a stop at 97 and a target at 108.5; a step to 109 after two bars
    const bars = barsOf([...flat(3), ...flat(20, 109)]);
    const { long, short } = baseResult(bars, 0, rangeOf(23));
    expect(long).toBeCloseTo(8.5 / 3, 12);
    expect(short).toBe(-1);
  });

  it("is the close after 20 bars over 1.5 ATR if neither is reached", () => {
    const bars = barsOf([...flat(20), 101.5]);
    expect(baseResult(bars, 0, rangeOf(21))).toEqual({ long: 0.5, short: -0.5 });
  });

  it("takes the range at the close and no later one", () => {
    const bars = barsOf([...flat(20), 101.5]);
    const range = rangeOf(21, 50);
    range[0] = 2;
    expect(baseResult(bars, 0, range)).toEqual(baseResult(bars, 0, rangeOf(21)));
  });

  it("is null before 20 later bars exist, and without a range", () => {
    const none = { long: null, short: null };
    expect(baseResult(barsOf(flat(20)), 0, rangeOf(20))).toEqual(none);
    expect(baseResult(barsOf(flat(21)), 0, rangeOf(21, Number.NaN))).toEqual(none);
    expect(baseResult(barsOf(flat(21)), 0, rangeOf(21, 0))).toEqual(none);
    expect(baseResult(barsOf(flat(21)), 30, rangeOf(21))).toEqual(none);
  });
});
