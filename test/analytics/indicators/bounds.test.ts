import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { INDICATOR_CASES } from "../../support/indicator-table.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";

/** Exact bounds, and how far rounding may leave them. */
const BOUNDS: Readonly<Record<string, readonly [low: number, high: number, slack: number]>> = {
  rsi: [0, 100, 0],
  mfi: [0, 100, 0],
  williams_r: [-100, 0, 0],
  "percent-rank": [0, 1, 0],
  cmf: [-1, 1, 1e-12],
  stoch_k: [0, 100, 1e-9],
  adx: [0, 100, 1e-9],
  choppiness: [0, 100, 1e-9],
};

const MARKETS = fc.sample(fc.integer({ min: 1, max: 1e9 }), 50).map((seed) => syntheticBars(seed, 300));

describe.each(INDICATOR_CASES.filter(({ name }) => name in BOUNDS))("$name", ({ name: indicator, of }) => {
  it("stays within its bounds", () => {
    const [low, high, slack] = BOUNDS[indicator]!;
    for (const bars of MARKETS)
      for (const [name, column] of Object.entries(of(bars))) {
        const known = column.filter((value) => !Number.isNaN(value));
        expect(Math.min(...known), name).toBeGreaterThanOrEqual(low - slack);
        expect(Math.max(...known), name).toBeLessThanOrEqual(high + slack);
      }
  });
});
