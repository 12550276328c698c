import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compositeOf, priceSum } from "../../../src/analytics/enhanced/composite.ts";
import type { GroupValue } from "../../../src/analytics/score/groups.ts";

describe("the composite", () => {
  it("is the weighted mean of its parts, and counts how many agree with its direction", () => {
    // .5 x .6 - .3 x .2 + .2 x .5 = .34
    const whole = compositeOf({ technical: 0.6, markets: -0.2, news: 0.5 });
    expect(whole.s).toBeCloseTo(0.34, 12);
    expect(whole.score).toBeCloseTo(67, 12);
    expect(whole).toMatchObject({
      direction: "LONG",
      weights: { technical: 0.5, markets: 0.3, news: 0.2 },
      agreement: { same_way: 2, of: 3, share: 2 / 3, way: "up" },
    });
    expect(compositeOf({ technical: -0.4, markets: -0.3, news: 0.05 })).toMatchObject({
      direction: "SHORT",
      agreement: { same_way: 2, of: 3, way: "down" },
    });
    expect(compositeOf({ technical: 0.05, markets: -0.05, news: 0 })).toMatchObject({
      direction: "WAIT",
      agreement: { same_way: 3, of: 3, share: 1, way: "flat" },
    });
  });

  it("rescales the weights if a part is missing", () => {
    const two = compositeOf({ technical: 0.6, markets: null, news: 0.5 });
    // (.3 + .1) / .7
    expect(two.score).toBeCloseTo(50 + 50 * (0.4 / 0.7), 12);
    expect(two.weights.technical).toBeCloseTo(5 / 7, 12);
    expect(two.weights.markets).toBe(0);
    expect(two.agreement).toMatchObject({ same_way: 2, of: 2 });
    expect(compositeOf({ technical: null, markets: 0.5, news: 0.5 }).s).toBeCloseTo(0.5, 12);
  });

  it("has no agreement with a single part, and no score below half of the weight", () => {
    expect(compositeOf({ technical: 0.6, markets: null, news: null })).toMatchObject({
      s: 0.6,
      score: 80,
      direction: "LONG",
      agreement: null,
    });
    for (const parts of [
      { technical: null, markets: 0.9, news: null },
      { technical: null, markets: null, news: 0.9 },
      { technical: null, markets: null, news: null },
    ])
      expect(compositeOf(parts)).toMatchObject({ s: null, score: null, direction: "WAIT", agreement: null });
  });

  it("mirrors with its parts, increases with each, and lies between them", () => {
    const value = fc.option(fc.double({ min: -1, max: 1, noNaN: true }), { nil: null });
    const parts = fc.record({ technical: value, markets: value, news: value });
    const turned = (one: number | null) => (one === null ? null : -one);
    fc.assert(
      fc.property(parts, fc.double({ min: 0, max: 1, noNaN: true }), ({ technical, markets, news }, more) => {
        const { s } = compositeOf({ technical, markets, news });
        if (s === null) return;
        const mirror = compositeOf({
          technical: turned(technical),
          markets: turned(markets),
          news: turned(news),
        });
        expect(mirror.s).toBeCloseTo(-s, 12);
        const present = [technical, markets, news].filter((one) => one !== null);
        expect(s).toBeLessThanOrEqual(Math.max(...present) + 1e-12);
        expect(s).toBeGreaterThanOrEqual(Math.min(...present) - 1e-12);
        if (news !== null)
          expect(
            compositeOf({ technical, markets, news: Math.min(1, news + more) }).s,
          ).toBeGreaterThanOrEqual(s);
      }),
    );
  });
});

describe("the sum of price groups", () => {
  const group = (name: string, value: number | null, effective_weight: number) =>
    ({ group: name, value, effective_weight }) as GroupValue;

  it("excludes prints, options, news and markets", () => {
    const groups = [group("trend", 0.5, 0.6), group("volume", -0.25, 0.4), group("news", 1, 0.04)];
    expect(priceSum(groups)).toBeCloseTo(0.2, 12);
    expect(priceSum([group("trend", null, 0), group("news", 1, 0.04)])).toBeNull();
  });
});
