import { type Bars, sliceBars } from "../../domain/market/bars.ts";
import { logVariances, meanLogVariance } from "./range-model.ts";

/** Numbers of bars for which there is a closed form. */
export const CLOSED_FORM_BARS = [5, 20, 60] as const;
export type ClosedFormBars = (typeof CLOSED_FORM_BARS)[number];

/**
 * Weights of the log of half the width of the 80 % range: constant, ln(ATR14 / close), and the mean of 250 log
 * volatilities. Fitted once on data up to 2020 and shipped.
 */
const WEIGHTS = {
  5: [0.606, 0.849, 0.104],
  20: [1.211, 0.704, 0.209],
  60: [1.605, 0.566, 0.295],
} as const satisfies Record<ClosedFormBars, readonly [number, number, number]>;
const LONG = 250;
/** Quantile of the standard normal distribution at 90 %, the upper end of the 80 % range. */
const NORMAL_90 = 1.2815515655446004;

/**
 * Returns the standard deviation of the log return over a number of daily bars of a US stock or fund, without paths.
 * The ranges that follow from it are slightly narrow at 60 bars. `atr` is ATR14 at the last bar.
 */
export function closedFormVolatility(bars: Bars, atr: number, horizon: ClosedFormBars): number {
  const variances = logVariances(sliceBars(bars, Math.max(0, bars.close.length - LONG - 1)));
  const [constant, range, long] = WEIGHTS[horizon];
  const meanVolatility = meanLogVariance(variances) / 2;
  const half = Math.exp(constant + range * Math.log(atr / bars.close.at(-1)!) + long * meanVolatility);
  return half / NORMAL_90;
}
