import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rangePosition } from "../../../src/analytics/indicators/range-position.ts";
import { rangeModel, varianceForecasts } from "../../../src/analytics/odds/range-model.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import { readDailyFolder } from "../../support/daily-bars.ts";
import { barsAround, syntheticBars } from "../../support/synthetic-bars.ts";
import { describeWithData } from "../../support/test-data.ts";

/** Half the width of the range over one bar, in units of the forecast: 1.645 times 1.37. */
const HALF = 1.6448536269514722 * 1.37;

/** The forecasts of the volatility of the next bar by definition, from bar 250 on: every mean from its own values. */
function volatilities({ high, low, close }: Bars): readonly number[] {
  const x: number[] = [Number.NaN];
  const s: number[] = [];
  for (let t = 1; t < close.length; t++) {
    const range = Math.log(Math.max(high[t]!, close[t - 1]!)) - Math.log(Math.min(low[t]!, close[t - 1]!));
    x.push(Math.log(Math.max(range ** 2 / (4 * Math.log(2)), 2.5e-7)));
    const last = (count: number) => x.slice(t + 1 - count).reduce((sum, value) => sum + value, 0) / count;
    const z = s[t - 1] === undefined ? 0 : Math.log(close[t]! / close[t - 1]!) / s[t - 1]!;
    if (t >= 250)
      s[t] = Math.exp(
        (-0.3176 +
          0.1433 * x[t]! +
          0.3517 * last(5) +
          0.3645 * last(22) +
          0.1078 * last(250) -
          0.076 * Math.min(z, 0)) /
          2,
      );
  }
  return s;
}

describe("rangePosition", () => {
  const bars = syntheticBars(4, 420);

  it.each([1, 5, 20, 60])("is the distance from the close %i bars earlier over the range of then", (n) => {
    const s = volatilities(bars);
    const actual = rangePosition(bars, n);
    expect(actual.subarray(0, 250 + n).every(Number.isNaN)).toBe(true);
    for (let t = 250 + n; t < actual.length; t++) {
      const high = Math.log(bars.close[t - n]!) + HALF * s[t - n]! * Math.sqrt(n);
      const low = Math.log(bars.close[t - n]!) - HALF * s[t - n]! * Math.sqrt(n);
      expect(actual[t]).toBeCloseTo((100 * (Math.log(bars.close[t]!) - low)) / (high - low), 8);
    }
    expect(Math.max(...actual.subarray(250 + n))).toBeGreaterThan(n === 60 ? 60 : 100);
    expect(Math.min(...actual.subarray(250 + n))).toBeLessThan(n === 60 ? 40 : 0);
  });

  it.each([
    [-1, 0],
    [0, 50],
    [1, 100],
    [2, 150],
  ])("is, %i half ranges from the close of then, %i", (halves, position) => {
    const s = volatilities(bars)[414]!;
    const close = bars.close.with(419, bars.close[414]! * Math.exp(halves * HALF * s * Math.sqrt(5)));
    expect(rangePosition({ ...bars, close })[419]).toBeCloseTo(position, 8);
  });

  it("is 50 while the price does not move", () => {
    const flat = rangePosition(barsAround(Array<number>(300).fill(20)));
    expect([...flat.subarray(255)]).toEqual(Array(45).fill(50));
  });

  it("returns the same value for a bar whatever bars follow", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 240, max: 340 }),
        fc.integer({ min: 1, max: 60 }),
        (seed, cut, n) => {
          const whole = syntheticBars(seed, 340);
          const alone = rangePosition(sliceBars(whole, 0, cut), n);
          const other = {
            ...whole,
            high: whole.high.map((price, i) => (i < cut ? price : price * 3)),
            low: whole.low.map((price, i) => (i < cut ? price : price / 2)),
          };
          for (const longer of [whole, other])
            expect(rangePosition(longer, n).subarray(0, cut)).toEqual(alone);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe("the forecasts", () => {
  it.each([501, 900, 1251])("of the last of %i bars are those from which the odds start", (count) => {
    const bars = syntheticBars(9, count);
    expect(varianceForecasts(bars).at(-1)).toBe(rangeModel(bars).next);
  });
});

describeWithData("the 90 % range on US files and coins", ["ohlcv"], (path) => {
  it.each([
    ["us_daily", 5, 88.5, 92],
    ["us_daily", 20, 87.5, 92],
    ["crypto_daily", 5, 88.5, 92],
    ["crypto_daily", 20, 85, 92],
  ])("of %s over %i bars contains %f to %f of 100 closes", (folder, n, least, most) => {
    let [inside, count] = [0, 0];
    for (const bars of readDailyFolder(`${path}/${folder}`).values())
      for (const position of rangePosition(bars, n)) {
        if (Number.isNaN(position)) continue;
        count++;
        if (position >= 0 && position <= 100) inside++;
      }
    expect(count).toBeGreaterThan(10_000);
    expect((100 * inside) / count).toBeGreaterThan(least);
    expect((100 * inside) / count).toBeLessThan(most);
  });
});
