import { describe, expect, it } from "vitest";
import { bootstrap, type Interval, meanBlockLength } from "../../../src/analytics/backtest/bootstrap.ts";
import { annualSharpe } from "../../../src/analytics/backtest/moments.ts";
import { normalQuantile } from "../../../src/analytics/backtest/normal.ts";
import { seededRandom } from "../../../src/analytics/backtest/random.ts";
import { mean } from "../../../src/analytics/statistics.ts";

const year = 252;
const noise = (count: number, seed = 5): Float64Array => {
  const random = seededRandom(seed);
  return Float64Array.from({ length: count }, () => 0.0005 + 0.01 * normalQuantile(random.unit() || 0.5));
};
const run = (returns: Float64Array) => bootstrap(returns, { year, random: seededRandom(11) });
const width = ({ low, high }: Interval) => high! - low!;

describe("the stationary bootstrap", () => {
  it("uses blocks of the cube root of the number of days, at least a week", () => {
    expect([30, 125, 250, 1000, 2148].map(meanBlockLength)).toEqual([5, 5, 6, 10, 13]);
  });

  it("matches resamples written out day by day", () => {
    const returns = noise(200);
    const random = seededRandom(11);
    const [annual, sharpe, daily]: [number[], number[], number[]] = [[], [], []];
    for (let draw = 0; draw < 1000; draw++) {
      const days: number[] = [];
      while (days.length < 200) {
        const start = random.below(200);
        // A block continues with probability 1 - 1/6 after each day.
        let length = 1;
        for (let left = 1 - random.unit(); left <= 5 / 6; left /= 5 / 6) length++;
        for (let i = 0; i < length && days.length < 200; i++) days.push(returns[(start + i) % 200]!);
      }
      daily.push(100 * mean(days));
      sharpe.push(annualSharpe(Float64Array.from(days), year)!);
      annual.push(100 * (days.reduce((growth, value) => growth * (1 + value), 1) ** (year / 200) - 1));
    }
    const middle = (values: number[]) => {
      const sorted = values.sort((a, b) => a - b);
      // 2.5 % of 999 steps between 1000 values: 24.975
      return [
        sorted[24]! + 0.975 * (sorted[25]! - sorted[24]!),
        sorted[974]! + 0.025 * (sorted[975]! - sorted[974]!),
      ];
    };
    const result = run(returns);
    for (const [figure, drawn] of [
      [result.annual_return_pct, annual],
      [result.sharpe_arithmetic, sharpe],
      [result.mean_daily_return_pct, daily],
    ] as const) {
      const [low, high] = middle(drawn);
      expect(figure.low).toBeCloseTo(low!, 9);
      expect(figure.high).toBeCloseTo(high!, 9);
    }
    expect(result.sharpe_arithmetic.value).toBeCloseTo(annualSharpe(returns, year)!, 9);
  });

  it("has the theoretical interval width for independent returns", () => {
    // 2 x 1.96 x 1 % / root of 2000, percent
    expect(width(run(noise(2000)).mean_daily_return_pct)).toBeCloseTo((2 * 1.96) / Math.sqrt(2000), 2);
  });

  it("contains the true mean in about 95 of 100 samples", () => {
    const intervals = Array.from({ length: 100 }, (_, seed) => run(noise(250, seed)).mean_daily_return_pct);
    const count = intervals.filter(({ low, high }) => low! <= 0.05 && high! >= 0.05).length;
    expect(count).toBeGreaterThanOrEqual(88);
    expect(count).toBeLessThanOrEqual(99);
  });

  it("is wider when good and bad days cluster", () => {
    const alone = noise(2000);
    const inRuns = Float64Array.from(alone, (_, i) => alone[i - (i % 5)]!);
    expect(width(run(inRuns).mean_daily_return_pct)).toBeGreaterThan(
      1.6 * width(run(alone).mean_daily_return_pct),
    );
  });

  it("shifts with the returns; leverage does not change the Sharpe ratio interval", () => {
    const returns = noise(300);
    const [plain, more, twice] = [returns, returns.map((r) => r + 0.001), returns.map((r) => 2 * r)].map(run);
    expect(more!.mean_daily_return_pct.low).toBeCloseTo(plain!.mean_daily_return_pct.low! + 0.1, 9);
    expect(twice!.sharpe_arithmetic.high).toBeCloseTo(plain!.sharpe_arithmetic.high!, 9);
  });

  it.each([
    ["29 days", noise(29), "29 days are fewer than 30"],
    ["days without a move", new Float64Array(60), "Equity did not move"],
    ["a day on which all is lost", noise(60).fill(-1, 30, 31), "Equity fell to 0"],
  ])("is not defined over %s", (_, returns, reason) => {
    const nothing = { value: null, low: null, high: null, reason };
    expect(run(returns)).toEqual({
      annual_return_pct: nothing,
      sharpe_arithmetic: nothing,
      mean_daily_return_pct: nothing,
    });
  });

  it("has no Sharpe ratio if entire resamples have no variation", () => {
    const few = new Float64Array(300);
    few[100] = 0.01;
    const { sharpe_arithmetic, annual_return_pct } = run(few);
    expect(sharpe_arithmetic.reason).toBe("Equity moved on too few days");
    expect(annual_return_pct.low).toBe(0);
  });
});
