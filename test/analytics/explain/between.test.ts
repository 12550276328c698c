import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { driverContext } from "../../../src/analytics/drivers/context.ts";
import { between, valuesBetween } from "../../../src/analytics/explain/between.ts";
import { kinksOf } from "../../../src/analytics/explain/kinks.ts";
import { type Look, movedClose } from "../../../src/analytics/explain/moved-close.ts";
import { inputFor } from "../../support/consensus-input.ts";
import { wildBars } from "../../support/wild-bars.ts";

const share = fc.double({ min: 0, max: 1, noNaN: true });
const made = fc.record({
  seed: fc.integer({ min: 1, max: 9999 }),
  /** Ranges of the last bars, in usual ones: some gap and some do not trade at all. */
  last: fc.array(fc.double({ min: 0, max: 25, noNaN: true }), { maxLength: 6 }),
  /** Where within each piece the two looks are, and others between them. */
  ends: fc.tuple(share, share),
  inside: fc.array(share, { minLength: 3, maxLength: 3 }),
});
const ROUNDING = 1e-9;

/** Every driver, grade and direction of a look lies within what its ends say. */
function expectWithin(look: Look, low: Look, high: Look): void {
  for (const [i, { id, value }] of look.drivers.entries()) {
    const known = low.drivers[i]!.value !== null && high.drivers[i]!.value !== null;
    expect(value !== null, id).toBe(known);
    if (value === null) continue;
    const [least, most] = valuesBetween(low, high, i);
    expect(value, id).toBeGreaterThanOrEqual(least - ROUNDING);
    expect(value, id).toBeLessThanOrEqual(most + ROUNDING);
  }
  const bounds = between(low, high)!;
  expect(bounds.directions).toContain(look.verdict.direction);
  expect(look.rank).toBeGreaterThanOrEqual(bounds.ranks[0]);
  expect(look.rank).toBeLessThanOrEqual(bounds.ranks[1]);
}

describe("between", () => {
  it("holds every driver and verdict between two closes that have no kink between them", () => {
    fc.assert(
      fc.property(made, ({ seed, last, ends, inside }) => {
        const input = inputFor(wildBars(seed, 320, last));
        const { close, stage } = driverContext(input.bars, input.assetClass);
        const lookAt = movedClose(input, stage);
        const [bottom, top] = [0.7 * close, 1.3 * close];
        const { bends, jumps } = kinksOf(input.bars);
        const kinks = [bottom, ...bends, ...jumps, close, top]
          .filter((price) => price >= bottom && price <= top)
          .sort((one, other) => one - other);
        for (let piece = 1; piece < kinks.length; piece++) {
          const nudge = ROUNDING * close;
          const [start, width] = [kinks[piece - 1]! + nudge, kinks[piece]! - kinks[piece - 1]! - 2 * nudge];
          if (width <= 0) continue;
          const [low, high] = [...ends].sort((a, b) => a - b).map((end) => lookAt(start + end * width));
          for (const part of inside)
            expectWithin(lookAt(low!.close + part * (high!.close - low!.close)), low!, high!);
        }
      }),
      { numRuns: 60 },
    );
  });
});
