import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type NullRunOptions, nullRun, shuffledBars } from "../../../src/analytics/backtest/null-run.ts";
import { seededRandom } from "../../../src/analytics/backtest/random.ts";
import { FLAT, HOLD, LONG, type Strategy } from "../../../src/analytics/backtest/types.ts";
import { mean } from "../../../src/analytics/statistics.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import { climbingBars } from "../../support/market.ts";
import { testAccount } from "./tape.ts";

/** Ten days up 1 %, ten days down 1 %, and so on, each opening at the previous close; the volume numbers the bars. */
function waves(count: number): Bars {
  const bars = climbingBars({ count });
  const close = new Float64Array(count);
  for (let i = 0; i < count; i++)
    close[i] = i === 0 ? 100 : close[i - 1]! * ((i - 1) % 20 < 10 ? 1.01 : 1 / 1.01);
  const open = close.map((value, i) => close[i - 1] ?? value);
  return {
    ...bars,
    open,
    close,
    high: close.map((value, i) => 1.002 * Math.max(value, open[i]!)),
    low: close.map((value, i) => 0.997 * Math.min(value, open[i]!)),
    volume: close.map((_, i) => 1000 + i),
  };
}

/** Long while the last close is above the previous one. */
const follow: Strategy = ({ close }) => ({
  start: 1,
  action: Uint8Array.from(close, (value, i) => (i === 0 ? HOLD : value > close[i - 1]! ? LONG : FLAT)),
});
const never: Strategy = ({ close }) => ({ start: 0, action: new Uint8Array(close.length) });

const options: NullRunOptions = {
  symbol: "AAPL",
  bars: waves(401),
  strategy: follow,
  account: testAccount({ cash: 10_000, fractional: true }),
  year: 252,
  seed: 1,
};
function finished(change: Partial<NullRunOptions> = {}) {
  const run = nullRun({ ...options, ...change });
  const draws: number[] = [];
  for (;;) {
    const step = run.next();
    if (step.done === true) return { draws, result: step.value };
    draws.push(step.value.return_pct);
  }
}

describe("a null run", () => {
  it("finds no shuffle as good as the real order for a strategy that uses it", () => {
    const { draws, result } = finished();
    expect(draws).toHaveLength(20);
    expect(result).toMatchObject({
      draws: 20,
      sharpe_arithmetic: { at_least: 0, share: 1 / 21 },
      return_pct: { at_least: 0, share: 1 / 21 },
    });
    const { value, mean: drawn } = result.return_pct!;
    expect(drawn).toBeCloseTo(mean(draws), 12);
    expect(value).toBeGreaterThan(10 * Math.abs(drawn));
  });

  it("finds no significance in random walks: low shares are as frequent as chance predicts", () => {
    const shares = Array.from({ length: 60 }, (_, seed) => {
      const random = seededRandom(seed);
      const walk = waves(121);
      for (let i = 1; i < 121; i++) walk.close[i] = walk.close[i - 1]! * (0.98 + 0.04 * random.unit());
      const open = walk.close.map((value, i) => walk.close[i - 1] ?? value);
      const bars = {
        ...walk,
        open,
        high: walk.close.map((c, i) => Math.max(c, open[i]!)),
        low: walk.close.map((c, i) => Math.min(c, open[i]!)),
      };
      return finished({ bars, draws: 19, seed }).result.sharpe_arithmetic!.share;
    });
    // Shares in steps of 1/20: expected mean .525 with a standard error of .037, and 3 of 60 at .05.
    expect(Math.abs(mean(shares) - 0.525)).toBeLessThan(0.11);
    expect(shares.filter((share) => share <= 0.05).length).toBeLessThan(9);
  });

  it("counts every draw that a run without trades does not beat", () => {
    const { result } = finished({ strategy: never, draws: 5 });
    expect(result).toEqual({
      draws: 5,
      sharpe_arithmetic: null,
      return_pct: { value: 0, at_least: 5, share: 1, mean: 0 },
    });
  });

  it("is identical for the same seed and differs between seeds", () => {
    const [first, again, other] = [finished(), finished(), finished({ seed: 2 })];
    expect(again).toEqual(first);
    expect(other.draws).not.toEqual(first.draws);
  });

  it("runs no more draws after the caller stops iterating", () => {
    let runs = 0;
    const counted: Strategy = (bars) => {
      runs++;
      return follow(bars);
    };
    for (const _ of nullRun({ ...options, strategy: counted })) break;
    expect(runs).toBe(2);
  });

  it.each([0, 101, 2.5])("throws for %s draws", (draws) => {
    expect(() => finished({ draws })).toThrow(`draws must be an integer from 1 to 100, not ${draws}`);
  });
});

describe("shuffled bars", () => {
  const bars = waves(60);

  it("keep times, the first bar and the last close, and the gap, range and volume of every day", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const mixed = shuffledBars(bars, seededRandom(seed));
        expect(mixed.time).toBe(bars.time);
        expect([mixed.open[0], mixed.close[0]]).toEqual([bars.open[0], bars.close[0]]);
        expect(mixed.close.at(-1)! / bars.close.at(-1)!).toBeCloseTo(1, 12);
        expect([...mixed.volume].sort()).toEqual([...bars.volume]);
        for (let i = 1; i < 60; i++) {
          const k = mixed.volume[i]! - 1000; // the bar it was
          for (const column of ["open", "high", "low", "close"] as const)
            expect(mixed[column][i]! / mixed.close[i - 1]!).toBeCloseTo(
              bars[column][k]! / bars.close[k - 1]!,
              12,
            );
          expect(mixed.low[i]!).toBeLessThanOrEqual(Math.min(mixed.open[i]!, mixed.close[i]!));
          expect(mixed.high[i]!).toBeGreaterThanOrEqual(Math.max(mixed.open[i]!, mixed.close[i]!));
        }
      }),
      { numRuns: 20 },
    );
  });

  it("are in a different order", () => {
    expect([...shuffledBars(bars, seededRandom(1)).volume]).not.toEqual([...bars.volume]);
  });

  it("shuffle bars before the first traded bar only among themselves", () => {
    const mixed = shuffledBars(bars, seededRandom(1), bars.time[20]!);
    const numbers = [...mixed.volume].map((volume) => volume - 1000);
    expect(numbers.slice(0, 20).every((k) => k < 20)).toBe(true);
    expect(numbers.slice(20).every((k) => k >= 20)).toBe(true);
    expect(mixed.close[19]! / bars.close[19]!).toBeCloseTo(1, 12);
  });

  it("return no bars for no bars, and one bar for one", () => {
    for (const count of [0, 1])
      expect(shuffledBars(sliceBars(bars, 0, count), seededRandom(1)).close).toHaveLength(count);
  });
});
