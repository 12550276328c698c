import { rollingSum } from "./rolling.ts";
import { checkAligned, checkPeriod, type Series } from "./series.ts";

/**
 * Money flow index, 0-100: the share of the last `period` bars' turnover that came with a rising typical
 * price. 50 where the typical price never moved; NaN for the first `period` bars and where nothing traded.
 * @see Gene Quong and Avrum Soudack, "Volume-Weighted RSI: Money Flow" (1989)
 * @throws RangeError on a period that cannot average anything or columns of different lengths
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
