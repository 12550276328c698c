import { rollingSum } from "./rolling.ts";
import { checkAligned, checkPeriod, type Series } from "./series.ts";

/**
 * Money flow index, 0-100: the share of the last `period` bars' turnover with a rising typical price. 50 if the
 * typical price never changed; NaN for the first `period` bars and if nothing traded.
 * @see Gene Quong and Avrum Soudack, "Volume-Weighted RSI: Money Flow" (1989)
 * @throws RangeError if the period is not an integer of at least 1 or the columns differ in length
 */
export function mfi(high: Series, low: Series, close: Series, volume: Series, period = 14): Series {
  checkPeriod("mfi", period);
  checkAligned("mfi", high, low, close, volume);
  const up = new Float64Array(close.length).fill(Number.NaN, 0, 1);
  const down = new Float64Array(close.length).fill(Number.NaN, 0, 1);
  for (let i = 1; i < up.length; i++) {
    const price = typical(high, low, close, i);
    const before = typical(high, low, close, i - 1);
    if (price > before) up[i] = price * volume[i]!;
    if (price < before) down[i] = price * volume[i]!;
  }
  const traded = rollingSum(volume, period);
  const gained = rollingSum(up, period);
  const lost = rollingSum(down, period);
  for (let i = 0; i < gained.length; i++) {
    const moved = gained[i]! + lost[i]!;
    if (traded[i] === 0) gained[i] = Number.NaN;
    else gained[i] = moved === 0 ? 50 : 100 * (gained[i]! / moved);
  }
  return gained;
}

const typical = (high: Series, low: Series, close: Series, i: number) => (high[i]! + low[i]! + close[i]!) / 3;
