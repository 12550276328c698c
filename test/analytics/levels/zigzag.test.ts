import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { zigzag } from "../../../src/analytics/levels/zigzag.ts";

const of = (...values: number[]) => Float64Array.from(values);
const ones = (count: number) => new Float64Array(count).fill(1);

describe("zigzag", () => {
  it("turns when price retraces 3 average ranges from the running extreme", () => {
    //             0   1   2   3   4   5   6   7   8
    const high = of(10, 12, 14, 15, 14, 13, 12, 13, 14);
    const low = of(9, 11, 13, 14, 12.5, 12, 11, 12, 13);
    // From the low of 9 the first high 3 above is 12 (bar 1); from the high of 15 the first low 3 below is 12 (bar 5);
    // then the low extends to 11 (bar 6) and 14 (bar 8) is 3 above it.
    expect(zigzag(high, low, ones(9))).toEqual([
      { kind: "low", index: 0, price: 9, confirmedAt: 1 },
      { kind: "high", index: 3, price: 15, confirmedAt: 5 },
      { kind: "low", index: 6, price: 11, confirmedAt: 8 },
    ]);
  });

  it("uses the first of equal extremes, before and after a turn", () => {
    const high = of(10, 15, 15, 12, 12, 15);
    const low = of(9, 14, 14, 11, 11, 14);
    expect(
      zigzag(high, low, ones(6)).map(({ kind, index, confirmedAt }) => [kind, index, confirmedAt]),
    ).toEqual([
      ["low", 0, 1],
      ["high", 1, 3],
      ["low", 3, 5],
    ]);
  });

  it("excludes the running, unconfirmed extreme", () => {
    expect(zigzag(of(10, 11, 12), of(9.5, 10.5, 11.5), ones(3))).toEqual([]);
  });

  it("never turns without a range: during warm-up, or in a flat market", () => {
    expect(zigzag(of(10, 20, 5), of(9, 19, 4), of(Number.NaN, Number.NaN, Number.NaN))).toEqual([]);
    expect(zigzag(of(5, 5, 5), of(5, 5, 5), of(0, 0, 0))).toEqual([]);
  });

  it("waits for the next bar if one bar reaches both thresholds before the first turn", () => {
    expect(zigzag(of(10, 14, 8), of(10, 6, 6.5), ones(3))).toEqual([
      { kind: "high", index: 1, price: 14, confirmedAt: 2 },
    ]);
  });

  const walk = fc
    .array(
      fc.record({
        step: fc.double({ min: -2, max: 2, noNaN: true }),
        up: fc.double({ min: 0, max: 1, noNaN: true }),
        down: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { minLength: 2, maxLength: 120 },
    )
    .map((bars) => {
      let close = 100;
      const closes = bars.map(({ step }) => (close += step));
      return {
        high: Float64Array.from(bars, ({ up }, i) => closes[i]! + up),
        low: Float64Array.from(bars, ({ down }, i) => closes[i]! - down),
      };
    });

  it("alternates highs and lows, each pivot being the extreme of its swing", () => {
    fc.assert(
      fc.property(walk, ({ high, low }) => {
        const pivots = zigzag(high, low, ones(high.length));
        pivots.forEach(({ kind, index, price, confirmedAt }, i) => {
          const from = pivots[i - 1]?.index ?? 0;
          const swing = kind === "high" ? high.subarray(from, confirmedAt) : low.subarray(from, confirmedAt);
          expect(price).toBe(kind === "high" ? Math.max(...swing) : Math.min(...swing));
          expect(kind === "high" ? high[index] : low[index]).toBe(price);
          expect(index).toBeLessThan(confirmedAt);
          expect(kind).not.toBe(pivots[i - 1]?.kind);
        });
      }),
    );
  });

  it("returns a pivot from its confirmation on and never changes it afterwards", () => {
    fc.assert(
      fc.property(walk, ({ high, low }) => {
        const whole = zigzag(high, low, ones(high.length));
        for (let end = 1; end <= high.length; end++)
          expect(zigzag(high.slice(0, end), low.slice(0, end), ones(end))).toEqual(
            whole.filter(({ confirmedAt }) => confirmedAt < end),
          );
      }),
      { numRuns: 30 },
    );
  });
});
