import { describe, expect, it } from "vitest";
import { ticksAt } from "../../../src/analytics/explain/ticks.ts";

describe("ticksAt", () => {
  it.each([
    [137.38, "equity", 0.01],
    [1, "etf", 0.01],
    [0.9, "equity", 0.00001],
    [61_234.56, "crypto", 0.01],
    [2.1534, "crypto", 0.0001],
    [0.0000123, "crypto", 1e-9],
  ] as const)("steps from %d of %s by %d", (price, assetClass, tick) => {
    expect(ticksAt(price, assetClass).tick).toBe(tick);
  });

  it("names prices by the double nearest to their decimals", () => {
    const { priceOf, placeOf } = ticksAt(0.3, "equity");
    expect([priceOf(30_001), placeOf(0.30001)]).toEqual([0.30001, 30_001]);
    const cents = ticksAt(137, "equity");
    // 137.38 x 100 is 13737.999999999998 in doubles
    expect([cents.priceOf(13_738), cents.placeOf(137.38)]).toEqual([137.38, 13_738]);
    expect(cents.placeOf(137.375)).toBe(13_737.5);
  });
});
