import { describe, expect, it } from "vitest";
import { donchian, keltner } from "../../../src/analytics/indicators/channels.ts";
import { bollinger } from "../../../src/analytics/indicators/deviation.ts";
import { ichimoku } from "../../../src/analytics/indicators/ichimoku.ts";
import { linearRegression } from "../../../src/analytics/indicators/linear-regression.ts";
import { supertrend } from "../../../src/analytics/indicators/supertrend.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("bollinger", () => {
  it("draws two population deviations around the mean", () => {
    expect(bollinger(of(1, 3, 3, 5), 2, 2)).toEqual({
      upper: of(none, 4, 3, 6),
      middle: of(none, 2, 3, 4),
      lower: of(none, 0, 3, 2),
      percentB: of(none, 0.75, 0.5, 0.75),
      width: of(none, 2, 0, 1),
    });
  });
});

describe("keltner", () => {
  it("draws true ranges around the exponential mean", () => {
    // true ranges 3, 3; means 10, then two thirds of the way to 13
    expect(keltner(of(10, 12, 14), of(8, 10, 12), of(9, 11, 13), 2, 2, 1)).toEqual({
      upper: of(none, 16, 18),
      middle: of(none, 10, 12),
      lower: of(none, 4, 6),
    });
  });
});

describe("donchian", () => {
  it("leaves the current bar out", () => {
    expect(donchian(of(5, 7, 6, 9), of(3, 4, 2, 1), 2)).toEqual({
      upper: of(none, none, 7, 7),
      middle: of(none, none, 5, 4.5),
      lower: of(none, none, 3, 2),
    });
  });
});

describe("ichimoku", () => {
  it("puts the cloud of two bars ago at the current bar", () => {
    expect(ichimoku(of(2, 4, 6, 8, 10), of(0, 2, 4, 6, 8), 1, 2, 3)).toEqual({
      tenkan: of(1, 3, 5, 7, 9),
      kijun: of(none, 2, 4, 6, 8),
      senkouA: of(none, none, none, 2.5, 4.5),
      senkouB: of(none, none, none, none, 3),
    });
  });
});

describe("supertrend", () => {
  it("trails only with the trend and turns on a close through the line", () => {
    // true ranges 2, 2.5, 4, 5.5; middles 11, 13, 10, 14
    const [high, low, close] = [of(11, 12, 14, 11, 15), of(9, 10, 12, 9, 13), of(10, 11.5, 13, 9.5, 14)];
    expect(supertrend(high, low, close, 1, 1)).toEqual({
      line: of(none, 9, 10.5, 13, 8.5),
      direction: of(none, 1, 1, -1, 1),
    });
  });

  it("starts on the side of the bar's middle that the close is on", () => {
    expect(supertrend(of(11, 12), of(9, 10), of(10, 10.5), 1, 1)).toEqual({
      line: of(none, 13),
      direction: of(none, -1),
    });
  });
});

describe("linearRegression", () => {
  it("fits a line through three values", () => {
    // 1, 3, 2: covariance 1 over 2 places; variance 2, of which 1/4 is explained
    expect(linearRegression(of(1, 2, 3), 3)).toEqual({ slope: of(none, none, 1), r2: of(none, none, 1) });
    expect(linearRegression(of(1, 3, 2), 3)).toEqual({
      slope: of(none, none, 0.5),
      r2: of(none, none, 0.25),
    });
  });

  it("explains nothing where nothing varies", () => {
    const { slope, r2 } = linearRegression(of(7, 0.1, 0.1, 0.1), 3);
    expect([slope[3], r2[3]]).toEqual([0, 0]);
  });
});
