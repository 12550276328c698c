import type { Instrument } from "../../../src/domain/market/market.ts";
import { newYorkDay } from "../../../src/lib/newyork.ts";
import { sessionOf } from "../../../src/market/calendar/calendar.ts";
import { embeddedListings } from "../../../src/market/symbols/listings.ts";
import { keyOf } from "../../../src/providers/sample/draws.ts";
import { type DayCount, type Days, UTC_DAYS } from "./candle.ts";
import { shifted, splitsOf } from "./days.ts";
import { aroundTheClock, inSessions, type TradingDays } from "./hours.ts";
import { recordings } from "./recorded.ts";
import { sessionDays } from "./sessions.ts";
import { simulation } from "./simulated.ts";

/** Everything that ever happens to an instrument, days to come included. */
export interface Asset {
  readonly count: DayCount;
  readonly candles: Days;
  readonly days: TradingDays;
  readonly splits: readonly { readonly number: number; readonly factor: number }[];
  /** The time by which days are counted: of the UTC day itself, or 00:00 UTC of the date that New York shows. */
  readonly dateAt: (instant: number) => number;
}

/** Every instrument of the embedded directory, and what happens to each, worked out when first asked for. */
export function assetsFrom(data: string | null, madeAt: number) {
  const listings = embeddedListings();
  const all = [...listings.us.values(), ...listings.tokens.values()].map(({ instrument }) => instrument);
  const instruments = new Map(all.map((instrument) => [instrument.symbol, instrument]));
  const real = recordings(data, listings);
  const made = simulation();
  const sessions = sessionDays();
  const newest = { session: newestSession(sessions, madeAt), utc: UTC_DAYS.numberAt(madeAt) };
  const assets = new Map<string, Asset>();

  function list(instrument: Instrument): Asset {
    const crypto = instrument.asset_class === "crypto";
    const [count, anchor] = crypto ? [UTC_DAYS, newest.utc] : [sessions, newest.session];
    const drawn = made(instrument);
    const recorded = anchor < 0 ? null : real(instrument);
    const candles = recorded === null ? drawn : shifted(recorded, anchor, drawn);
    const key = keyOf("replay", instrument.symbol);
    return {
      count,
      candles,
      days: (crypto ? aroundTheClock : inSessions)(candles, count, key),
      splits: splitsOf(instrument, anchor),
      dateAt: crypto ? (instant) => instant : newYorkDay,
    };
  }

  return {
    instruments,
    assetOf(symbol: string): Asset | null {
      const instrument = instruments.get(symbol);
      if (instrument === undefined) return null;
      const asset = assets.get(symbol) ?? list(instrument);
      assets.set(symbol, asset);
      return asset;
    },
  };
}

/** The newest session that has begun; -1 before the first of 2017. */
function newestSession(sessions: DayCount, at: number): number {
  const number = sessions.numberAt(newYorkDay(at));
  if (number < 0) return number;
  const session = sessionOf(new Date(sessions.dateOf(number)).toISOString().slice(0, 10));
  return session !== null && session.open <= at ? number : number - 1;
}
