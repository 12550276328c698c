import type { Bars } from "../../domain/market/bars.ts";
import { sliceBars } from "../../domain/market/bars.ts";
import type { FlowDay } from "../../domain/options-flow/options.ts";
import { atr } from "../indicators/atr.ts";
import { closedFormVolatility } from "./closed-form.ts";
import { MIN_ODDS_BARS } from "./range-model.ts";

/** Number of sessions over which implied and forecast moves are compared; the stored implied volatility is that of 30 days. */
export const IMPLIED_BARS = 20;
const SESSIONS_PER_YEAR = 252;
/** Mean absolute value of a standard normal variable. */
const MEAN_ABSOLUTE = Math.sqrt(2 / Math.PI);
const ATR_BARS = 14;

/** Returns the mean absolute move over 20 sessions, as a fraction, that an annualized volatility implies. */
export const impliedMove = (atmIv: number): number =>
  atmIv * Math.sqrt(IMPLIED_BARS / SESSIONS_PER_YEAR) * MEAN_ABSOLUTE;

/** Counts of past days on which either forecast of the move over 20 sessions was nearer to the actual move. */
export interface NearerRecord {
  /** Days with a stored implied volatility and 20 sessions after them; the sessions of neighbouring days overlap. */
  readonly days: number;
  /** Days on which the forecast of the closed form was nearer. */
  readonly forecast: number;
  readonly implied: number;
}

/**
 * Compares the implied move and the forecast of the closed form with the actual move, for every stored day with 20 later
 * daily bars. Equal errors count for neither.
 */
export function nearerRecord(bars: Bars, days: readonly FlowDay[]): NearerRecord {
  const indexes = new Map<string, number>();
  for (const [index, time] of bars.time.entries())
    indexes.set(new Date(time).toISOString().slice(0, 10), index);
  const ranges = atr(bars.high, bars.low, bars.close, ATR_BARS);
  let [compared, forecast, implied] = [0, 0, 0];
  for (const { day, atmIv } of days) {
    const index = indexes.get(day);
    if (index === undefined || atmIv === null || index + 1 < MIN_ODDS_BARS) continue;
    const later = bars.close[index + IMPLIED_BARS];
    if (later === undefined) continue;
    const actual = Math.abs(later / bars.close[index]! - 1);
    const known = sliceBars(bars, 0, index + 1);
    const expected = closedFormVolatility(known, ranges[index]!, IMPLIED_BARS) * MEAN_ABSOLUTE;
    const [forecastError, impliedError] = [
      Math.abs(expected - actual),
      Math.abs(impliedMove(atmIv) - actual),
    ];
    compared++;
    if (forecastError < impliedError) forecast++;
    else if (impliedError < forecastError) implied++;
  }
  return { days: compared, forecast, implied };
}
