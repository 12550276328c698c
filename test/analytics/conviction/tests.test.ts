import { describe, expect, it } from "vitest";
import { type Step, testsIn } from "../../../src/analytics/conviction/tests.ts";
import { barsAround } from "../../support/synthetic-bars.ts";

/** Bars without a range unless a low is given, with an ATR of 10: touch within 1, hold at +5, fail at -2.5. */
function tests(
  closes: readonly number[],
  lows: Record<number, number> = {},
  steps: readonly Step[] = level(),
) {
  const low = closes.map((close, bar) => lows[bar] ?? close);
  return testsIn(barsAround(closes, { low }), new Float64Array(closes.length).fill(10))(steps, []);
}
const level = (from = 1, price = 100, days = 1): readonly Step[] => [{ from, price, days }];

describe("testsIn", () => {
  it("holds at the first close .5 ATR above a level touched from above", () => {
    expect(tests([110, 101, 104, 105])).toEqual([{ touched: 1, settled: 3, held: true, days: 1 }]);
  });

  it("fails at the first close .25 ATR below it", () => {
    expect(tests([110, 101, 98, 97.5, 120])).toEqual([{ touched: 1, settled: 3, held: false, days: 1 }]);
  });

  it("settles at the touching bar itself if its close is decisive", () => {
    expect(tests([110, 106], { 1: 101 })).toEqual([{ touched: 1, settled: 1, held: true, days: 1 }]);
  });

  it("does not touch over .1 ATR away, from below, or by a bar entirely below", () => {
    expect(tests([110, 101.01, 120])).toEqual([]);
    expect(tests([90, 100, 120])).toEqual([]);
    expect(tests([110, 98.9, 120])).toEqual([]);
  });

  it("waits at most ten bars after the touch", () => {
    const flat = (count: number) => new Array(count).fill(102);
    expect(tests([110, 101, ...flat(9), 105])).toMatchObject([{ settled: 11, held: true }]);
    expect(tests([110, 101, ...flat(10), 105])).toEqual([]);
  });

  it("omits a test that has not settled", () => {
    expect(tests([110, 101, 102])).toEqual([]);
  });

  it("tests a level again, but after a fail only once price returns above it", () => {
    expect(tests([110, 101, 105, 101, 97, 100, 106, 101, 105])).toMatchObject([
      { touched: 1, held: true },
      { touched: 3, held: false },
      { touched: 7, held: true },
    ]);
  });

  it("ignores bars before the level was known", () => {
    expect(tests([110, 101, 105, 106], {}, level(2))).toEqual([]);
    expect(tests([110, 101, 105, 100, 105], {}, level(2))).toMatchObject([{ touched: 3 }]);
  });

  it("uses the level's price and size at the time of the touch", () => {
    const steps = [...level(1, 100, 1), ...level(2, 104, 3)];
    // Level at 104 from bar 2: the test of bar 1 uses 100 and its size; bar 4 touches 105.
    expect(tests([110, 101, 105, 110, 105, 109], {}, steps)).toEqual([
      { touched: 1, settled: 2, held: true, days: 1 },
      { touched: 4, settled: 5, held: true, days: 3 },
    ]);
  });

  it("finds tests after long calm stretches, including a level change within one", () => {
    const closes = new Array(64).fill(110);
    closes.splice(24, 2, 101, 105);
    closes.splice(50, 2, 101, 105);
    const steps = [...level(1, 60), ...level(20), ...level(40, 50), ...level(49)];
    expect(tests(closes, {}, steps)).toMatchObject([{ touched: 24 }, { touched: 50 }]);
  });

  it("returns no tests if there is no range to measure by", () => {
    const bars = barsAround([110, 100, 120]);
    for (const a of [Number.NaN, 0])
      expect(testsIn(bars, new Float64Array(3).fill(a))(level(), [])).toEqual([]);
  });
});
