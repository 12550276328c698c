import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../src/analytics/backtest/random.ts";
import { atr } from "../../../src/analytics/indicators/atr.ts";
import {
  CLOSED_FORM_BARS,
  type ClosedFormBars,
  closedFormVolatility,
} from "../../../src/analytics/odds/closed-form.ts";
import { simulatePaths } from "../../../src/analytics/odds/paths.ts";
import { sortedQuantile } from "../../../src/analytics/odds/quantiles.ts";
import { ODDS_BARS, rangeModel } from "../../../src/analytics/odds/range-model.ts";
import { median } from "../../../src/analytics/statistics.ts";
import { type Bars, mapColumns, sliceBars } from "../../../src/domain/market/bars.ts";
import { readDailyFolder } from "../../support/daily-bars.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";
import { describeWithData } from "../../support/test-data.ts";

/** 90 % quantile of the standard normal distribution. */
const NINETIETH = 1.2815516;

/** Returns the width of the 80 % range in closed form, relative to that of the paths. */
function widthRatio(bars: Bars, horizon: ClosedFormBars): number {
  const { ends } = simulatePaths(rangeModel(bars), {
    paths: 2_000,
    drift: 0,
    horizons: [horizon],
    random: seededRandom(1),
  });
  const sorted = ends[0]!.close.slice().sort();
  const range = atr(bars.high, bars.low, bars.close, 14).at(-1)!;
  const width = 2 * NINETIETH * closedFormVolatility(bars, range, horizon);
  return width / (sortedQuantile(sorted, 0.9) - sortedQuantile(sorted, 0.1));
}

/** A power of all prices multiplies every log return. */
const powerOf = (bars: Bars, power: number): Bars =>
  mapColumns(bars, (column, name) =>
    name === "time" || name === "volume" ? column : column.map((price) => price ** power),
  );

describe("the volatility in closed form", () => {
  it.each(CLOSED_FORM_BARS)("gives about the range of the paths of synthetic bars (%i bars)", (horizon) => {
    for (const seed of [1, 2, 3])
      for (const power of [0.5, 1]) {
        const ratio = widthRatio(powerOf(syntheticBars(seed, 1_251), power), horizon);
        expect(ratio).toBeGreaterThan(0.8);
        expect(ratio).toBeLessThan(1.25);
      }
  });
});

describeWithData("the volatility in closed form of real files", ["ohlcv", "us_daily"], (folder) => {
  it.each(CLOSED_FORM_BARS)(
    "has in the median about the range of the paths, or slightly less (%i bars)",
    (horizon) => {
      const ratios = [...readDailyFolder(folder).values()].map((bars) =>
        widthRatio(sliceBars(bars, Math.max(0, bars.close.length - ODDS_BARS)), horizon),
      );
      expect(median(ratios)!).toBeGreaterThan(0.9);
      expect(median(ratios)!).toBeLessThan(1.05);
    },
  );
});
