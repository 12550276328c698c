import type { Bars } from "../../domain/market/bars.ts";
import { rollingMax, rollingMin, rollingSum } from "../indicators/rolling.ts";
import { nanSeries, type Series } from "../indicators/series.ts";
import { sma } from "../indicators/sma.ts";

const DAY = 86_400_000;
const YEAR = 252;
const MONTH = 20;
const COIN_MEAN = 50;
/** Minimum number of members for a value. */
export const MIN_STOCKS = 20;
export const MIN_COINS = 5;

/**
 * Returns per day (bar starts, epoch ms) the share of members at a new 252-day high minus the share at a new low, -1 to
 * 1.
 */
export function newHighsLessLows(days: Series, members: readonly Bars[]): Series {
  const net = tally(days.length);
  for (const { time, high, low } of members) {
    const top = rollingMax(high, YEAR);
    const bottom = rollingMin(low, YEAR);
    eachDay(days, time, (day, bar) => {
      if (Number.isNaN(top[bar]!)) return;
      net.sum[day]! += Number(high[bar] === top[bar]) - Number(low[bar] === bottom[bar]);
      net.count[day]!++;
    });
  }
  return means(net, MIN_STOCKS);
}

/**
 * Returns per day the dollar volume of rising members minus that of falling ones, over their sum, for the last 20 days;
 * -1 to 1.
 */
export function volumeBreadth(days: Series, members: readonly Bars[]): Series {
  const up = new Float64Array(days.length);
  const down = new Float64Array(days.length);
  const count = new Float64Array(days.length);
  for (const { time, close, volume } of members)
    eachDay(days, time, (day, bar) => {
      if (bar === 0) return;
      const dollars = close[bar]! * volume[bar]!;
      if (close[bar]! > close[bar - 1]!) up[day]! += dollars;
      if (close[bar]! < close[bar - 1]!) down[day]! += dollars;
      count[day]!++;
    });
  const rose = rollingSum(up, MONTH);
  const fell = rollingSum(down, MONTH);
  return rose.map((up, day) => {
    const both = up + fell[day]!;
    return count[day]! < MIN_STOCKS || !(both > 0) ? Number.NaN : (up - fell[day]!) / both;
  });
}

/**
 * Returns per day the share of coins that closed above their own 50-day mean on the day before, 0-1. A coin's day ends
 * at 00:00 UTC, so the session's own day is not over when the session closes.
 */
export function aboveMean(days: Series, coins: readonly Bars[]): Series {
  const above = tally(days.length);
  for (const { time, close } of coins) {
    const mean = sma(close, COIN_MEAN);
    const ended = time.map((start) => start + DAY);
    eachDay(days, ended, (day, bar) => {
      if (Number.isNaN(mean[bar]!)) return;
      above.sum[day]! += Number(close[bar]! > mean[bar]!);
      above.count[day]!++;
    });
  }
  return means(above, MIN_COINS);
}

const tally = (length: number) => ({ sum: new Float64Array(length), count: new Float64Array(length) });

function means({ sum, count }: ReturnType<typeof tally>, least: number): Series {
  const out = nanSeries(sum.length);
  for (let day = 0; day < out.length; day++) if (count[day]! >= least) out[day] = sum[day]! / count[day]!;
  return out;
}

/** Visits the days that both series contain; both are ascending. */
function eachDay(days: Series, time: Series, visit: (day: number, bar: number) => void): void {
  for (let day = 0, bar = 0; day < days.length && bar < time.length; ) {
    if (days[day]! === time[bar]!) visit(day++, bar++);
    else if (days[day]! < time[bar]!) day++;
    else bar++;
  }
}
