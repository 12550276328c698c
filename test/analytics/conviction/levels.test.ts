import { describe, expect, it } from "vitest";
import type { Block } from "../../../src/analytics/conviction/blocks.ts";
import { controlsOf, levelsOf } from "../../../src/analytics/conviction/levels.ts";
import { printAt } from "../../support/prints.ts";
import { barsAround } from "../../support/synthetic-bars.ts";

const block = (from: number, price: number, notional = 1e6): Block => ({
  print: printAt(1000 * from, { price }),
  notional,
  days: notional / 1e8,
  from,
});
/** An average true range of 4: a level covers 1 either way. */
const fours = new Float64Array(20).fill(4);

describe("levelsOf", () => {
  it("moves a level to the notional-weighted mean of prints within .25 average true ranges", () => {
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

  it("starts another level beyond that distance", () => {
    expect(levelsOf([block(3, 100), block(3, 101.001)], fours)).toHaveLength(2);
  });

  it("adds a print to the nearest level", () => {
    const levels = levelsOf([block(3, 100), block(3, 101.5), block(4, 100.9)], fours);
    expect(levels.map(({ steps }) => steps.length)).toEqual([1, 2]);
  });

  it("combines prints that count from the same bar into one step", () => {
    expect(levelsOf([block(3, 100), block(3, 101)], fours)[0]!.steps).toEqual([
      { from: 3, price: 100.5, notional: 2e6, days: 0.02 },
    ]);
  });

  it("uses the range of the previous bar, and starts no level without one", () => {
    const ranges = Float64Array.of(Number.NaN, Number.NaN, 0, 4, 8);
    expect(levelsOf([block(1, 100), block(3, 100)], ranges)).toEqual([]);
    expect(levelsOf([block(4, 100), block(4, 101.5)], ranges)).toHaveLength(2);
    expect(levelsOf([block(5, 100), block(5, 101.5)], ranges)).toHaveLength(1);
  });
});

/** Closes 100, 101 ...; ranges 2, 2.1 ... */
const bars = barsAround(Array.from({ length: 40 }, (_, i) => 100 + i));
const ranges = Float64Array.from({ length: 40 }, (_, i) => 2 + i / 10);
const level = (from: number, price: number) => ({
  firstSeen: 0,
  steps: [
    { from, price, notional: 1e6, days: 0.5 },
    { from: from + 1, price: price + 1, notional: 2e6, days: 1 },
  ],
});

describe("controlsOf", () => {
  it("lies at the same distance in ranges from the close as the level, ten bars before and after", () => {
    // From bar 20: close 119, range 3.9, price 1.5 ranges below. Ten bars before: 109 and 2.9; ten after: 129 and 4.9.
    const controls = controlsOf([level(20, 119 - 1.5 * 3.9)], bars, ranges);
    expect(controls.map(([step]) => [step!.from, step!.days])).toEqual([
      [10, 1],
      [30, 1],
    ]);
    expect(controls[0]![0]!.price).toBeCloseTo(109 - 1.5 * 2.9, 10);
    expect(controls[1]![0]!.price).toBeCloseTo(129 - 1.5 * 4.9, 10);
  });

  it("omits controls beyond the bars", () => {
    expect(controlsOf([level(8, 107)], bars, ranges).map(([step]) => step!.from)).toEqual([18]);
    expect(controlsOf([level(35, 134)], bars, ranges).map(([step]) => step!.from)).toEqual([25]);
  });

  it("omits controls within reach of the level itself", () => {
    const still = barsAround(new Array(40).fill(100));
    expect(controlsOf([level(20, 100)], still, ranges)).toEqual([]);
  });
});
