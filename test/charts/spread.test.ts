import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { spreadLabels } from "../../src/charts/spread.ts";

const at = (...middles: readonly number[]) => middles.map((each) => ({ at: each, height: 20 }));

describe("spread labels", () => {
  it("keep their positions if they do not overlap", () => {
    expect(spreadLabels(at(100, 200), 0, 300)).toEqual([100, 200]);
  });

  it("move apart by equal distances and keep their order", () => {
    // Both are wanted at 100: one moves up by half a label, the other down.
    expect(spreadLabels(at(100, 100), 0, 300)).toEqual([90, 110]);
    // 100, 110 and 112 are placed 20 apart around their mean of 107.33.
    expect(spreadLabels(at(110, 112, 100), 0, 300).map(Math.round)).toEqual([107, 127, 87]);
  });

  it("stay within the bounds", () => {
    expect(spreadLabels(at(-50, 400), 0, 300)).toEqual([10, 290]);
    expect(spreadLabels(at(300, 300, 300), 0, 300)).toEqual([250, 270, 290]);
  });

  it("are empty for no labels", () => {
    expect(spreadLabels([], 0, 300)).toEqual([]);
  });

  it("never overlap and never leave the bounds, for any wanted positions", () => {
    const label = fc.record({
      at: fc.double({ min: -1e4, max: 1e4, noNaN: true }),
      height: fc.integer({ min: 5, max: 40 }),
    });
    fc.assert(
      fc.property(fc.array(label, { maxLength: 7 }), (wanted) => {
        const middles = spreadLabels(wanted, 0, 300);
        const boxes = wanted
          .map(({ height }, i) => ({ top: middles[i]! - height / 2, bottom: middles[i]! + height / 2 }))
          .sort((a, b) => a.top - b.top);
        for (const [i, { top, bottom }] of boxes.entries()) {
          expect(top).toBeGreaterThanOrEqual((boxes[i - 1]?.bottom ?? 0) - 1e-6);
          expect(bottom).toBeLessThanOrEqual(300 + 1e-6);
        }
      }),
    );
  });
});
