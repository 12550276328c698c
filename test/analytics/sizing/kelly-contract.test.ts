import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stakeInContract } from "../../../src/analytics/sizing/kelly-contract.ts";

describe("stakeInContract", () => {
  it("buys the side that is worth more than it costs", () => {
    // (.5 - .4) / .6 = .166667, a quarter .041667, capped at .01
    expect(stakeInContract(0.4, 0.5)).toMatchObject({ side: "YES", share: 0.01 });
    // (.4 - .396) / .4 = .01, a quarter of it
    const no = stakeInContract(0.4, 0.396);
    expect(no.side).toBe("NO");
    expect(no.share).toBeCloseTo(0.0025, 12);
    expect(no.steps.map(({ step }) => step)).toEqual(["price", "belief", "kelly", "part", "share"]);
  });

  it("buys nothing at the price believed", () => {
    expect(stakeInContract(0.3, 0.3)).toMatchObject({
      side: null,
      share: 0,
      reason: "the belief is the price: there is no edge",
    });
  });

  it("mirrors: NO at a price is YES at the rest of it", () => {
    const chance = fc.double({ min: 0.01, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(chance, chance, (price, belief) => {
        const [one, other] = [stakeInContract(price, belief), stakeInContract(1 - price, 1 - belief)];
        expect(other.share).toBeCloseTo(one.share, 9);
      }),
    );
  });

  it("refuses what is no chance", () => {
    expect(() => stakeInContract(1, 0.5)).toThrow("price is 1, not between 0 and 1");
    expect(() => stakeInContract(0.5, Number.NaN)).toThrow(RangeError);
  });
});
