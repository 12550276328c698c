import type { Bars } from "../../../src/domain/market/bars.ts";
import { readDailyBars } from "../../support/daily-bars.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";
import { testData } from "../../support/test-data.ts";

const DAY = 86_400_000;
const GOOG_BARS = 2_148;

/** `count` bars of a synthetic market: 2,000 bars, alternately forward and backward, so that prices stay in range. */
export function longSeries(count: number): Bars {
  const market = syntheticBars(1, 2_000, "UTC");
  const period = market.time.length;
  const column = (forward: Float64Array, back = forward) =>
    Float64Array.from({ length: count }, (_, i) => {
      const place = i % period;
      return Math.floor(i / period) % 2 === 0 ? forward[place]! : back[period - 1 - place]!;
    });
  const { open, high, low, close, volume, time } = market;
  return {
    ...market,
    time: Float64Array.from({ length: count }, (_, i) => time[0]! + i * DAY),
    open: column(open, close),
    high: column(high),
    low: column(low),
    close: column(close, open),
    volume: column(volume),
  };
}

/** The 2,148 daily bars of GOOG, or synthetic ones if the file is missing, with a label. */
export function shortSeries(): { readonly bars: Bars; readonly what: string } {
  const file = testData("backtest", "GOOG.csv");
  return file === null
    ? {
        bars: syntheticBars(1, GOOG_BARS),
        what: `${GOOG_BARS} synthetic bars (no backtest/GOOG.csv among the test data)`,
      }
    : { bars: readDailyBars(file), what: `${GOOG_BARS} bars of GOOG` };
}
