import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../src/analytics/backtest/random.ts";
import { simulatePaths } from "../../../src/analytics/odds/paths.ts";
import { rangeModel } from "../../../src/analytics/odds/range-model.ts";
import { oddsKelly, oddsKellySteps } from "../../../src/analytics/sizing/odds-kelly.ts";
import { climbingBars } from "../../support/market.ts";

describe("oddsKelly", () => {
  it("is the mean of R over the mean of its square", () => {
    // results 2, -1, -1, .5: mean .125, of squares (4 + 1 + 1 + .25) / 4 = 1.5625
    expect(oddsKelly({ expectedR: 0.125, meanSquaredR: 1.5625 })).toBe(0.08);
    expect(oddsKelly({ expectedR: -0.2, meanSquaredR: 1.6 })).toBe(-0.125);
    expect(oddsKelly({ expectedR: 0, meanSquaredR: 0 })).toBeNull();
  });

  it("is shown in steps that say that no size follows", () => {
    const drift = "the assumed drift of 0 % a year";
    const steps = oddsKellySteps({ paths: 4_000, drift: 0, expectedR: 0.125, meanSquaredR: 1.5625 });
    expect(steps).toEqual([
      {
        step: "expected_r",
        formula: `mean R of 4000 simulated paths; it follows from the plan's shape and ${drift} and is no edge`,
        value: "0.125",
      },
      { step: "mean_r_squared", formula: "mean of R x R of the same paths", value: "1.5625" },
      { step: "kelly", formula: "expected_r / mean_r_squared; not used for the size", value: "0.08" },
    ]);
    const still = oddsKellySteps({ paths: 4_000, drift: 0, expectedR: 0, meanSquaredR: 0 });
    expect(still.map(({ step }) => step)).toEqual(["expected_r", "mean_r_squared"]);
  });
});

describe("the results of paths", () => {
  it.each(["LONG", "SHORT"] as const)(
    "add up to those of their closes for a %s that ends at none",
    (side) => {
      const away = side === "LONG" ? 1 : -1;
      // a stop at half the price (a short's at one and a half times), and a target that no path reaches
      const stop = Math.log(1 - 0.5 * away);
      const { ends, plan } = simulatePaths(rangeModel(climbingBars()), {
        paths: 200,
        drift: 0,
        random: seededRandom(7),
        horizons: [20],
        plan: { side, stop, target: Math.log(1 + 0.9 * away) },
      });
      const results = [...ends[0]!.close].map((close) => (away * (Math.exp(close) - 1)) / 0.5);
      expect(plan).toMatchObject({ stop: 0, target: 0, neither: 200 });
      // paths.test.ts holds the spread, half the variance of the open bars, to plain paths; these bars hardly vary
      const spread = away * (results.reduce((sum, r) => sum + r, 0) - plan!.sumR);
      expect(spread).toBeGreaterThan(0);
      expect(spread).toBeLessThan(1e-5);
      expect(plan!.sumNeitherR).toBe(plan!.sumR);
      expect(plan!.sumSquaredR).toBeCloseTo(
        results.reduce((sum, r) => sum + r * r, 0),
        6,
      );
    },
  );
});
