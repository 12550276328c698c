import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sumGroups } from "../../../src/analytics/score/groups.ts";
import { driverValues, unanimous } from "../../support/driver-values.ts";

const of = (count: number, value: number) => new Array(count).fill(value);
const group = (values: Parameters<typeof driverValues>[0], name: string) =>
  sumGroups(driverValues(values)).groups.find((one) => one.group === name)!;

describe("sumGroups", () => {
  it("gives the nine groups weights that sum to exactly 1, and the five price groups .8", () => {
    const { groups } = sumGroups(unanimous(1));
    expect(groups.map(({ weight }) => weight)).toEqual([0.25, 0.2, 0.15, 0.15, 0.05, 0.05, 0.08, 0.04, 0.03]);
    expect(groups.map(({ of }) => of)).toEqual([7, 5, 5, 3, 3, 2, 2, 1, 1]);
    expect(sumGroups(unanimous(1)).coverage).toBe(0.8);
  });

  it.each([
    { of: 7, name: "trend", least: 4 },
    { of: 5, name: "momentum", least: 3 },
    { of: 3, name: "volatility", least: 2 },
    { of: 2, name: "options", least: 1 },
    { of: 1, name: "news", least: 1 },
  ])("has $name from $least of $of drivers on", ({ name, least }) => {
    expect(group({ [name]: of(least, 0.5) }, name)).toMatchObject({ value: 0.5, present: least });
    expect(group({ [name]: of(least - 1, 0.5) }, name)).toMatchObject({ value: null, effective_weight: 0 });
  });

  it("averages the available drivers", () => {
    expect(group({ trend: [1, 0.5, 0, -0.5] }, "trend").value).toBe(0.25);
  });

  it("renormalises the price groups over the available ones: (25 x 1 + 20 x -.5) / 45", () => {
    const { sum, coverage } = sumGroups(driverValues({ trend: of(7, 1), momentum: of(5, -0.5) }));
    expect(sum).toBeCloseTo(15 / 45, 15);
    expect(coverage).toBe(0.45);
  });

  it("adds optional groups as a tilt without reducing the other weights", () => {
    const price = {
      trend: of(7, 0.4),
      momentum: of(5, 0.4),
      volume: of(5, 0.4),
      relative_strength: of(3, 0.4),
    };
    expect(sumGroups(driverValues(price)).sum).toBeCloseTo(0.4, 15);
    const { sum, coverage } = sumGroups(driverValues({ ...price, options: [1, 0.5], markets: [-1] }));
    expect(sum).toBeCloseTo(0.4 + 0.08 * 0.75 - 0.03, 15);
    expect(coverage).toBe(0.86);
  });

  it("is null without a price group, whatever else is available", () => {
    expect(
      sumGroups(driverValues({ dark_pool: [1, 1], options: [1, 1], news: [1], markets: [1] })),
    ).toMatchObject({
      sum: null,
      coverage: 0.2,
    });
  });

  it("exceeds 1 by at most the weight of the tilt", () => {
    const value = fc.double({ min: -1, max: 1, noNaN: true });
    const part = (max: number) => fc.array(value, { maxLength: max });
    fc.assert(
      fc.property(
        part(7),
        part(5),
        part(5),
        part(3),
        part(3),
        part(2),
        (trend, momentum, volume, relative_strength, volatility, options) => {
          const { sum } = sumGroups(
            driverValues({ trend, momentum, volume, relative_strength, volatility, options }),
          );
          expect(Math.abs(sum ?? 0)).toBeLessThanOrEqual(1.08 + 1e-12);
        },
      ),
    );
  });
});
