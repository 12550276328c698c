import { describe, expect, it } from "vitest";
import { contributionOf } from "../../../src/analytics/explain/contributions.ts";
import { sumGroups } from "../../../src/analytics/score/groups.ts";
import { driverValues } from "../../support/driver-values.ts";

const of = (count: number, value: number) => new Array(count).fill(value);

describe("contributionOf", () => {
  // Trend and momentum present: 25 and 20 of 45; trend over 5 drivers, momentum over 4, news as a tilt of .04.
  const drivers = driverValues({ trend: of(5, 0.5), momentum: of(4, -1), volume: [1], news: [0.25] });
  const { groups, sum } = sumGroups(drivers);
  const contributions = drivers.map((driver) => contributionOf(driver, groups));
  const at = (id: string) => contributions[drivers.findIndex((driver) => driver.id === id)]!;

  it("divides a group's effective weight among its available drivers", () => {
    expect(at("t_ma200").weight).toBeCloseTo(25 / 45 / 5, 15);
    expect(at("t_ma200").contribution).toBeCloseTo(25 / 45 / 5 / 2, 15);
    expect(at("m_rsi").contribution).toBeCloseTo(-20 / 45 / 4, 15);
    expect(at("n_sent")).toEqual({ weight: 0.04, contribution: 0.01 });
  });

  it("gives no weight to a driver without a value, nor to one whose group is absent", () => {
    expect(at("t_reg")).toEqual({ weight: 0, contribution: null });
    expect(at("v_obv")).toEqual({ weight: 0, contribution: 0 });
  });

  it("adds up to the unclipped sum, with price driver weights that sum to 1", () => {
    const total = contributions.reduce((all, { contribution }) => all + (contribution ?? 0), 0);
    expect(total).toBeCloseTo(sum!, 14);
    expect(contributions.reduce((all, { weight }) => all + weight, 0)).toBeCloseTo(1.04, 14);
  });
});
