import { describe, expect, it } from "vitest";
import { controlsOf } from "../../../src/analytics/conviction/levels.ts";
import { barsAround } from "../../support/synthetic-bars.ts";

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
  it("lies as many ranges from the close as the level's first price, ten bars before and after", () => {
    // from 20: close 119, range 3.9, price 1.5 ranges below; ten bars before 109 and 2.9, after 129 and 4.9
    const controls = controlsOf([level(20, 119 - 1.5 * 3.9)], bars, ranges);
    expect(controls.map(([step]) => [step!.from, step!.days])).toEqual([
      [10, 1],
      [30, 1],
    ]);
    expect(controls[0]![0]!.price).toBeCloseTo(109 - 1.5 * 2.9, 10);
    expect(controls[1]![0]!.price).toBeCloseTo(129 - 1.5 * 4.9, 10);
  });

  it("leaves out those beyond the bars", () => {
    expect(controlsOf([level(8, 107)], bars, ranges).map(([step]) => step!.from)).toEqual([18]);
    expect(controlsOf([level(35, 134)], bars, ranges).map(([step]) => step!.from)).toEqual([25]);
  });

  it("leaves out those that are the level itself", () => {
    const still = barsAround(new Array(40).fill(100));
    expect(controlsOf([level(20, 100)], still, ranges)).toEqual([]);
  });
});
