import { sessionOf } from "../../src/market/calendar/calendar.ts";
import type { Candle } from "../../src/providers/sample/daily.ts";
import { bell, draw, keyOf, unit } from "../../src/providers/sample/draws.ts";
import { DAY_TICKS, type Day, intraday, TICK_MS } from "../../src/providers/sample/intraday.ts";
import { cached, type Recording } from "../../src/providers/sample/recordings.ts";
import { DAY_MS, dayAt, EPOCH, isoDate } from "../../src/providers/sample/time.ts";

/** Pre-market and evening trading of US stocks, ms. */
const PRE_MS = 5.5 * 3_600_000;
const POST_MS = 4 * 3_600_000;
/** Volume of an extended session relative to the regular session. */
const EXTENDED_VOLUME = 0.012;
const CACHED_STRETCHES = 4_096;

/** A period of uninterrupted trading: a regular session, the hours before or after one, or a UTC day. */
export interface Stretch {
  /** Epoch ms. */
  readonly start: number;
  readonly ticks: number;
  readonly candle: Candle;
  /** The period's candle at tick resolution. */
  day(): Day;
}

/** The stretches of one trading day, in order. */
export interface TradingDay {
  readonly pre: Stretch | null;
  readonly regular: Stretch;
  readonly post: Stretch | null;
}

/**
 * Trading days of recordings by date (00:00 UTC, epoch ms). Stocks and funds: the day's candle is the regular session,
 * after-hours trading starts at its close, and pre-market trading runs from the last after-hours price to the open.
 * Crypto: the UTC day. Null for dates without trading and before 2017.
 */
export function tradingDays(): (recording: Recording, date: number) => TradingDay | null {
  const sessions = new Map<number, ReturnType<typeof sessionOf>>();
  const resolved = cached(
    CACHED_STRETCHES,
    (key: number, start: number, _ticks: number, _candle: Candle) => `${key} ${start}`,
    (key, _start, ticks, candle) => intraday(candle, key, ticks),
  );

  function sessionOn(date: number): ReturnType<typeof sessionOf> {
    const known = sessions.get(date);
    if (known !== undefined) return known;
    const session = date < EPOCH ? null : sessionOf(isoDate(date));
    sessions.set(date, session);
    return session;
  }

  function stretch(key: number, start: number, ms: number, candle: Candle): Stretch {
    const ticks = ms / TICK_MS;
    return { start, ticks, candle, day: () => resolved(key, start, ticks, candle) };
  }

  function previousSession(date: number): number | null {
    for (let day = date - DAY_MS; day >= EPOCH; day -= DAY_MS) if (sessionOn(day) !== null) return day;
    return null;
  }

  return ({ listing, key, path }, date) => {
    const number = dayAt(date);
    if (number < 0) return null;
    const candle = path.candle(number);
    if (listing.instrument.asset_class === "crypto")
      return {
        pre: null,
        regular: stretch(keyOf(key, "day", number), date, DAY_TICKS * TICK_MS, candle),
        post: null,
      };
    const session = sessionOn(date);
    if (session === null) return null;
    const { open, close } = session;
    const evening = (on: number) => eveningOf(path.candle(dayAt(on)), keyOf(key, "post", dayAt(on)));
    const before = previousSession(date);
    const preKey = keyOf(key, "pre", number);
    const preOpen = before === null ? candle.open : evening(before).close;
    const pre = extendedCandle(candle, preOpen, candle.open, preKey);
    return {
      pre: stretch(preKey, open - PRE_MS, PRE_MS, pre),
      regular: stretch(keyOf(key, "session", number), open, close - open, candle),
      post: stretch(keyOf(key, "post", number), close, POST_MS, evening(date)),
    };
  };
}

/** The after-hours trading that follows a session. */
const eveningOf = (session: Candle, key: number): Candle =>
  extendedCandle(
    session,
    session.close,
    Math.max(1, Math.round(session.close + 0.2 * session.spread * bell(draw(key, 0)))),
    key,
  );

/** A candle of low-volume trading between two prices. */
function extendedCandle({ spread, volume }: Candle, open: number, close: number, key: number): Candle {
  const reach = (index: number) => Math.round(0.15 * spread * unit(draw(key, index)));
  return {
    open,
    close,
    high: Math.max(open, close) + reach(1),
    low: Math.max(1, Math.min(open, close) - reach(2)),
    volume: Math.floor(volume * EXTENDED_VOLUME * (0.5 + unit(draw(key, 3)))),
    spread: 0.4 * spread,
  };
}
