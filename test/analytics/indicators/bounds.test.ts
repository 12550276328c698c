import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { INDICATORS } from "../../support/indicator-table.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";

/** Exact bounds, and how far rounding may leave them. */
const BOUNDS: Readonly<Record<string, readonly [low: number, high: number, slack: number]>> = {
  rsi: [0, 100, 0],
  mfi: [0, 100, 0],
  "williams-r": [-100, 0, 0],
  "position-52w": [0, 1, 0],
  "percent-rank": [0, 1, 0],
  cmf: [-1, 1, 1e-12],
  stochastic: [0, 100, 1e-9],
  adx: [0, 100, 1e-9],
  choppiness: [0, 100, 1e-9],
};

describe.each(INDICATORS.filter(({ file }) => file in BOUNDS))("$file", ({ file, of }) => {
  it("stays within its bounds", () => {
    const [low, high, slack] = BOUNDS[file]!;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), (seed) => {
        for (const [name, column] of Object.entries(of(syntheticBars(seed, 300)))) {
          const known = column.filter((value) => !Number.isNaN(value));
          expect(Math.min(...known), name).toBeGreaterThanOrEqual(low - slack);
          expect(Math.max(...known), name).toBeLessThanOrEqual(high + slack);
        }
      }),
      { numRuns: 50 },
    );
  });
});
