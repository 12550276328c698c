import { createBoundedCache } from "../../lib/bounded-cache.ts";
import { type DailyPath, dailyPath, type SlotCandles } from "./daily.ts";
import { keyOf } from "./draws.ts";
import { DAY_TICKS, intraday, type Span } from "./intraday.ts";
import { CRYPTO, LISTINGS, type Listing } from "./listing.ts";
import { type Shocks, shocks } from "./shocks.ts";

/** Caches the results of `make` by the key of its arguments. Above `max` entries, the least recently used is dropped. */
export function cached<Args extends readonly unknown[], Result extends object>(
  max: number,
  keyOf: (...args: Args) => string | number,
  make: (...args: Args) => Result,
): (...args: Args) => Result {
  const results = createBoundedCache<string | number, Result>({ name: "simulated market", max });
  return (...args) => {
    const key = keyOf(...args);
    const known = results.get(key);
    if (known !== undefined) return known;
    const created = make(...args);
    results.set(key, created);
    return created;
  };
}

/**
 * Returns open, high, low, close (US dollars) and volume (shares or coins) of a listing over the ticks [from, to) of a
 * day.
 */
export type Tape = (day: number, from: number, to: number) => Span;

/** The simulated prices of a listing, with the key from which its other draws are derived. */
export interface Recording {
  readonly listing: Listing;
  readonly key: number;
  readonly path: DailyPath;
  readonly tape: Tape;
}

/** Returns the recording of a symbol; null for a symbol that is not listed. */
export type Recordings = (symbol: string) => Recording | null;

/** Yearly standard deviation of the moves of the market, of each sector and of all coins, as fractions. */
export const MARKET_SPREAD = 0.16;
export const SECTOR_SPREAD = 0.09;
export const CRYPTO_SPREAD = 0.48;
/** Number of days over which a yearly standard deviation accumulates. */
export const STOCK_SESSIONS = 252;
export const COIN_SESSIONS = 365;
/** Number of days cached at tick resolution, all listings together, about 12 kB each. */
const CACHED_DAYS = 512;

/**
 * Creates the recordings of the market `id`. Every draw is derived from `id`, so results do not depend on the order of
 * calls; caches only save time.
 */
export function recordingsOf(id: string, listed: readonly Listing[] = LISTINGS): Recordings {
  const groups = new Map(listed.flatMap(({ group }) => (group === null ? [] : [[group, shocksOf(group)]])));
  const slots: SlotCandles = createBoundedCache({ name: "simulated candles" });
  const market = shocks(keyOf(id, "market"), MARKET_SPREAD, STOCK_SESSIONS);
  const resolved = cached(
    CACHED_DAYS,
    (symbol: string, _key: number, _path: DailyPath, day: number) => `${symbol} ${day}`,
    (_symbol, key, path, day) => intraday(path.candle(day), keyOf(key, "day", day)),
  );

  function shocksOf(group: string): Shocks {
    const [spread, sessions] =
      group === CRYPTO ? [CRYPTO_SPREAD, COIN_SESSIONS] : [SECTOR_SPREAD, STOCK_SESSIONS];
    return shocks(keyOf(id, "group", group), spread, sessions);
  }

  function record(listing: Listing): Recording {
    const { symbol, asset_class } = listing.instrument;
    const key = keyOf(id, "symbol", symbol);
    const sessions = asset_class === "crypto" ? COIN_SESSIONS : STOCK_SESSIONS;
    const own = shocks(keyOf(key, "own"), listing.own, sessions);
    const sources = { market, group: groups.get(listing.group ?? "") ?? null, own };
    const path = dailyPath(listing, sources, key, slots);
    const tape: Tape = (day, from, to) => {
      const span =
        from === 0 && to === DAY_TICKS ? path.candle(day) : resolved(symbol, key, path, day).span(from, to);
      return {
        open: span.open / listing.scale,
        high: span.high / listing.scale,
        low: span.low / listing.scale,
        close: span.close / listing.scale,
        volume: span.volume / path.parts,
      };
    };
    return { listing, key, path, tape };
  }

  const recordings = new Map(listed.map((listing) => [listing.instrument.symbol, record(listing)]));
  return (symbol) => recordings.get(symbol) ?? null;
}

/** Caches simulated data by listing and day. */
export const cachedByDay = <Result extends object>(
  max: number,
  make: (recording: Recording, day: number) => Result,
): ((recording: Recording, day: number) => Result) =>
  cached(max, ({ listing }, day) => `${listing.instrument.symbol} ${day}`, make);
