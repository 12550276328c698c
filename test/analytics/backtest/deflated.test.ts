import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  deflatedSharpe,
  expectedBestSharpe,
  probabilisticSharpe,
} from "../../../src/analytics/backtest/deflated.ts";
import { annualSharpe, momentsOf } from "../../../src/analytics/backtest/moments.ts";
import { seededRandom } from "../../../src/analytics/backtest/random.ts";
import { bestOf, varianceOf } from "../../../src/analytics/backtest/sweep.ts";

const returns = Float64Array.of(0.01, -0.02, 0.03, 0.02);

describe("moments", () => {
  it("match a calculation by hand", () => {
    // mean .01; deviations 0, -.03, .02, .01: squares 14e-4, cubes -18e-6, fourths 98e-8
    const { count, mean, deviation, skewness, kurtosis } = momentsOf(returns)!;
    expect(count).toBe(4);
    expect(mean).toBeCloseTo(0.01, 16);
    expect(deviation).toBeCloseTo(Math.sqrt(14e-4 / 3), 15);
    expect(skewness).toBeCloseTo(-4.5e-6 / 3.5e-4 ** 1.5, 12);
    expect(kurtosis).toBeCloseTo(98 / 49, 12);
  });

  it("give the daily and the annualised Sharpe ratio", () => {
    expect(annualSharpe(returns, 1)).toBeCloseTo(0.01 / Math.sqrt(14e-4 / 3), 14);
    expect(annualSharpe(returns, 4)).toBe(2 * annualSharpe(returns, 1)!);
  });

  it.each([
    ["no day", []],
    ["one day", [0.01]],
    ["days without a move", [0, 0, 0]],
    ["days of one move, which has no exact binary form", [0.001, 0.001, 0.001, 0.001, 0.001, 0.001, 0.001]],
  ])("are not defined over %s", (_, values) => {
    expect(momentsOf(Float64Array.from(values))).toBeNull();
    expect(annualSharpe(Float64Array.from(values), 252)).toBeNull();
  });
});

// Bailey and López de Prado, "The deflated Sharpe ratio" (2014), the numerical example: a ratio of 2.5 a year over
// 1250 days of 250 a year, skewness -3, kurtosis 10, 100 trials whose ratios over a year have variance 1/2.
const daily = 2.5 / Math.sqrt(250);
const variance = 0.5 / 250;
const shape = { count: 1250, skewness: -3, kurtosis: 10 };

describe("the deflated Sharpe ratio", () => {
  it("expects a best daily Sharpe ratio of .1132 from 100 trials", () => {
    expect(expectedBestSharpe(100, variance)).toBeCloseTo(0.1132, 4);
  });

  it("is .9004 for 100 trials and .9505 for 46", () => {
    const having = (trials: number) =>
      probabilisticSharpe(daily, expectedBestSharpe(trials, variance), shape);
    expect(having(100)).toBeCloseTo(0.9004, 4);
    expect(having(46)).toBeCloseTo(0.9505, 4);
  });

  it("stays above .95 for up to 88 trials with normal returns", () => {
    const normal = { count: 1250, skewness: 0, kurtosis: 3 };
    const having = (trials: number) =>
      probabilisticSharpe(daily, expectedBestSharpe(trials, variance), normal);
    expect(having(88)).toBeGreaterThan(0.95);
    expect(having(89)).toBeLessThan(0.95);
  });

  it("is .982 for a record of 24 months, .913 with its skewness and kurtosis", () => {
    // Bailey and López de Prado, "The Sharpe ratio efficient frontier" (2012): .458 a month, skewness -2.448, kurtosis 10.164
    expect(probabilisticSharpe(0.458, 0, { count: 24, skewness: 0, kurtosis: 3 })).toBeCloseTo(0.982, 3);
    expect(probabilisticSharpe(0.458, 0, { count: 24, skewness: -2.448, kurtosis: 10.164 })).toBeCloseTo(
      0.913,
      3,
    );
  });

  const returns = Float64Array.from({ length: 250 }, (_, i) => 0.001 + 0.01 * Math.sin(i * i));

  it("equals the probabilistic Sharpe ratio against 0 for a single trial", () => {
    const moments = momentsOf(returns)!;
    const expected = probabilisticSharpe(moments.mean / moments.deviation, 0, moments);
    expect(deflatedSharpe(returns, { count: 1, variance: null })).toEqual({
      probabilistic: expected,
      deflated: expected,
      trials: 1,
      reason: null,
    });
  });

  it("decreases with the number of trials and with their variance", () => {
    const having = (count: number, spread: number) =>
      deflatedSharpe(returns, { count, variance: spread }).deflated!;
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 2000 }), (count) => {
        expect(having(count + 1, 1e-3)).toBeLessThan(having(count, 1e-3));
        expect(having(count, 2e-3)).toBeLessThan(having(count, 1e-3));
      }),
    );
  });

  it("rejects the best of 50 random trials, which the probabilistic Sharpe ratio accepts", () => {
    const random = seededRandom(4);
    const luck = () => Float64Array.from({ length: 250 }, () => 0.02 * random.unit() - 0.01);
    let [fooled, sure] = [0, 0];
    for (let world = 0; world < 100; world++) {
      const trials = Array.from({ length: 50 }, luck);
      const ratios = trials.map((trial) => annualSharpe(trial, 1));
      const best = trials[bestOf(ratios)!]!;
      const { probabilistic, deflated } = deflatedSharpe(best, { count: 50, variance: varianceOf(ratios) });
      if (probabilistic! > 0.95) fooled++;
      if (deflated! > 0.95) sure++;
    }
    // The best of 50 passes 95 % with probability 1 - .95^50 = .92.
    expect(fooled).toBeGreaterThan(80);
    expect(sure).toBeLessThan(5);
  });

  it("gives a reason if it is undefined", () => {
    expect(deflatedSharpe(new Float64Array(40), { count: 3, variance: 1 })).toEqual({
      probabilistic: null,
      deflated: null,
      trials: 3,
      reason: "Equity did not move, so there is no Sharpe ratio",
    });
    const unknown = deflatedSharpe(returns, { count: 3, variance: null });
    expect(unknown).toMatchObject({
      deflated: null,
      reason: "The variance of the other trials' Sharpe ratios is unknown",
    });
    expect(unknown.probabilistic).toBeGreaterThan(0.5);
  });
});
