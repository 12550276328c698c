import { LRUCache } from "lru-cache";
import { type DailyPath, dailyPath } from "./daily.ts";
import { keyOf } from "./draws.ts";
import { DAY_TICKS, type Day, intraday, type Span } from "./intraday.ts";
import { CRYPTO, LISTINGS, type Listing } from "./listing.ts";
import { type Shocks, shocks } from "./shocks.ts";

/** What happened to a listing over the ticks [from, to) of a day, in dollars and shares or coins. */
export type Tape = (day: number, from: number, to: number) => Span;

/** Everything recorded of a listing. */
export interface Recording {
  readonly listing: Listing;
  readonly key: number;
  readonly path: DailyPath;
  readonly tape: Tape;
}

const MARKET_SPREAD = 0.16;
const SECTOR_SPREAD = 0.09;
const CRYPTO_SPREAD = 0.48;
const STOCK_SESSIONS = 252;
const COIN_SESSIONS = 365;
/** Days kept resolved to buckets over all listings, about 12 kB each. */
const CACHED_DAYS = 512;

/**
 * What is recorded of a symbol of the market called `id`, or null when it is not listed. Every draw descends
 * from `id`, so the answers do not depend on what was asked before; what is kept only saves time.
 */
export function recordingsOf(
  id: string,
  listed: readonly Listing[] = LISTINGS,
): (symbol: string) => Recording | null {
  const listings = new Map(listed.map((listing) => [listing.instrument.symbol, listing]));
  const recordings = new Map<string, Recording>();
  const resolved = new LRUCache<string, Day>({ max: CACHED_DAYS });
  const groups = new Map<string, Shocks>();
  const market = shocks(keyOf(id, "market"), MARKET_SPREAD, STOCK_SESSIONS);

  function groupOf({ group }: Listing): Shocks | null {
    if (group === null) return null;
    const known = groups.get(group);
    if (known !== undefined) return known;
    const made =
      group === CRYPTO
        ? shocks(keyOf(id, "group", group), CRYPTO_SPREAD, COIN_SESSIONS)
        : shocks(keyOf(id, "group", group), SECTOR_SPREAD, STOCK_SESSIONS);
    groups.set(group, made);
    return made;
  }

  function record(listing: Listing): Recording {
    const { symbol, asset_class } = listing.instrument;
    const key = keyOf(id, "symbol", symbol);
    const sessions = asset_class === "crypto" ? COIN_SESSIONS : STOCK_SESSIONS;
    const own = shocks(keyOf(key, "own"), listing.own, sessions);
    const path = dailyPath(listing, { market, group: groupOf(listing), own }, key);

    function dayOf(day: number): Day {
      const name = `${symbol} ${day}`;
      const known = resolved.get(name);
      if (known !== undefined) return known;
      const made = intraday(path.candle(day), keyOf(key, "day", day));
      resolved.set(name, made);
      return made;
    }
    const tape: Tape = (day, from, to) => {
      const span = from === 0 && to === DAY_TICKS ? path.candle(day) : dayOf(day).span(from, to);
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

  return (symbol) => {
    const known = recordings.get(symbol);
    if (known !== undefined) return known;
    const listing = listings.get(symbol);
    if (listing === undefined) return null;
    const made = record(listing);
    recordings.set(symbol, made);
    return made;
  };
}
