import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  logVariances,
  MIN_ODDS_BARS,
  ODDS_BARS,
  rangeModel,
} from "../../../src/analytics/odds/range-model.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import { draws } from "../../support/draws.ts";
import { barsAround, syntheticBars, thinBars } from "../../support/synthetic-bars.ts";
import { wildBars } from "../../support/wild-bars.ts";
import { average, plainModel } from "./plain.ts";

const COLUMNS = ["open", "high", "low", "close", "error"] as const;

function expectClose(received: ArrayLike<number>, expected: readonly number[]): void {
  expect(received.length).toBe(expected.length);
  const far = expected.findIndex((value, i) => !(Math.abs(received[i]! - value) <= 1e-9));
  expect(far === -1 ? null : { at: far, received: received[far], expected: expected[far] }).toBeNull();
}

function expectPlain(bars: Bars, reversion = 0): void {
  const [model, plain] = [rangeModel(bars, reversion), plainModel(bars, undefined, reversion)];
  expect(model.next).toBeCloseTo(plain.next, 9);
  expectClose(model.recent, plain.recent);
  for (const column of COLUMNS)
    expectClose(
      model.bank[column],
      plain.bank.map((entry) => entry[column]),
    );
}

describe("the log variance", () => {
  it("is that of the true range: a gap from the close before counts, a bar at one price has none", () => {
    const bars = barsAround([100, 101, 101, 95], {
      high: [100, 102, 101, 96],
      low: [100, 99, 101, 94],
    });
    const [wide, flat, gap] = logVariances(bars);
    expect(wide).toBeCloseTo(Math.log(Math.log(102 / 99) ** 2 / (4 * Math.LN2)), 12);
    expect(flat).toBe(Number.NEGATIVE_INFINITY);
    expect(gap).toBeCloseTo(Math.log(Math.log(101 / 94) ** 2 / (4 * Math.LN2)), 12);
    expect(logVariances(barsAround([]))).toHaveLength(0);
  });
});

describe("the model", () => {
  it("equals the plain one with 120 to 500 bars, filled with their mean", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.integer({ min: 120, max: 500 }), (seed, count) => {
        expectPlain(syntheticBars(seed, count));
      }),
      { numRuns: draws(24) },
    );
    for (const count of [120, 500]) expectPlain(syntheticBars(count, count));
  });

  it("equals the plain one with more than 500 bars, where nothing is filled", () => {
    for (const count of [501, 502, 777, 1_249, 1_250, 1_251]) expectPlain(syntheticBars(count, count));
  });

  it("equals the plain one with more bars than the bank holds", () => {
    for (const count of [1_252, 1_700]) expectPlain(syntheticBars(count, count));
  });

  it("equals the plain one with bars at one price, thin trading, and forecasts drawn to the mean", () => {
    for (const [seed, count, share] of [
      [11, 300, 0.1],
      [12, 900, 0.4],
      [13, 1_251, 0.7],
    ] as const)
      for (const reversion of [0, 0.25]) expectPlain(thinBars(seed, count, share), reversion);
  });

  it("equals the plain one after gaps and crashes", () => {
    expectPlain(wildBars(3, 300, [1, 4, 0.2, 9, 2, 12]));
    expectPlain(wildBars(4, 1_300, [20, 0.1, 5, 5, 15]));
  });

  it("has a bank of every bar up to 500 bars, of those after the 250th beyond, and of at most 1,000", () => {
    const sizes = [120, 500, 501, 1_000, 1_251, 1_252, 2_000].map(
      (count) => rangeModel(syntheticBars(9, count)).bank.close.length,
    );
    expect(sizes).toEqual([119, 499, 250, 749, 1_000, 1_000, 1_000]);
  });

  it("has closes whose mean is 0, and the last 250 log variances", () => {
    for (const count of [130, 700, 1_300]) {
      const bars = syntheticBars(count, count);
      const { bank, recent } = rangeModel(bars);
      expect(average([...bank.close])).toBeCloseTo(0, 12);
      expect(recent).toHaveLength(250);
      const own = logVariances(bars);
      expect([...recent.subarray(-100)]).toEqual([...own.subarray(-100)]);
    }
  });

  it("has bars whose high is highest and low is lowest", () => {
    const { open, high, low, close } = rangeModel(wildBars(5, 400, [3, 8, 1])).bank;
    for (let i = 0; i < close.length; i++) {
      expect(high[i]).toBeGreaterThanOrEqual(Math.max(open[i]!, close[i]!));
      expect(low[i]).toBeLessThanOrEqual(Math.min(open[i]!, close[i]!));
    }
  });

  it("is the same from the newest 1,251 bars, but for the oldest entry, whose forecast knows no fall before it", () => {
    const bars = syntheticBars(21, 1_600);
    const [long, short] = [rangeModel(bars), rangeModel(sliceBars(bars, 1_600 - ODDS_BARS))];
    expect(short.next).toBeCloseTo(long.next, 9);
    expectClose(short.recent, [...long.recent]);
    const shift = short.bank.close[999]! - long.bank.close[999]!;
    for (let i = 1; i < 1_000; i++) {
      expect(short.bank.error[i]).toBeCloseTo(long.bank.error[i]!, 9);
      expect(short.bank.close[i]! - long.bank.close[i]!).toBeCloseTo(shift, 9);
    }
    expect(Math.abs(shift)).toBeLessThan(1e-3);
  });

  it("does not change with bars after the last one in the same memory", () => {
    const bars = syntheticBars(31, 700);
    const before = rangeModel(sliceBars(bars, 0, 600));
    for (const column of [bars.open, bars.high, bars.low, bars.close]) column.fill(1e6, 600);
    expect(rangeModel(sliceBars(bars, 0, 600))).toEqual(before);
  });

  it("counts no bar beyond an error of 5 or a log price of 12 volatilities", () => {
    const bars = syntheticBars(17, 400);
    for (const at of [300, 350]) {
      bars.high[at] = bars.high[at]! * 40;
      bars.low[at] = bars.low[at]! / 40;
    }
    const { bank } = rangeModel(bars);
    for (const entry of [299, 349]) {
      expect(bank.error[entry]).toBe(5);
      expect(bank.high[entry]! - bank.low[entry]!).toBeGreaterThan(20);
    }
    const shift = 1; // the mean of the closes, which is taken off
    for (const column of ["open", "high", "low", "close"] as const)
      expect(Math.max(...bank[column].map(Math.abs))).toBeLessThanOrEqual(12 + shift);
  });

  it("refuses bars at one price", () => {
    expect(() => rangeModel(barsAround(new Array<number>(200).fill(7)))).toThrow(
      new RangeError("A forecast needs bars with a range, all are at one price"),
    );
  });

  it("refuses fewer than 120 bars", () => {
    for (const count of [0, 1, 119])
      expect(() => rangeModel(syntheticBars(1, count))).toThrow(
        new RangeError(`A forecast needs ${MIN_ODDS_BARS} bars, there are ${count}`),
      );
    expect(() => rangeModel(syntheticBars(1, 120))).not.toThrow();
  });
});
