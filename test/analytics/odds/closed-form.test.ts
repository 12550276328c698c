import { describe, expect, it } from "vitest";
import { CLOSED_FORM_BARS, closedFormVolatility } from "../../../src/analytics/odds/closed-form.ts";
import { sliceBars } from "../../../src/domain/market/bars.ts";
import { barsAround, syntheticBars } from "../../support/synthetic-bars.ts";
import { plainVariances, usualOf } from "./plain.ts";

describe("the volatility in closed form", () => {
  it("is known by hand where every bar has the same range", () => {
    // half the range of 80 % is exp(b0 + b1 ln .02 + b2 x / 2), x = ln(.02^2 / (4 ln 2))
    const bars = barsAround(new Array<number>(300).fill(100), {
      high: new Array<number>(300).fill(100 * Math.exp(0.02)),
    });
    const expected = [
      0.606 - 3.912023 * 0.849 - 4.421914 * 0.104,
      1.211 - 3.912023 * 0.704 - 4.421914 * 0.209,
    ];
    expect(closedFormVolatility(bars, 2, 5)).toBeCloseTo(Math.exp(expected[0]!) / 1.2815516, 7);
    expect(closedFormVolatility(bars, 2, 20)).toBeCloseTo(Math.exp(expected[1]!) / 1.2815516, 7);
  });

  it("reads the mean of 250 log volatilities and the range of the last bars", () => {
    const weights = { 5: [0.606, 0.849, 0.104], 20: [1.211, 0.704, 0.209], 60: [1.605, 0.566, 0.295] };
    for (const count of [130, 251, 400]) {
      const bars = syntheticBars(count, count);
      const volatility = usualOf(plainVariances(bars).slice(-250)) / 2;
      const atr = 0.03 * bars.close.at(-1)!;
      for (const horizon of CLOSED_FORM_BARS) {
        const [constant, range, mean] = weights[horizon];
        const half = Math.exp(constant! + range! * Math.log(0.03) + mean! * volatility);
        expect(closedFormVolatility(bars, atr, horizon)).toBeCloseTo(half / 1.2815515655446004, 10);
      }
    }
  });

  it("does not read bars before the newest 251", () => {
    const bars = syntheticBars(1, 600);
    const newest = sliceBars(bars, 349);
    for (const horizon of CLOSED_FORM_BARS) {
      expect(closedFormVolatility(bars, 1, horizon)).toBe(closedFormVolatility(newest, 1, horizon));
      expect(closedFormVolatility(sliceBars(bars, 350), 1, horizon)).not.toBe(
        closedFormVolatility(newest, 1, horizon),
      );
    }
  });
});
