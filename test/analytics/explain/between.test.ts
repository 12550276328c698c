import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { driverContext } from "../../../src/analytics/drivers/context.ts";
import { between, sumsBetween } from "../../../src/analytics/explain/between.ts";
import { kinksOf } from "../../../src/analytics/explain/kinks.ts";
import { movedClose } from "../../../src/analytics/explain/moved-close.ts";
import { inputFor } from "../../support/consensus-input.ts";
import { wildBars } from "../../support/wild-bars.ts";

const share = fc.double({ min: 0, max: 1, noNaN: true });
const bars = fc.record({
  seed: fc.integer({ min: 1, max: 9999 }),
  /** Ranges of the last bars, in usual ones: some gap and some do not trade at all. */
  last: fc.array(fc.double({ min: 0, max: 25, noNaN: true }), { minLength: 1, maxLength: 6 }),
});

describe("between", () => {
  it("holds every verdict between two closes that have no kink between them", () => {
    fc.assert(
      fc.property(
        bars,
        share,
        share,
        fc.array(share, { minLength: 8, maxLength: 8 }),
        (made, a, b, inside) => {
          const input = inputFor(wildBars(made.seed, 320, made.last));
          const { close, stage } = driverContext(input.bars, input.assetClass);
          const lookAt = movedClose(input, stage);
          const places = [0.7 * close, ...kinksOf(input.bars), close, 1.3 * close]
            .filter((price) => price >= 0.7 * close && price <= 1.3 * close)
            .sort((one, other) => one - other);
          const piece = Math.min(places.length - 2, Math.floor(a * (places.length - 1)));
          const nudge = 1e-9 * close;
          const [first, last] = [places[piece]! + nudge, places[piece + 1]! - nudge];
          if (last <= first) return;
          // the longest piece that starts anywhere, and a short one
          for (const width of [1, 0.01]) {
            const [low, high] = [first, first + width * (last - first)].map((x) => x + b * 0.3 * (last - x));
            const [one, other] = [lookAt(low!), lookAt(high!)];
            const bounds = between(one, other);
            const sums = sumsBetween(one, other);
            if (bounds === null || sums === null) continue;
            for (const part of inside) {
              const look = lookAt(low! + part * (high! - low!));
              expect(look.verdict.sum).toBeGreaterThanOrEqual(sums[0]);
              expect(look.verdict.sum).toBeLessThanOrEqual(sums[1]);
              expect(bounds.directions).toContain(look.verdict.direction);
              expect(look.rank).toBeGreaterThanOrEqual(bounds.ranks[0]);
              expect(look.rank).toBeLessThanOrEqual(bounds.ranks[1]);
            }
          }
        },
      ),
      { numRuns: 120 },
    );
  });
});
