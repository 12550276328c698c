import { type ProviderTimeframe, TIMEFRAME_MS } from "../../src/domain/market/bars.ts";
import type { AssetClass, Instrument } from "../../src/domain/market/market.ts";
import type { ProviderBars, ProviderBarsRequest } from "../../src/domain/providers/price-provider.ts";
import { newYorkDay } from "../../src/lib/newyork.ts";
import { sessionOf } from "../../src/market/calendar/calendar.ts";
import { simulatedTopics } from "../replay/topics.ts";
import type { World, WorldBar } from "../replay/world.ts";
import { providerBars } from "./providers.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEP = TIMEFRAME_MS["5m"];

/** Wednesday 2025-12-03, 10:42:30 New York: during a regular session, with a forming bar of every length. */
export const MOMENT = Date.UTC(2025, 11, 3, 15, 42, 30);
/** Earliest time of any data. */
export const BEGINNING = Date.UTC(2022, 0, 3);
/** Date of AAPL's four-for-one split. */
export const SPLIT_DAY = Date.UTC(2025, 10, 10);

const named = (
  symbol: string,
  name: string,
  asset_class: AssetClass,
  sector: string | null = null,
): Instrument => ({ symbol, name, asset_class, sector, currency: "USD" });

/** Instruments with their price in cents; prices stay within two percent of it. */
const LISTED: readonly (readonly [Instrument, number])[] = [
  [named("AAPL", "Apple", "equity", "Information Technology"), 25_000],
  [named("BRK.B", "Berkshire Hathaway Class B", "equity", "Financials"), 49_000],
  [named("LINK", "Interlink Electronics", "equity", "Information Technology"), 4_000],
  [named("SPY", "SPDR S&P 500 ETF", "etf"), 66_000],
  [named("BTC-USD", "Bitcoin", "crypto"), 9_000_000],
  [named("ETH-USD", "Ethereum", "crypto"), 300_000],
  [named("LINK-USD", "Chainlink", "crypto"), 1_400],
];

/** An instrument of the fixed world by its canonical symbol. */
export const fixed = (symbol: string): Instrument => LISTED.find(([{ symbol: of }]) => of === symbol)![0];

/** A stock that is not in the fixed world. */
export const UNLISTED_STOCK = named("ZZQX", "Unlisted Holdings", "equity");
/** A token that is not in the fixed world. */
export const UNLISTED_TOKEN = named("ZZQX-USD", "Unlisted Coin", "crypto");

/**
 * A small world whose prices depend on the time only: five-minute bar number k (since 1970) opens at `cents(k)` in
 * every timeframe, so every length and every vendor can be checked to the cent.
 */
export function fixedWorld(now: number = MOMENT): World {
  const known = new Map(LISTED.map(([instrument, cents]) => [instrument.symbol, { instrument, cents }]));
  const cached = new Map<string, readonly WorldBar[]>();

  /** One minute of a five-minute bar: the first one moves from its open to its close. */
  function minuteOf(symbol: string, time: number): WorldBar | null {
    const { instrument, cents } = known.get(symbol)!;
    if (time > now) return null;
    const step = Math.floor(time / STEP) * STEP;
    const minute = (time - step) / MINUTE;
    const closed = closingCents(cents, step);
    const opened = minute === 0 ? centsAt(cents, step) : closed;
    const volume = 200 + minute;
    return {
      time,
      open: opened / 100,
      high: (Math.max(opened, closed) + 3) / 100,
      low: (Math.min(opened, closed) - 2) / 100,
      close: closed / 100,
      volume: instrument.asset_class === "crypto" ? volume / 1000 : volume,
    };
  }

  /** One bar from the five-minute bars within [start, end) that have begun. */
  function made(symbol: string, time: number, start: number, end: number): WorldBar | null {
    const { instrument, cents } = known.get(symbol)!;
    const last = Math.min(end, Math.floor(now / STEP) * STEP + STEP);
    if (start >= last) return null;
    let [high, low, volume] = [0, Number.POSITIVE_INFINITY, 0];
    for (let at = start; at < last; at += STEP) {
      const [opened, closed] = [centsAt(cents, at), closingCents(cents, at)];
      high = Math.max(high, opened + 3, closed + 3);
      low = Math.min(low, opened - 2, closed - 2);
      volume += 1000 + ((at / STEP) % 977);
    }
    return {
      time,
      open: centsAt(cents, start) / 100,
      high: high / 100,
      low: low / 100,
      close: closingCents(cents, last - STEP) / 100,
      volume: instrument.asset_class === "crypto" ? volume / 1000 : volume,
    };
  }

  function barsOfDay(symbol: string, timeframe: ProviderTimeframe, day: number, extended: boolean) {
    const key = `${symbol} ${timeframe} ${day} ${extended}`;
    const before = cached.get(key);
    if (before !== undefined) return before;
    const hours = hoursOf(known.get(symbol)!.instrument, day, extended && timeframe !== "1d");
    const bars: (WorldBar | null)[] = [];
    if (hours !== null && timeframe === "1d") bars.push(made(symbol, day, hours.open, hours.close));
    else if (hours !== null && timeframe === "1m")
      for (let start = hours.open; start < hours.close; start += MINUTE) bars.push(minuteOf(symbol, start));
    else if (hours !== null)
      for (let start = hours.open; start < hours.close; start += TIMEFRAME_MS[timeframe])
        bars.push(made(symbol, start, start, Math.min(start + TIMEFRAME_MS[timeframe], hours.close)));
    const begun = bars.filter((bar) => bar !== null);
    cached.set(key, begun);
    return begun;
  }

  const world: World = {
    now: () => now,
    ...simulatedTopics({ now: () => now }),
    instrument: (symbol) => known.get(symbol)?.instrument ?? null,
    instruments: () => LISTED.map(([instrument]) => instrument),
    bars(symbol, timeframe, { from, until, hours = "regular" }) {
      if (!known.has(symbol)) return [];
      const first = Math.max(BEGINNING, Math.floor(from / DAY) * DAY - DAY);
      const bars: WorldBar[] = [];
      for (let day = first; day <= Math.min(until, now); day += DAY)
        bars.push(...barsOfDay(symbol, timeframe, day, hours === "extended"));
      return bars.filter(({ time }) => time >= from && time <= until);
    },
    trade(symbol) {
      const found = known.get(symbol)?.instrument;
      if (found === undefined) return null;
      const newest = world
        .bars(symbol, "5m", { from: now - 10 * DAY, until: now, hours: "extended" })
        .at(-1)!;
      const day =
        found.asset_class === "crypto" ? Math.floor(newest.time / DAY) * DAY : newYorkDay(newest.time);
      const days = world.bars(symbol, "1d", { from: day - 10 * DAY, until: day });
      const before = days.findLast(({ time }) => time < day)!;
      // before the open the day has no bar yet; the pre-market trades are used instead
      const { open, high, low, volume } = days.find(({ time }) => time === day) ?? newest;
      return {
        price: newest.close,
        at: Math.min(Math.floor(now / MINUTE) * MINUTE, newest.time + STEP),
        previousClose: before.close,
        open,
        high,
        low,
        volume,
      };
    },
    splits: (symbol) => (symbol === "AAPL" ? [{ day: SPLIT_DAY, factor: 4 }] : []),
  };
  return world;
}

/** Opening price of the five-minute bar at a time: a deterministic path within two percent of the middle. */
function centsAt(middle: number, time: number): number {
  return Math.round(middle * (1 + ((((time / STEP) * 7919) % 10_007) - 5003) / 250_000));
}

const closingCents = (middle: number, time: number): number =>
  Math.round((centsAt(middle, time) + centsAt(middle, time + STEP)) / 2);

function hoursOf({ asset_class }: Instrument, day: number, extended: boolean) {
  if (asset_class === "crypto") return { open: day, close: day + DAY };
  const session = sessionOf(new Date(day).toISOString().slice(0, 10));
  if (session === null || !extended) return session;
  return { open: session.open - 5.5 * HOUR, close: session.close + 4 * HOUR };
}

/** Serves the bars of a symbol as of an instant (epoch ms), changed by `change`. */
export const fixedHistory =
  (
    at: () => number,
    { symbol = () => "AAPL", change = (bars) => bars }: { symbol?: () => string; change?: ChangeBars } = {},
  ) =>
  async ({ timeframe, from, until }: Pick<ProviderBarsRequest, "timeframe" | "from" | "until">) =>
    providerBars(change(fixedWorld(at()).bars(symbol(), timeframe as ProviderTimeframe, { from, until })));
export type ChangeBars = (bars: ProviderBars["bars"]) => ProviderBars["bars"];
