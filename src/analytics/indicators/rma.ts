import { smooth } from "./ema.ts";
import { checkPeriod, type Series } from "./series.ts";

/**
 * Wilder's moving average (also SMMA): exponential with weight 1 / period, seeded with the mean of the first `period`
 * values. NaN for the first `period - 1` bars; leading NaNs of the input are skipped.
 * @see J. Welles Wilder, "New Concepts in Technical Trading Systems" (1978)
 * @throws RangeError if the period is not an integer of at least 1
 */
export function rma(x: Series, period: number): Series {
  checkPeriod("rma", period);
  return smooth(x, period, 1 / period);
}
