import { rangePosition } from "../../../src/analytics/indicators/range-position.ts";
import { varianceForecasts } from "../../../src/analytics/odds/range-model.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";

/** Log return of one bar over the volatility that was forecast for it. */
export interface StandardizedReturn {
  /** Bar of the return, epoch ms. */
  readonly time: number;
  readonly value: number;
}

/** Position of a close in the 90 % range that was forecast for it. */
export interface RangePositionScore {
  /** Bar of the forecast, epoch ms. */
  readonly time: number;
  readonly horizon: number;
  /** Value of `range_position`: inside the range from 0 to 100. */
  readonly position: number;
}

/** Returns the standardized return of every bar that has a forecast. */
export function standardizedReturns(bars: Bars): readonly StandardizedReturn[] {
  const forecasts = varianceForecasts(bars);
  return Array.from(bars.time, (time, bar) => ({
    time,
    value: Math.log(bars.close[bar]! / bars.close[bar - 1]!) * Math.exp(-forecasts[bar - 1]! / 2),
  })).filter(({ value }) => !Number.isNaN(value));
}

/** Returns how a forecast at a bar is scored by `range_position`; the horizon must be known at the bar. */
export function rangeScorer({ time, ...bars }: Bars, horizon: number): (at: number) => RangePositionScore {
  const positions = rangePosition(bars, horizon);
  return (at) => ({ time: time[at]!, horizon, position: positions[at + horizon]! });
}
