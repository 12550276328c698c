import type { Bars } from "../../domain/market/bars.ts";
import { varianceForecasts } from "../odds/range-model.ts";
import { checkAligned, checkPeriod, nanSeries, type Series } from "./series.ts";

/** Number of bars before the first forecast. */
export const FORECAST_BARS = 250;
/** Quantile of the standard normal distribution at 95 %. */
const NORMAL_95 = 1.6448536269514722;
/**
 * Ratio of the standard deviation of the log return to the forecast volatility: the model forecasts the mean of the log
 * variance, which is below the log of the mean variance. 1.37: root mean square over all returns of the US files of
 * docs/odds.md, 2021-12-31 to 2026-05-29; 1.36 on returns before 2024-09-09.
 */
export const CLOSE_SCALE = 1.37;

/**
 * Returns the position of the close in the 90 % range that was forecast `period` bars earlier: 0 at the 5 % quantile, 50
 * at the close of that bar, 100 at the 95 % quantile; below 0 or above 100 outside of the range. The range is lognormal
 * without drift; its volatility is the forecast of the range model for one bar, times the square root of `period`. NaN
 * for the first `250 + period` bars.
 * @throws RangeError if the period is not an integer of at least 1 or the columns differ in length
 */
export function rangePosition(bars: Pick<Bars, "high" | "low" | "close">, period = 5): Series {
  const { high, low, close } = bars;
  checkPeriod("range position", period);
  checkAligned("range position", high, low, close);
  const forecasts = varianceForecasts(bars);
  const width = NORMAL_95 * CLOSE_SCALE * Math.sqrt(period);
  const out = nanSeries(close.length);
  for (let bar = FORECAST_BARS + period; bar < close.length; bar++) {
    const change = Math.log(close[bar]! / close[bar - period]!);
    out[bar] = 50 + (50 * change) / (width * Math.exp(forecasts[bar - period]! / 2));
  }
  return out;
}
