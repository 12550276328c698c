import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gapsOf } from "../../../src/analytics/check/gaps.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { draws } from "../../support/draws.ts";
import { barsAround, splitAt, syntheticBars } from "../../support/synthetic-bars.ts";

/** Bars that close at 100 and open at 100, except at the given indexes. */
function barsOpening(count: number, opens: Readonly<Record<number, number>>): Bars {
  const bars = barsAround(Array<number>(count).fill(100));
  return { ...bars, open: bars.open.map((price, bar) => opens[bar] ?? price) };
}

describe("overnight gaps", () => {
  // 200 nights, of which three fall by 1/8, 1/16 and 1/64 and one rises by 1/4
  const bars = barsOpening(201, { 30: 93.75, 70: 125, 110: 87.5, 200: 98.4375 });

  it("are known by hand for LONG: type-7 quantile, worst night and its bar", () => {
    const gaps = gapsOf(bars, "LONG")!;
    expect(gaps).toMatchObject({ nights: 200, worst: 0.125, worstAt: bars.time[110] });
    // rank 0.99 * 199 = 197.01 of 0 ... 0, 1/64, 1/16, 1/8
    expect(gaps.p99).toBeCloseTo(1 / 64 + 0.01 * (1 / 16 - 1 / 64), 12);
  });

  it("are counted beyond a distance, but not at it", () => {
    const gaps = gapsOf(bars, "LONG")!;
    expect([0, 1 / 64, 0.05, 1 / 16, 0.125].map((distance) => gaps.beyond(distance))).toEqual([
      3, 2, 2, 1, 0,
    ]);
  });

  it("are rising opens for SHORT, of which the percentile is at least 0", () => {
    const gaps = gapsOf(bars, "SHORT")!;
    expect(gaps).toMatchObject({ nights: 200, p99: 0, worst: 0.25, worstAt: bars.time[70] });
    expect(gaps.beyond(0.2)).toBe(1);
  });

  it("have no worst night if none was against the side", () => {
    const rising = barsOpening(201, Object.fromEntries(Array.from({ length: 201 }, (_, i) => [i, 101])));
    expect(gapsOf(rising, "LONG")).toMatchObject({ p99: 0, worst: 0, worstAt: null });
  });

  it("are of the last 1,000 nights", () => {
    const count = 1_500;
    expect(gapsOf(barsOpening(count, { [count - 1_001]: 50 }), "LONG")).toMatchObject({
      nights: 1_000,
      worst: 0,
    });
    expect(gapsOf(barsOpening(count, { [count - 1_000]: 50 }), "LONG")).toMatchObject({
      nights: 1_000,
      worst: 0.5,
    });
  });

  it("need 120 nights", () => {
    expect(gapsOf(barsOpening(120, {}), "LONG")).toBeNull();
    expect(gapsOf(barsOpening(121, {}), "LONG")).toMatchObject({ nights: 120 });
  });

  it("are of the nights after a suspected split, if these are enough", () => {
    const whole = syntheticBars(5, 400);
    expect(gapsOf(splitAt(whole, 200, "split"), "LONG")!.worst).toBeGreaterThan(0.8);
    expect(gapsOf(splitAt(whole, 200, "raw"), "LONG")).toMatchObject({ nights: 199 });
    expect(gapsOf(splitAt(whole, 200, "raw"), "LONG")!.worst).toBeLessThan(0.01);
    expect(gapsOf(splitAt(whole, 300, "raw"), "LONG")).toBeNull();
  });

  it("are those of a plain count, for any opens and either side", () => {
    const opens = fc.array(fc.double({ min: 50, max: 180, noNaN: true }), { minLength: 121, maxLength: 300 });
    fc.assert(
      fc.property(opens, fc.constantFrom("LONG", "SHORT"), (prices, side) => {
        const gaps = gapsOf(barsOpening(prices.length, prices), side)!;
        const against = prices.slice(1).map((open) => (side === "LONG" ? 1 : -1) * (1 - open / 100));
        expect(gaps.worst).toBeCloseTo(Math.max(0, ...against), 12);
        expect(gaps.beyond(gaps.worst)).toBe(0);
        expect(gaps.beyond(0.1001)).toBe(against.filter((gap) => gap > 0.1001).length);
        expect(gaps.beyond(gaps.p99)).toBeLessThanOrEqual(Math.ceil(0.01 * (gaps.nights - 1)));
        if (gaps.p99 > 0)
          expect(gaps.beyond(gaps.p99 - 1e-9)).toBeGreaterThanOrEqual(Math.floor(0.01 * (gaps.nights - 1)));
      }),
      { numRuns: draws(100) },
    );
  });
});
