import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { levelsFor } from "../../../src/analytics/levels/levels.ts";
import type { Pivot } from "../../../src/analytics/levels/zigzag.ts";
import { barsAround } from "../../support/synthetic-bars.ts";

const at100 = barsAround(new Array(20).fill(100));
const pivot: Pivot = { kind: "high", price: 106.25, index: 5, confirmedAt: 9 };

describe("levelsFor", () => {
  it("plans a purchase: zone 100 +- .5, stop 3 below, targets 6, 9.5 and 13 above the zone (ATR14 2)", () => {
    const { levels } = levelsFor("LONG", at100, 2, [{ ...pivot, price: 106.5 }]);
    expect(levels).toEqual({
      side: "LONG",
      atr14: 2,
      entry: { low: 99.5, high: 100.5 },
      stop: 97,
      targets: [106.5, 110, 113.5],
      target_basis: "pivot",
      reward_to_risk: 6 / 3.5,
      break_even_win_rate: 3.5 / 9.5,
    });
  });

  it("mirrors the plan for a sale", () => {
    const { levels } = levelsFor("SHORT", at100, 2, []);
    expect(levels).toMatchObject({
      entry: { low: 99.5, high: 100.5 },
      stop: 103,
      targets: [91.5, 88, 84.5],
      target_basis: "reach",
      reward_to_risk: 8 / 3.5,
    });
  });

  it("is null without a range", () => {
    expect(levelsFor("LONG", at100, Number.NaN, [])).toEqual({
      levels: null,
      reason: "Too few bars for an average true range: 15 are needed",
    });
    expect(levelsFor("LONG", at100, 0, [])).toEqual({ levels: null, reason: "The average true range is 0" });
  });

  it("omits a sale's targets that are not above 0", () => {
    // ATR14 16: stop 24 from the close, 28 from the zone; first target 96 - 64 = 32, then 4, then below 0.
    expect(levelsFor("SHORT", at100, 16, []).levels!.targets).toEqual([32, 4]);
    expect(levelsFor("SHORT", at100, 20, []).levels!.targets).toEqual([15]);
  });

  it("is null if a stop or the first target would not be above 0", () => {
    const reason = "The average true range is too wide relative to the price for a stop and a target above 0";
    expect(levelsFor("SHORT", at100, 24, [])).toEqual({ levels: null, reason });
    expect(levelsFor("LONG", at100, 67, [])).toEqual({ levels: null, reason });
    expect(levelsFor("LONG", at100, 66, []).levels!.stop).toBe(1);
  });

  it("orders stop, zone and targets correctly in any market", () => {
    const price = fc.double({ min: 1, max: 1000, noNaN: true });
    const swing = fc.record({ kind: fc.constantFrom("high" as const, "low" as const), price });
    const market = fc.array(price, { minLength: 15, maxLength: 40 });
    fc.assert(
      fc.property(
        market,
        fc.double({ min: 1e-3, max: 300, noNaN: true }),
        fc.array(swing),
        (closes, a, swings) => {
          const bars = barsAround(closes, {
            high: closes.map((c) => c * 1.02),
            low: closes.map((c) => c * 0.98),
          });
          const pivots = swings.map((one) => ({ ...one, index: 3, confirmedAt: 5 }));
          for (const side of ["LONG", "SHORT"] as const) {
            const { levels } = levelsFor(side, bars, a, pivots);
            if (levels === null) continue;
            const { stop, entry, targets, reward_to_risk } = levels;
            const path =
              side === "LONG"
                ? [stop, entry.low, entry.high, ...targets]
                : [...targets.toReversed(), entry.low, entry.high, stop];
            expect(path[0]).toBeGreaterThan(0);
            path.slice(1).forEach((level, i) => {
              expect(level).toBeGreaterThan(path[i]!);
            });
            expect(targets.length).toBeGreaterThanOrEqual(1);
            expect(reward_to_risk).toBeGreaterThan(0);
          }
        },
      ),
    );
  });
});
