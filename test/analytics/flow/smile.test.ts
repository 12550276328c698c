import { describe, expect, it } from "vitest";
import { ivAt30Days, type Smile, smilesOf } from "../../../src/analytics/flow/smile.ts";
import { chainOf, option } from "../../support/option-chain.ts";

const smile = (days: number, atm: number | null): Smile => ({
  days,
  atm,
  put: null,
  call: null,
});

describe("the volatility smile of an expiry", () => {
  it("is interpolated at the price between strikes, each the mean of its call and put", () => {
    const [only] = smilesOf(
      chainOf(
        [
          option({ strike: 95, iv: 0.32 }),
          option({ strike: 95, type: "put", iv: 0.28 }),
          option({ strike: 105, iv: 0.2 }),
          option({ strike: 120, iv: 0.9 }),
        ],
        { price: 97.5 },
      ),
    );
    // A quarter of the way from .30 to .20.
    expect(only).toMatchObject({ atm: expect.closeTo(0.275, 12) });
    expect(only!.days).toBeCloseTo(30, 9);
  });

  it("is interpolated at delta .25 of puts and of calls, between the nearest deltas", () => {
    const [only] = smilesOf(
      chainOf([
        option({ type: "put", strike: 80, iv: 0.4, delta: -0.1, gamma: 0 }),
        option({ type: "put", strike: 90, iv: 0.34, delta: -0.2, gamma: 0 }),
        option({ type: "put", strike: 95, iv: 0.3, delta: -0.3, gamma: 0 }),
        option({ strike: 105, iv: 0.24, delta: 0.25, gamma: 0 }),
        option({ strike: 110, iv: 0.1, delta: 0.05, gamma: 0 }),
      ]),
    );
    expect(only).toMatchObject({ put: expect.closeTo(0.32, 12), call: 0.24 });
  });

  it("is null without strikes or deltas on both sides, and without a price", () => {
    const contracts = [option({ strike: 105, iv: 0.2 }), option({ strike: 110, iv: 0.2 })];
    expect(smilesOf(chainOf(contracts))).toMatchObject([{ atm: null, put: null, call: null }]);
    expect(smilesOf(chainOf(contracts, { price: null }))).toEqual([]);
    expect(smilesOf(chainOf([option()]))).toEqual([]);
  });
});

describe("the 30-day volatility", () => {
  it("interpolates variance x time between expiries", () => {
    // (.04 x 20 + half of (.09 x 40 - .04 x 20)) / 30 = 2.2 / 30
    expect(ivAt30Days([smile(20, 0.2), smile(40, 0.3)], "atm")).toBeCloseTo(Math.sqrt(2.2 / 30), 12);
    expect(ivAt30Days([smile(5, 0.9), smile(30, 0.25), smile(60, 0.3)], "atm")).toBeCloseTo(0.25, 12);
  });

  it("uses the nearest expiry 14 to 60 days away if there is none on the other side", () => {
    expect(ivAt30Days([smile(7, 0.5), smile(14, 0.2)], "atm")).toBe(0.2);
    expect(ivAt30Days([smile(60, 0.2), smile(90, 0.5)], "atm")).toBe(0.2);
    expect(ivAt30Days([smile(13, 0.2)], "atm")).toBeNull();
    expect(ivAt30Days([smile(61, 0.2)], "atm")).toBeNull();
    expect(ivAt30Days([smile(20, null), smile(40, 0.3)], "atm")).toBe(0.3);
    expect(ivAt30Days([smile(20, 0.2)], "put")).toBeNull();
  });
});
