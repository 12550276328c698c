import { sessionOf } from "../../../src/market/calendar/calendar.ts";
import { bell, draw, keyOf, unit } from "../../../src/providers/sample/draws.ts";
import { DAY, type DayCandle, type DayCount, type Days } from "./candle.ts";
import { type Stretch, TICK } from "./path.ts";

/** Pre-market and evening trading of US stocks. */
const BEFORE = 5.5 * 3_600_000;
const AFTER = 4 * 3_600_000;
/** Volume outside the session as part of the session's. */
const QUIET = 0.012;

/** The stretches of one day, in order. */
export interface TradingDay {
  readonly pre: Stretch | null;
  readonly main: Stretch;
  readonly post: Stretch | null;
}

/** The days of an instrument with their hours; null before the first. */
export type TradingDays = (number: number) => TradingDay | null;

/** A market that never closes: the UTC day is its session. */
export const aroundTheClock =
  (days: Days, count: DayCount, key: number): TradingDays =>
  (number) => {
    const candle = days(number);
    if (candle === null) return null;
    const main = { start: count.dateOf(number), ticks: DAY / TICK, candle, key: keyOf(key, number) };
    return { pre: null, main, post: null };
  };

/** Sessions with the quiet hours around them: the evening goes on from the close, the morning from that evening to the open. */
export function inSessions(days: Days, count: DayCount, key: number): TradingDays {
  const evening = (candle: DayCandle, number: number) =>
    quiet(candle, candle.close, after(candle, keyOf(key, "post", number)), keyOf(key, "post", number));
  return (number) => {
    const candle = number < 0 ? null : days(number);
    if (candle === null) return null;
    const session = sessionOf(new Date(count.dateOf(number)).toISOString().slice(0, 10));
    if (session === null) return null;
    const yesterday = days(number - 1);
    const last = yesterday === null ? null : evening(yesterday, number - 1);
    const from = last === null ? candle.open : Math.round((last.close / last.scale) * candle.scale);
    const ofPre = keyOf(key, "pre", number);
    return {
      pre: {
        start: session.open - BEFORE,
        ticks: BEFORE / TICK,
        candle: quiet(candle, Math.max(1, from), candle.open, ofPre),
        key: ofPre,
      },
      main: {
        start: session.open,
        ticks: (session.close - session.open) / TICK,
        candle,
        key: keyOf(key, number),
      },
      post: {
        start: session.close,
        ticks: AFTER / TICK,
        candle: evening(candle, number),
        key: keyOf(key, "post", number),
      },
    };
  };
}

const after = ({ close, spread }: DayCandle, key: number): number =>
  Math.max(1, Math.round(close + 0.2 * spread * bell(draw(key, 0))));

/** Hours of small trading between two prices, in the units of the day. */
function quiet({ spread, volume, scale, parts }: DayCandle, open: number, close: number, key: number) {
  const reach = (index: number) => Math.round(0.15 * spread * unit(draw(key, index)));
  return {
    open,
    close,
    high: Math.max(open, close) + reach(1),
    low: Math.max(1, Math.min(open, close) - reach(2)),
    volume: Math.floor(volume * QUIET * (0.5 + unit(draw(key, 3)))),
    spread: 0.4 * spread,
    scale,
    parts,
  };
}
