import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blockRatio, calendarBlocks } from "./bootstrap.ts";

interface Item {
  readonly block: number;
  readonly error: number;
  readonly other: number;
}
const ratio = (items: readonly Item[]) =>
  blockRatio(
    items,
    ({ block }) => block,
    ({ error, other }) => [error, other],
  );

describe("calendar blocks", () => {
  it("count the dates of all symbols together", () => {
    const blockOf = calendarBlocks([[10, 30, 50], [20, 30, 60], [70]], 2);
    // dates 10 20 | 30 50 | 60 70
    expect([10, 20, 30, 50, 60, 70].map(blockOf)).toEqual([0, 0, 1, 1, 2, 2]);
    expect(() => blockOf(40)).toThrow(RangeError);
  });
});

describe("a ratio over blocks", () => {
  it("has the binomial quantiles of blocks that are drawn with replacement", () => {
    const items = [0, 0, 0, 0, 1].map((error, block) => ({ block, error, other: 1 }));
    // of five draws with odds 1/5: P(0) = 0.33, P(at most 2) = 0.942, P(at most 3) = 0.993
    expect(ratio(items)).toEqual({ value: 0.2, low: 0, high: 0.6 });
  });

  it("is not narrower because more symbols repeat the same dates", () => {
    const items = [3, 1, 4, 1, 5, 9].map((error, block) => ({ block, error, other: 7 }));
    const repeated = ratio([...items, ...items, ...items]);
    for (const [name, figure] of Object.entries(ratio(items)))
      expect(repeated[name as keyof typeof repeated]).toBeCloseTo(figure!, 12);
  });

  it("has no interval with fewer than five blocks, and no value without a denominator", () => {
    const items = [1, 2, 3, 4].map((error, block) => ({ block, error, other: 5 }));
    expect(ratio(items)).toEqual({ value: 0.5, low: null, high: null });
    expect(ratio([])).toEqual({ value: null, low: null, high: null });
  });

  it("contains its value, repeats, and shrinks to it where all blocks agree", () => {
    const item = fc.record({
      block: fc.integer({ min: 0, max: 9 }),
      error: fc.double({ min: 0, max: 9, noNaN: true }),
      other: fc.double({ min: 0.1, max: 9, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(item, { minLength: 60, maxLength: 80 }), (items) => {
        const { value, low, high } = ratio(items);
        expect(ratio(items)).toEqual({ value, low, high });
        expect(low).toBeLessThanOrEqual(value!);
        expect(high).toBeGreaterThanOrEqual(value!);
        const same = ratio(items.map((each) => ({ ...each, error: each.other / 4 })));
        for (const bound of [same.low, same.value, same.high]) expect(bound).toBeCloseTo(0.25, 12);
      }),
      { numRuns: 20 },
    );
  });
});
