import { describe, expect, it } from "vitest";
import { contributionOf, verdictWithout } from "../../../src/analytics/explain/contributions.ts";
import { findMinimalRemoval } from "../../../src/analytics/explain/minimal-removal.ts";
import { computeVerdict } from "../../../src/analytics/score/verdict.ts";
import { driverValues, planOf } from "../../support/driver-values.ts";

const of = (count: number, value: number) => new Array(count).fill(value);

function fewestOf(values: Parameters<typeof driverValues>[0], reward = 2) {
  const drivers = driverValues(values);
  const { groups, direction } = computeVerdict(drivers, 500, planOf(reward));
  const known = drivers.map((driver) => ({
    ...driver,
    weight: contributionOf(driver, groups).weight,
    without: verdictWithout(driver.id, drivers, 500, planOf(reward)),
  }));
  return { direction, found: findMinimalRemoval(direction, known, 500, planOf(reward)) };
}

describe("findMinimalRemoval", () => {
  it("returns the single driver that determines the direction", () => {
    // Price groups at .22 and news of 1 with weight .04 make .26; without news .22, without any one price driver still
    // .26.
    const { direction, found } = fewestOf({
      trend: of(7, 0.22),
      momentum: of(5, 0.22),
      volume: of(5, 0.22),
      relative_strength: of(3, 0.22),
      volatility: of(3, 0.22),
      news: [1],
    });
    expect(direction).toBe("LONG");
    expect(found).toEqual({ drivers: ["n_sent"], direction: "WAIT", reason: null });
  });

  it("returns the lightest pair if no single driver suffices", () => {
    // .22 + .04 + .03 = .29: .25 without news and .26 without markets are still LONG, .22 without both is not. Any
    // other pair with news weighs more or, since a price driver does not change its group's mean, leaves .25.
    const { direction, found } = fewestOf({
      trend: of(7, 0.22),
      momentum: of(5, 0.22),
      volume: of(5, 0.22),
      relative_strength: of(3, 0.22),
      volatility: of(3, 0.22),
      news: [1],
      markets: [1],
    });
    expect(direction).toBe("LONG");
    expect(found).toEqual({ drivers: ["n_sent", "k_mkt"], direction: "WAIT", reason: null });
  });

  it("reports that no pair of drivers suffices", () => {
    const { direction, found } = fewestOf({
      trend: of(7, 0.9),
      momentum: of(5, 0.9),
      volume: of(5, 0.9),
      relative_strength: of(3, 0.9),
      volatility: of(3, 0.9),
    });
    expect(direction).toBe("LONG");
    expect(found).toEqual({
      drivers: null,
      direction: null,
      reason: "Removing any one or two drivers does not change the direction",
    });
  });

  it("returns null if the levels give WAIT whatever the drivers", () => {
    expect(
      fewestOf({ trend: of(7, 0.9), momentum: of(5, 0.9), volume: of(5, 0.9) }, 1).found.drivers,
    ).toBeNull();
  });
});
