import { describe, expect, it } from "vitest";
import type { Block } from "../../../src/analytics/conviction/blocks.ts";
import { levelsOf } from "../../../src/analytics/conviction/levels.ts";
import { printAt } from "../../support/prints.ts";

const block = (from: number, price: number, notional = 1e6): Block => ({
  print: printAt(1000 * from, { price }),
  notional,
  days: notional / 1e8,
  from,
});
/** An average true range of 4: a level reaches 1 either way. */
const fours = new Float64Array(20).fill(4);

describe("levelsOf", () => {
  it("moves a level to the mean price by notional with every print within .25 average true ranges", () => {
    expect(levelsOf([block(3, 100), block(5, 101, 3e6), block(6, 101.75, 4e6)], fours)).toEqual([
      {
        firstSeen: 3000,
        steps: [
          { from: 3, price: 100, notional: 1e6, days: 0.01 },
          { from: 5, price: 100.75, notional: 4e6, days: 0.04 },
          { from: 6, price: 101.25, notional: 8e6, days: 0.08 },
        ],
      },
    ]);
  });

  it("begins another beyond that", () => {
    expect(levelsOf([block(3, 100), block(3, 101.001)], fours)).toHaveLength(2);
  });

  it("joins the nearest", () => {
    const levels = levelsOf([block(3, 100), block(3, 101.5), block(4, 100.9)], fours);
    expect(levels.map(({ steps }) => steps.length)).toEqual([1, 2]);
  });

  it("takes prints that count from the same bar as one step", () => {
    expect(levelsOf([block(3, 100), block(3, 101)], fours)[0]!.steps).toEqual([
      { from: 3, price: 100.5, notional: 2e6, days: 0.02 },
    ]);
  });

  it("reads the range of the bar before, and begins nothing without one", () => {
    const ranges = Float64Array.of(Number.NaN, Number.NaN, 0, 4, 8);
    expect(levelsOf([block(1, 100), block(3, 100)], ranges)).toEqual([]);
    expect(levelsOf([block(4, 100), block(4, 101.5)], ranges)).toHaveLength(2);
    expect(levelsOf([block(5, 100), block(5, 101.5)], ranges)).toHaveLength(1);
  });
});
