import { describe, expect, it } from "vitest";
import { flipReason } from "../../../src/analytics/explain/flip.ts";
import { ticksAt } from "../../../src/analytics/explain/ticks.ts";
import { computeVerdict } from "../../../src/analytics/score/verdict.ts";
import { planOf, unanimous } from "../../support/driver-values.ts";

const at = (s: number, reward = 2) => computeVerdict(unanimous(s), 500, planOf(reward));

describe("flipReason", () => {
  // With all drivers at one value, the sum is that value; the thresholds lie at 50 +- 50 x .25.
  it.each([
    [0.3, 0.2, "The score falls below 62.5"],
    [-0.3, -0.2, "The score rises above 37.5"],
    [0.2, 0.3, "The score reaches 62.5"],
    [0.3, -0.3, "The score falls to 37.5"],
    [-0.3, 0.3, "The score reaches 62.5"],
  ])("names the mark passed between %d and %d", (from, to, words) => {
    expect(flipReason(at(from), at(to))).toBe(words);
  });

  it("explains a flip caused by levels alone, in both directions", () => {
    expect(flipReason(at(0.3), at(0.31, 1.49))).toBe(
      "Only the levels change, as reward to risk 1.49 is under 1.5",
    );
    expect(flipReason(at(-0.3, 1.2), at(-0.3, 1.51))).toBe(
      "Only the levels change, as reward to risk 1.51 reaches 1.5",
    );
    const none = computeVerdict(unanimous(0.3), 500, () => ({
      levels: null,
      reason: "The average true range is 0",
    }));
    expect(flipReason(at(0.3), none)).toBe("Only the levels change, as the average true range is 0");
  });

  it("explains a flip caused by the loss of the score", () => {
    expect(flipReason(at(0.3), computeVerdict([], 500, planOf(2)))).toBe(
      "A score needs drivers for 60% of the weight, there are 0%",
    );
  });
});

describe("ticksAt", () => {
  it.each([
    [137.38, "equity", 0.01],
    [1, "etf", 0.01],
    [0.9, "equity", 0.0001],
    [61_234.56, "crypto", 0.01],
    [2.1534, "crypto", 0.0001],
    [0.0000123, "crypto", 1e-9],
  ] as const)("steps from %d of %s by %d", (price, assetClass, tick) => {
    expect(ticksAt(price, assetClass).tick).toBe(tick);
  });

  it("returns the double nearest to each decimal price", () => {
    const { priceOf, tickIndexOf } = ticksAt(0.3, "crypto");
    expect([priceOf(30_001), tickIndexOf(0.30001)]).toEqual([0.30001, 30_001]);
    const cents = ticksAt(137, "equity");
    // 137.38 x 100 is 13737.999999999998 in doubles.
    expect([cents.priceOf(13_738), cents.tickIndexOf(137.38)]).toEqual([137.38, 13_738]);
    expect(cents.tickIndexOf(137.375)).toBe(13_737.5);
  });
});
