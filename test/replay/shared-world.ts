import { TIMEFRAME_MS } from "../../src/domain/market/bars.ts";
import { testData } from "../support/test-data.ts";
import { type Asset, assetsFrom } from "./tape/assets.ts";
import { DAY } from "./tape/candle.ts";
import { ticksOver } from "./tape/path.ts";
import { rowOf, rowsOf } from "./tape/rows.ts";
import { tellingBy } from "./tape/telling.ts";
import type { World, WorldBar } from "./world.ts";

export interface WorldOptions {
  /** Epoch ms. The newest day begun when the world is made is the last of the recordings. */
  readonly now: () => number;
  /** Folder of recorded bars, with `us_daily` and `crypto_daily` in it; null makes every price up. */
  readonly data?: string | null;
}

const WHOLE = Number.MAX_SAFE_INTEGER;

/**
 * The world of every replayed vendor. Closed bars never change while the clock moves, and nothing later than the
 * clock is told. Where there are recordings the daily bars are real, shifted so that the newest falls on the newest
 * day begun when the world was made; later days, and all other instruments, are drawn from their names. Every
 * instrument of the embedded directory is in it; NFLX, NVDA and WMT have split. `trade` tells of the session's
 * own open, high, low and volume once it has begun, of the trades before it until then.
 */
export function createWorld({ now, data = testData("ohlcv") }: WorldOptions): World {
  const { instruments, assetOf } = assetsFrom(data, now());
  const telling = tellingBy(now);

  /** The day's bar, as far as it is told; null before its first trade. */
  function dayBar(symbol: string, number: number, { count, candles, days, dateAt }: Asset): WorldBar | null {
    const time = count.dateOf(number);
    const candle = candles(number);
    if (candle === null || time + DAY <= dateAt(now())) return candle && rowOf(time, candle);
    const day = days(number);
    if (day === null) return null;
    if (ticksOver(day.main, now()) === day.main.ticks) return rowOf(time, candle);
    const [bar] = rowsOf(telling.parts(`${symbol} ${number}`, day, "regular"), WHOLE);
    return bar === undefined ? null : { ...bar, time };
  }

  return {
    now,
    instrument: (symbol) => instruments.get(symbol) ?? null,
    instruments: () => [...instruments.values()],

    bars(symbol, timeframe, { from, until, hours = "regular" }) {
      const asset = assetOf(symbol);
      if (asset === null) return [];
      const { count, days, dateAt } = asset;
      const end = Math.min(until, now());
      const numberAt = (instant: number) => count.numberAt(timeframe === "1d" ? instant : dateAt(instant));
      const [first, last] = [Math.max(0, numberAt(from)), numberAt(end)];
      const rows: WorldBar[] = [];
      for (let number = first; number <= last; number++) {
        if (timeframe === "1d") {
          const bar = dayBar(symbol, number, asset);
          if (bar !== null) rows.push(bar);
          continue;
        }
        const name = `${symbol} ${number}`;
        const kept = hours === "regular" ? telling.known(name) : undefined;
        const day = kept === undefined ? days(number) : null;
        const parts = kept ? [kept] : day === null ? [] : telling.parts(name, day, hours);
        rows.push(...rowsOf(parts, TIMEFRAME_MS[timeframe]));
      }
      return rows.filter(({ time }) => time >= from && time <= end);
    },

    trade(symbol) {
      const asset = assetOf(symbol);
      if (asset === null) return null;
      const { count, days, dateAt } = asset;
      const today = count.numberAt(dateAt(now()));
      for (const number of [today, today - 1]) {
        const day = days(number);
        const parts = day === null ? [] : telling.parts(`${symbol} ${number}`, day, "extended");
        const [newest] = rowsOf(parts.slice(-1), WHOLE);
        if (newest === undefined) continue;
        const whole = dayBar(symbol, number, asset) ?? newest;
        const before = dayBar(symbol, number - 1, asset);
        return {
          price: newest.close,
          at: parts.at(-1)!.end,
          previousClose: before?.close ?? whole.open,
          open: whole.open,
          high: Math.max(whole.high, newest.high),
          low: Math.min(whole.low, newest.low),
          volume: whole.volume,
        };
      }
      return null;
    },

    splits(symbol) {
      const asset = assetOf(symbol);
      if (asset === null) return [];
      const { count, dateAt, splits } = asset;
      return splits
        .map(({ number, factor }) => ({ day: count.dateOf(number), factor }))
        .filter(({ day }) => day <= dateAt(now()));
    },
  };
}
