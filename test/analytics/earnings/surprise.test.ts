import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { surpriseOf, surpriseValue } from "../../../src/analytics/earnings/surprise.ts";
import type { EarningsFigure } from "../../../src/domain/earnings/earnings.ts";

const figure = (value: number, over: Partial<EarningsFigure> = {}): EarningsFigure => ({
  value,
  basis: "adjusted",
  by: "one",
  ...over,
});
const of = (actual: number, estimate: number, options = {}) =>
  surpriseOf({ actual: figure(actual), estimate: figure(estimate) }, options);

describe("a surprise", () => {
  it.each([
    [3.3, 3, 10, "STRONG_BEAT"],
    [1.1, 1, 10, "STRONG_BEAT"],
    [1.0999, 1, 9.99, "BEAT"],
    [1.02, 1, 2, "BEAT"],
    [1.0199, 1, 1.99, "IN_LINE"],
    [1, 1, 0, "IN_LINE"],
    [0.9801, 1, -1.99, "IN_LINE"],
    [0.98, 1, -2, "MISS"],
    [0.9, 1, -10, "STRONG_MISS"],
    [-0.4, -0.5, 20, "STRONG_BEAT"],
    [0.5, -0.5, 200, "STRONG_BEAT"],
    [-0.6, -0.5, -20, "STRONG_MISS"],
    // recorded: 1.53 against 1.49923
    [1.53, 1.49923, 2.0524, "BEAT"],
  ])("of %d against %d is %d percent, %s", (actual, estimate, surprisePct, result) => {
    expect(of(actual, estimate)).toEqual({
      actual,
      estimate,
      surprisePct,
      surprise_of: "estimate",
      result,
      basis: "adjusted",
      reason: null,
    });
  });

  it.each([
    [0.14, 0.09, 20, 0.25, "STRONG_BEAT"],
    [0.1, 0.09, 20, 0.05, "BEAT"],
    [0.095, 0.09, 20, 0.025, "IN_LINE"],
    [0, 0, 20, 0, "IN_LINE"],
    [0.08, 0.09, 20, -0.05, "MISS"],
    [-0.05, 0.05, 20, -0.5, "STRONG_MISS"],
  ])("of %d against a small %d at a price of %d is %d percent of the price, %s", (...row) => {
    const [actual, estimate, price, surprisePct, result] = row;
    expect(of(actual, estimate, { perShare: true, price })).toMatchObject({
      surprisePct,
      surprise_of: "price",
      result,
    });
  });

  it("is relative to per-share estimates from ten cents; below that it needs a price", () => {
    expect(of(0.11, 0.1, { perShare: true, price: 20 }).surprise_of).toBe("estimate");
    expect(of(0.11, -0.1, { perShare: true }).surprise_of).toBe("estimate");
    expect(of(0.1, 0.09, { perShare: true })).toMatchObject({
      surprisePct: null,
      result: null,
      reason: "The estimate is under 0.10 USD and the price before the report is not known",
    });
    expect(of(0.1, 0).reason).toBe("The estimate is 0");
  });

  it("compares only figures of the same provider and accounting basis", () => {
    const gaap = { actual: figure(1, { basis: "gaap" }), estimate: figure(1) };
    expect(surpriseOf(gaap)).toEqual({
      actual: 1,
      estimate: 1,
      surprisePct: null,
      surprise_of: null,
      result: null,
      basis: null,
      reason: "Different accounting bases: actual gaap, estimate adjusted",
    });
    expect(surpriseOf({ actual: figure(1, { by: "two" }), estimate: figure(1) }).reason).toBe(
      "Different providers: actual two, estimate one",
    );
  });

  it("returns the side that is known and a reason for the missing one", () => {
    expect(surpriseOf({ actual: figure(0), estimate: null })).toMatchObject({
      actual: 0,
      estimate: null,
      surprisePct: null,
      reason: "No estimate from before the report is known",
    });
    expect(surpriseOf({ actual: null, estimate: figure(2) })).toMatchObject({
      actual: null,
      estimate: 2,
      reason: "No actual figure is known",
    });
    expect(surpriseOf({ actual: null, estimate: null }).reason).toBe(
      "Neither a figure nor an estimate is known",
    );
  });

  it("maps to [-1, 1], reaching 1 at a strong surprise, on the scale of each measure", () => {
    expect([of(1.05, 1), of(1.5, 1), of(0.5, 1)].map(surpriseValue)).toEqual([0.5, 1, -1]);
    expect(surpriseValue(of(0.1, 0.09, { perShare: true, price: 20 }))).toBe(0.2);
    expect(surpriseValue(of(1, 0))).toBeNull();
  });

  it("never improves for a lower figure", () => {
    const value = fc.integer({ min: -500, max: 500 }).map((cents) => cents / 100);
    fc.assert(
      fc.property(value, value, value, fc.boolean(), (a, b, estimate, perShare) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const options = { perShare, price: 10 };
        const [worse, better] = [of(low, estimate, options), of(high, estimate, options)];
        if (worse.surprisePct === null || better.surprisePct === null) return estimate === 0;
        return surpriseValue(worse)! <= surpriseValue(better)! && worse.surprisePct <= better.surprisePct;
      }),
    );
  });
});
