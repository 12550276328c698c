import { TIMEFRAME_MS, type Timeframe } from "../../src/domain/market/bars.ts";
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

/** Wednesday 2025-12-03, 10:42:30 New York: a regular session with every kind of bar in the making. */
export const MOMENT = Date.UTC(2025, 11, 3, 15, 42, 30);
/** Nothing is older than this. */
export const BEGINNING = Date.UTC(2022, 0, 3);
/** The day on which four new shares of AAPL came for one. */
export const SPLIT_DAY = Date.UTC(2025, 10, 10);

const named = (
  symbol: string,
  name: string,
  asset_class: AssetClass,
  sector: string | null = null,
): Instrument => ({ symbol, name, asset_class, sector, currency: "USD" });

/** Each with its price in cents, around which it moves by two per cent. */
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

/** A stock that the fixed world does not list, so that no vendor knows it. */
export const UNLISTED_STOCK = named("ZZQX", "Unlisted Holdings", "equity");
/** A token that the fixed world does not list. */
export const UNLISTED_TOKEN = named("ZZQX-USD", "Unlisted Coin", "crypto");

/**
 * A small world whose prices follow from the time alone: the five minutes of number k (since 1970) open at
 * `cents(k)`, whatever longer bar they belong to, so every length and every vendor can be checked to the cent.
 */
export function fixedWorld(now: number = MOMENT): World {
  const known = new Map(LISTED.map(([instrument, cents]) => [instrument.symbol, { instrument, cents }]));
  const cached = new Map<string, readonly WorldBar[]>();

  /** One bar from the five-minute steps within [start, end) that have begun. */
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

  function barsOfDay(symbol: string, timeframe: Timeframe, day: number, extended: boolean) {
    const key = `${symbol} ${timeframe} ${day} ${extended}`;
    const before = cached.get(key);
    if (before !== undefined) return before;
    const hours = hoursOf(known.get(symbol)!.instrument, day, extended && timeframe !== "1d");
    const bars: (WorldBar | null)[] = [];
    if (hours !== null && timeframe === "1d") bars.push(made(symbol, day, hours.open, hours.close));
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
      // before the open the day has no bar yet; the morning's trades are used instead
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

/** Opening price of the five minutes at a time: a fixed walk within two per cent of the middle. */
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

/** Serves the bars of a symbol as they are at a moment (epoch ms), changed by `change`. */
export const fixedHistory =
  (
    at: () => number,
    { symbol = () => "AAPL", change = (bars) => bars }: { symbol?: () => string; change?: ChangeBars } = {},
  ) =>
  async ({ timeframe, from, until }: Pick<ProviderBarsRequest, "timeframe" | "from" | "until">) =>
    providerBars(change(fixedWorld(at()).bars(symbol(), timeframe, { from, until })));
export type ChangeBars = (bars: ProviderBars["bars"]) => ProviderBars["bars"];
