import { describe, expect, it } from "vitest";
import { macd } from "../../../src/analytics/indicators/macd.ts";
import { cci, rsi, stochastic, williamsR } from "../../../src/analytics/indicators/oscillators.ts";
import { roc, trix } from "../../../src/analytics/indicators/roc.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("rsi", () => {
  it("compares average gains with average losses", () => {
    // +3, -1: gain 1.5, loss .5; then -1: gain .75, loss .75
    expect(rsi(of(1, 4, 3, 2), 2)).toEqual(of(none, none, 75, 50));
  });

  it.each([
    { market: "only rising", closes: [1, 2, 4, 7], last: 100 },
    { market: "only falling", closes: [7, 4, 2, 1], last: 0 },
    { market: "flat", closes: [2, 2, 2, 2], last: 50 },
  ])("reads $last in a market that is $market", ({ closes, last }) => {
    expect(rsi(of(...closes), 2).at(-1)).toBe(last);
  });
});

describe("stochastic", () => {
  const [high, low, close] = [of(10, 12, 14), of(6, 8, 9), of(8, 9, 12.5)];

  it("places the close in the range of two bars", () => {
    // (9 - 6)/(12 - 6), (12.5 - 8)/(14 - 8)
    expect(stochastic(high, low, close, 2, 1, 2)).toEqual({ k: of(none, 50, 75), d: of(none, none, 62.5) });
    expect(stochastic(high, low, close, 2, 2, 1).k).toEqual(of(none, none, 62.5));
  });

  it("is unknown while a range without width is in the window", () => {
    const flat = of(5, 5, 6, 7);
    expect(stochastic(flat, flat, flat, 2, 1, 1).k).toEqual(of(none, none, 100, 100));
  });
});

describe("williamsR", () => {
  it("measures down from the high of two bars", () => {
    // -(12 - 9)/(12 - 6), -(14 - 12.5)/(14 - 8)
    expect(williamsR(of(10, 12, 14), of(6, 8, 9), of(8, 9, 12.5), 2)).toEqual(of(none, -50, -25));
  });

  it("is unknown in a range without width", () => {
    const flat = of(5, 5, 5);
    expect(williamsR(flat, flat, flat, 2)).toEqual(of(none, none, none));
  });
});

describe("cci", () => {
  it("counts mean deviations of .015 from the mean", () => {
    // typical 1, 3: mean 2, mean deviation 1
    const value = cci(of(1, 3), of(1, 3), of(1, 3), 2);
    expect(value[0]).toBeNaN();
    expect(value[1]).toBeCloseTo(200 / 3, 12);
  });

  it("reads 0 in a flat window", () => {
    const flat = of(0.1, 0.1, 0.1);
    expect(cci(flat, flat, flat, 3)[2]).toBe(0);
  });
});

describe("roc", () => {
  it("is the change in percent", () => {
    expect(roc(of(4, 5, 6, 0, 3), 2)).toEqual(of(none, none, 50, -100, -50));
  });

  it("knows no change from nothing", () => {
    expect(roc(of(0, 1, 2), 1)).toEqual(of(none, none, 100));
  });
});

describe("trix", () => {
  it("is the plain change where nothing is smoothed", () => {
    expect(trix(of(4, 5, 6), 1)).toEqual(of(none, 25, 20));
  });

  it("smooths three times from one seed", () => {
    // seed 2; two thirds of the way each: 11, 8, 6; 2 -> 6 is +200%
    expect(trix(of(1, 3, 15.5), 2)[2]).toBeCloseTo(200, 12);
  });
});

describe("macd", () => {
  it("takes the slow average from the fast one and smooths what is left", () => {
    // closes against EMA3 2, 4.5, 7.75; signal (1 + 2.5)/2, then two thirds of the way to 3.25
    expect(macd(of(1, 2, 3, 7, 11), 1, 3, 2)).toEqual({
      macd: of(none, none, 1, 2.5, 3.25),
      signal: of(none, none, none, 1.75, 2.75),
      histogram: of(none, none, none, 0.75, 0.5),
    });
  });

  it("is exactly nothing in a flat market", () => {
    expect(macd(new Float64Array(60).fill(0.1)).histogram.at(-1)).toBe(0);
  });

  it("refuses a fast period that is not the shorter one", () => {
    expect(() => macd(of(1, 2), 26, 26)).toThrow(RangeError);
  });
});
