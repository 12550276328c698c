import { describe, expect, it } from "vitest";
import { GAP_SHARE, shocks } from "../../../src/providers/sample/shocks.ts";

const meanSquare = (values: readonly number[]) => values.reduce((sum, x) => sum + x * x, 0) / values.length;

describe("shocks", () => {
  it("do not depend on the steps in which their days are generated", () => {
    const [atOnce, inSteps] = [shocks(5, 0.2, 252), shocks(5, 0.2, 252)];
    atOnce.reach(400);
    for (const days of [1, 100, 99, 400, 3]) inSteps.reach(days);
    expect(inSteps.gap).toEqual(atOnce.gap);
    expect(inSteps.session).toEqual(atOnce.session);
    expect(inSteps.spread).toEqual(atOnce.spread);
    expect(atOnce.gap).toHaveLength(400);
  });

  it("have the given annual volatility, split between overnight and session moves", () => {
    const source = shocks(5, 0.2, 252);
    source.reach(40_000);
    const [night, session] = [meanSquare(source.gap), meanSquare(source.session)];
    expect(Math.sqrt((night + session) * 252)).toBeCloseTo(0.2, 1.5);
    expect(night / (night + session)).toBeCloseTo(GAP_SHARE, 1.5);
  });
});
