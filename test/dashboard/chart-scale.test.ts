import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fittingTicks,
  linearScale,
  linePath,
  nearest,
  paddedRange,
  roundTicks,
  spread,
} from "../../src/dashboard/charts/scale.ts";

const VALUES = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const points = (...xs: readonly number[]) => xs.map((x) => ({ x }));

describe("the scale of a chart", () => {
  it("maps values to pixels, also upside down", () => {
    expect(linearScale([0, 10], [100, 200])(2.5)).toBe(125);
    expect(linearScale([0, 10], [200, 100])(2.5)).toBe(175);
  });

  it("maps a range without width to the middle", () => {
    expect(linearScale([5, 5], [0, 100])(5)).toBe(50);
  });

  it.each([
    [0, 100, 5, [0, 20, 40, 60, 80, 100]],
    [80.3, 204.9, 6, [100, 150, 200]],
    [-41.1, 1.6, 3, [-40, -20, 0]],
    [0.12, 0.34, 3, [0.2, 0.3]],
    [5, 5, 4, [5]],
  ])("has round ticks from %d to %d in at most %d steps", (low, high, max, ticks) => {
    expect(roundTicks(low, high, max)).toEqual(ticks);
  });

  it("has ascending ticks inside of any range, in no more steps than allowed", () => {
    fc.assert(
      fc.property(
        VALUES,
        fc.double({ min: 0.01, max: 1e6, noNaN: true }),
        fc.integer({ min: 1, max: 9 }),
        (low, range, max) => {
          const ticks = roundTicks(low, low + range, max);
          const slack = range * 1e-6;
          expect(ticks.length - 1).toBeLessThanOrEqual(max);
          expect(ticks.every((tick) => tick >= low - slack && tick <= low + range + slack)).toBe(true);
          expect(ticks).toEqual([...new Set(ticks)].sort((a, b) => a - b));
        },
      ),
    );
  });

  it.each([
    [
      [10, 20],
      [9.6, 20.4],
    ],
    [[50], [48, 52]],
    [
      [0, 0],
      [-1, 1],
    ],
    [[], [0, 1]],
  ])("of the values %j has the range %j with its margin", (values, range) => {
    expect(paddedRange(values)).toEqual(range);
  });
});

describe("the texts of a chart", () => {
  it("move apart in their order", () => {
    expect(spread([10, 12, 40], 13)).toEqual([10, 23, 40]);
    expect(spread([12, 10], 13)).toEqual([23, 10]);
  });

  it("are at least the gap apart, wherever they begin, and none moves up", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 12 }), (positions) => {
        const moved = spread(positions, 13);
        const sorted = [...moved].sort((a, b) => a - b);
        expect(sorted.every((position, index) => index === 0 || position - sorted[index - 1]! >= 13)).toBe(
          true,
        );
        expect(moved.every((position, index) => position >= positions[index]!)).toBe(true);
      }),
    );
  });

  it("below the axis keep both ends, and those between that have room", () => {
    const ticks = [0, 100, 200].map((x) => ({ x, text: `${x}`, width: 40 }));
    expect(fittingTicks(ticks, 200, 8)).toEqual([
      { left: 0, text: "0", width: 40 },
      { left: 80, text: "100", width: 40 },
      { left: 160, text: "200", width: 40 },
    ]);
    const close = ticks.map((tick) => ({ ...tick, x: tick.x / 2 }));
    expect(fittingTicks(close, 100, 8).map(({ left, text }) => [text, left])).toEqual([
      ["0", 0],
      ["200", 60],
    ]);
    expect(fittingTicks(ticks.slice(1, 2), 200, 8).map(({ left }) => left)).toEqual([80]);
    expect(fittingTicks([], 200, 8)).toEqual([]);
  });

  it("below the axis never touch each other nor leave the chart", () => {
    const xs = fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { minLength: 2, maxLength: 9 });
    fc.assert(
      fc.property(xs, fc.integer({ min: 20, max: 90 }), (unsorted, width) => {
        const first = Math.min(...unsorted);
        const all = [...unsorted, first + 200].sort((a, b) => a - b);
        const placed = fittingTicks(
          all.map((x) => ({ x, text: "", width })),
          500,
          8,
        );
        expect(placed.every(({ left }) => left >= 0 && left + width <= 500)).toBe(true);
        expect(
          placed.every(({ left }, index) => index === 0 || left - placed[index - 1]!.left >= width + 8),
        ).toBe(true);
      }),
    );
  });
});

describe("the points of a line", () => {
  it.each([
    [-5, 0],
    [4, 0],
    [5, 10],
    [16, 20],
    [25, 20],
  ])("have the one nearest to %d at %d", (x, found) => {
    expect(nearest(points(0, 10, 20), x)).toEqual({ x: found });
  });

  it("have none that is nearest if there are none", () => {
    expect(nearest([], 1)).toBeUndefined();
  });

  it("have none nearer than the nearest one", () => {
    fc.assert(
      fc.property(fc.array(VALUES, { minLength: 1, maxLength: 20 }), VALUES, (xs, x) => {
        const sorted = [...xs].sort((a, b) => a - b);
        const found = nearest(points(...sorted), x)!;
        expect(Math.abs(found.x - x)).toBe(Math.min(...sorted.map((other) => Math.abs(other - x))));
      }),
    );
  });

  it("are a path", () => {
    expect(
      linePath([
        { x: 1, y: 2 },
        { x: 3.16, y: 4 },
      ]),
    ).toBe("M1.0 2.0L3.2 4.0");
    expect(linePath([])).toBe("");
  });
});
