import { describe, expect, it } from "vitest";
import { ema, rma, sma, wma } from "../../../src/analytics/indicators/averages.ts";
import { deviation, rollingZ } from "../../../src/analytics/indicators/deviation.ts";
import { rollingMax, rollingMin, rollingSum } from "../../../src/analytics/indicators/rolling.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("sma", () => {
  it("is the plain mean of the last values", () => {
    expect(sma(of(1, 2, 3, 7), 3)).toEqual(of(none, none, 2, 4));
    expect(sma(of(5, 7), 1)).toEqual(of(5, 7));
  });

  it("forgets a missing value once it left the window", () => {
    expect(sma(of(1, none, 3, 5, 7), 2)).toEqual(of(none, none, none, 4, 6));
  });
});

describe("ema", () => {
  it("starts from the plain mean, then moves half way at a period of three", () => {
    expect(ema(of(1, 2, 3, 7, 3), 3)).toEqual(of(none, none, 2, 4.5, 3.75));
  });

  it("passes over another indicator's warm-up", () => {
    expect(ema(of(none, 1, 2, 3, 7), 3)).toEqual(of(none, none, none, 2, 4.5));
    expect(ema(of(none, none), 1)).toEqual(of(none, none));
  });
});

describe("rma", () => {
  it("starts from the plain mean, then moves a third of the way at a period of three", () => {
    expect(rma(of(1, 2, 3, 8, 1), 3)).toEqual(of(none, none, 2, 4, 3));
  });
});

describe("wma", () => {
  it("weighs the newest of two values twice", () => {
    // (1 + 2*4)/3, (4 + 2*1)/3, (1 + 2*7)/3
    expect(wma(of(1, 4, 1, 7), 2)).toEqual(of(none, 3, 2, 5));
  });

  it("weighs four values by their age", () => {
    // (1*10 + 2*20 + 3*30 + 4*40)/10
    expect(wma(of(10, 20, 30, 40), 4)[3]).toBe(30);
  });
});

describe("rolling", () => {
  it("sums, tops and bottoms every window of three", () => {
    const x = of(4, 1, 3, 2, 6, 5, 0);
    expect(rollingSum(x, 3)).toEqual(of(none, none, 8, 6, 11, 13, 11));
    expect(rollingMax(x, 3)).toEqual(of(none, none, 4, 3, 6, 6, 6));
    expect(rollingMin(x, 3)).toEqual(of(none, none, 1, 1, 2, 2, 0));
  });

  it("knows nothing of a series shorter than the window", () => {
    for (const rolling of [rollingSum, rollingMax, rollingMin])
      expect(rolling(of(1, 2), 3)).toEqual(of(none, none));
  });
});

describe("deviation", () => {
  it("divides by the number of values, as for a whole population", () => {
    const { mean, deviation: spread } = deviation(of(2, 4, 4, 4, 5, 5, 7, 9), 8);
    expect([mean[7], spread[7], spread[6]]).toEqual([5, 2, none]);
  });

  it("is exactly 0 in a flat window after a wild one", () => {
    const { mean, deviation: spread } = deviation(of(1e6, 3, 0.1, 0.1, 0.1, 0.1), 3);
    expect([...mean.slice(4), ...spread.slice(4)]).toEqual([0.1, 0.1, 0, 0]);
  });
});

describe("rollingZ", () => {
  it("counts population deviations from the mean", () => {
    // mean 5, deviation 2
    expect(rollingZ(of(2, 4, 4, 4, 5, 5, 7, 9), 8)[7]).toBe(2);
  });

  it("knows no distance where the window has no spread", () => {
    expect(rollingZ(of(1, 3, 3), 2)).toEqual(of(none, 1, none));
  });
});
