import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../src/analytics/backtest/random.ts";
import { pathForecast, TOUCH_LEVELS } from "../../../src/analytics/odds/forecast.ts";
import { ODDS_VERSION, oddsOf } from "../../../src/analytics/odds/odds.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import type { OddsForecast } from "../../../src/domain/odds/forecast.ts";

/** Daily bars of a random walk with moves of at most `size`. */
function walk(count: number, { seed = 1, size = 0.04 } = {}): Bars {
  const random = seededRandom(seed);
  const step = () => random.below(2_001) / 1_000 - 1;
  const columns = { open: [100], high: [101], low: [99], close: [100] };
  for (let i = 1; i < count; i++) {
    const open = columns.close[i - 1]! * (1 + (size / 4) * step());
    const close = open * (1 + size * step());
    columns.open.push(open);
    columns.close.push(close);
    columns.high.push(Math.max(open, close) * (1 + (size / 4) * Math.abs(step())));
    columns.low.push(Math.min(open, close) * (1 - (size / 4) * Math.abs(step())));
  }
  return {
    time: Float64Array.from(columns.open, (_, i) => i * 86_400_000),
    open: Float64Array.from(columns.open),
    high: Float64Array.from(columns.high),
    low: Float64Array.from(columns.low),
    close: Float64Array.from(columns.close),
    volume: new Float64Array(count).fill(1),
    timeframe: "1d",
    adjustment: "split",
    zone: "America/New_York",
  };
}

const plan = { odds: { stop: 0.5, target: 0.2, neither: 0.3 }, base: null };
const bars = walk(500);
const last = bars.close.length - 1;
const byPaths = (of: Bars): OddsForecast | null =>
  pathForecast({ bars: of, symbol: "AAPL", assetClass: "equity", plan });

describe("the base in a forecast", () => {
  // counted one window after another
  const returns = (horizon: number) =>
    Array.from({ length: last + 1 - horizon }, (_, i) =>
      Math.log(bars.close[i + horizon]! / bars.close[i]!),
    ).sort((a, b) => a - b);
  const touches = (horizon: number, change: number) => {
    let count = 0;
    for (let from = 0; from + horizon <= last; from++) {
      const price = bars.close[from]! * (1 + change);
      let touched = false;
      for (let bar = from + 1; bar <= from + horizon; bar++)
        if (change > 0 ? bars.high[bar]! >= price : bars.low[bar]! <= price) touched = true;
      if (touched) count++;
    }
    return count / (last + 1 - horizon);
  };

  it("is that of every past window", () => {
    for (const { bars: horizon, baseQuantiles, baseTouch } of byPaths(bars)!.horizons) {
      const sorted = returns(horizon);
      const rank = 0.05 * (sorted.length - 1);
      const low = Math.floor(rank);
      expect(baseQuantiles![0]).toBeCloseTo(
        sorted[low]! + (rank - low) * (sorted[low + 1]! - sorted[low]!),
        5,
      );
      expect(baseTouch).toEqual(
        TOUCH_LEVELS[horizon].map((change) => Math.round(100 * touches(horizon, change)) / 100),
      );
    }
  });

  it("covers every horizon, because a forecast needs 120 bars", () => {
    const bases = byPaths(walk(120))!.horizons.map(({ baseQuantiles }) => baseQuantiles?.length);
    expect(bases).toEqual([7, 7, 7]);
    expect(byPaths(walk(119))).toBeNull();
  });
});

describe("a forecast by paths", () => {
  it("has the odds of `oddsOf` with 2,000 paths as returns from the close", () => {
    const forecast = byPaths(bars)!;
    const close = bars.close[last]!;
    const { odds } = oddsOf({
      bars,
      symbol: "AAPL",
      assetClass: "equity",
      horizons: [20],
      levels: [close * 0.9, close * 1.05],
      paths: 2_000,
    });
    const twenty = forecast.horizons[1]!;
    expect(forecast.version).toBe(ODDS_VERSION);
    expect(twenty.quantiles).toEqual(
      odds!.horizons[0]!.quantiles.map((price) => Math.round(1e5 * Math.log(price / close)) / 1e5),
    );
    expect(twenty.touch[0]).toBe(Math.round(100 * odds!.levels[0]!.touch[0]!.odds) / 100);
    expect(twenty.touch[2]).toBe(Math.round(100 * odds!.levels[1]!.touch[0]!.odds) / 100);
    expect(forecast.plan).toEqual(plan);
  });
});

it("reads no bar after the decision", () => {
  fc.assert(
    fc.property(fc.integer({ min: 130, max: 499 }), fc.integer({ min: 2, max: 99 }), (count, seed) => {
      const other = walk(500, { seed, size: 0.07 });
      const joined = (column: "open" | "high" | "low" | "close") =>
        Float64Array.from(bars[column], (value, i) => (i < count ? value : other[column][i]!));
      const changed: Bars = {
        ...bars,
        open: joined("open"),
        high: joined("high"),
        low: joined("low"),
        close: joined("close"),
      };
      expect(byPaths(sliceBars(changed, 0, count))).toEqual(byPaths(sliceBars(bars, 0, count)));
    }),
    { numRuns: 5 },
  );
});
