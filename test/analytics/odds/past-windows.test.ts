import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pastPlanOutcomes, pastWindows } from "../../../src/analytics/odds/past-windows.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { draws } from "../../support/draws.ts";
import { barsAround, syntheticBars } from "../../support/synthetic-bars.ts";
import { wildBars } from "../../support/wild-bars.ts";
import { average, type PlainBar, type PlainPlan, plainExit, plainResult } from "./plain.ts";

/** Returns the bars after each bar that has `count` after it, as ratios to its close. */
const windowsOf = (bars: Bars, count: number): PlainBar[][] =>
  Array.from({ length: Math.max(0, bars.close.length - count) }, (_, from) =>
    Array.from({ length: count }, (_, i) => {
      const at = (column: Float64Array) => column[from + 1 + i]! / bars.close[from]!;
      return { open: at(bars.open), high: at(bars.high), low: at(bars.low), close: at(bars.close) };
    }),
  );

const series = fc
  .tuple(fc.nat(1_000_000), fc.integer({ min: 1, max: 90 }), fc.boolean())
  .map(([seed, count, wild]) =>
    wild && count > 10 ? wildBars(seed, count, [3, 0.5, 8]) : syntheticBars(seed, count),
  );

describe("past windows", () => {
  it("are those of every bar with enough bars after it", () => {
    fc.assert(
      fc.property(series, fc.integer({ min: 1, max: 60 }), (bars, horizon) => {
        const { close, high, low } = pastWindows(bars, horizon);
        const windows = windowsOf(bars, horizon);
        expect([close.length, high.length, low.length]).toEqual(new Array(3).fill(windows.length));
        for (const [i, window] of windows.entries()) {
          expect(close[i]).toBeCloseTo(Math.log(window.at(-1)!.close), 12);
          expect(high[i]).toBeCloseTo(Math.log(Math.max(...window.map((bar) => bar.high))), 12);
          expect(low[i]).toBeCloseTo(Math.log(Math.min(...window.map((bar) => bar.low))), 12);
        }
      }),
      { numRuns: draws(200) },
    );
  });

  it("are known by hand, also with equal highs", () => {
    const bars = barsAround([10, 11, 9, 12], { high: [10, 12, 12, 12], low: [10, 8, 8, 9] });
    const { close, high, low } = pastWindows(bars, 2);
    expect([...close].map(Math.exp)).toEqual([0.9, 12 / 11].map((ratio) => expect.closeTo(ratio, 12)));
    expect([...high].map(Math.exp)).toEqual([1.2, 12 / 11].map((ratio) => expect.closeTo(ratio, 12)));
    expect([...low].map(Math.exp)).toEqual([0.8, 8 / 11].map((ratio) => expect.closeTo(ratio, 12)));
    expect(pastWindows(bars, 4).close).toHaveLength(0);
  });
});

describe("past outcomes of a plan", () => {
  it("are those of the plan from every bar with enough bars after it", () => {
    const plans = fc.record({
      isLong: fc.boolean(),
      risk: fc.double({ min: 0.005, max: 0.2, noNaN: true }),
      reward: fc.double({ min: 0.005, max: 0.3, noNaN: true }),
      count: fc.integer({ min: 1, max: 30 }),
    });
    fc.assert(
      fc.property(series, plans, (bars, { isLong, risk, reward, count }) => {
        const plan: PlainPlan = isLong
          ? { side: "LONG", stop: 1 - risk, target: 1 + reward }
          : { side: "SHORT", stop: 1 + risk, target: 1 - reward };
        const { side } = plan;
        const logs = { side, stop: Math.log(plan.stop), target: Math.log(plan.target) };
        const exits = windowsOf(bars, count).map((window) => plainExit(window, plan));
        const shareOf = (outcome: string) =>
          exits.filter((exit) => exit.outcome === outcome).length / exits.length;
        // past windows have no assumed drift whose spread is to be taken off
        const results = exits.map((exit) => plainResult(exit, plan, []));
        const outcomes = pastPlanOutcomes(bars, logs, count);
        if (exits.length === 0) expect(outcomes).toBeNull();
        else
          expect(outcomes).toEqual({
            stop: expect.closeTo(shareOf("stop"), 12),
            target: expect.closeTo(shareOf("target"), 12),
            neither: expect.closeTo(shareOf("neither"), 12),
            windows: exits.length,
            meanR: expect.closeTo(average(results), 7),
          });
      }),
      { numRuns: draws(300) },
    );
  });

  it("count a bar that touches both as the stop, unless it opens beyond the target", () => {
    const plan = { side: "LONG", stop: Math.log(0.9), target: Math.log(1.1) } as const;
    const both = barsAround([100, 100], { high: [100, 120], low: [100, 80] });
    expect(pastPlanOutcomes(both, plan, 1)).toEqual({
      stop: 1,
      target: 0,
      neither: 0,
      windows: 1,
      meanR: expect.closeTo(-1, 12),
    });
    both.open[1] = 115;
    expect(pastPlanOutcomes(both, plan, 1)).toEqual({
      stop: 0,
      target: 1,
      neither: 0,
      windows: 1,
      meanR: expect.closeTo(1.5, 12), // opens at 115, 15 above the close, with a risk of 10
    });
    expect(pastPlanOutcomes(both, plan, 2)).toBeNull();
  });
});
