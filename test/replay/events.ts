import type { Instrument } from "../../src/domain/market/market.ts";
import { isoDate } from "../../src/lib/iso-date.ts";
import { newYorkDate } from "../../src/lib/newyork.ts";
import { sessionOf } from "../../src/market/calendar/calendar.ts";
import { tickerOf } from "../../src/market/symbols/listings.ts";
import type { World } from "./world.ts";

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/** Stocks and funds of a world with their position in its list. */
const stocksOf = (world: World): readonly (readonly [number, Instrument])[] =>
  world.instruments().flatMap((one, i) => (one.asset_class === "crypto" ? [] : [[i, one] as const]));

/** `8/31/2026` of a date. */
export const usDate = (date: string): string =>
  `${Number(date.slice(5, 7))}/${Number(date.slice(8))}/${date.slice(0, 4)}`;
const daysAfter = (date: string, days: number): string => isoDate(Date.parse(date) + days * DAY);

export interface WorldDividend {
  readonly ticker: string;
  readonly name: string;
  readonly date: string;
  readonly paid: string;
  readonly amount: number;
}

/** Dividends whose ex-date is a date: each stock has one in the middle month of a quarter. */
export const dividendsOn = (date: string, world: World): readonly WorldDividend[] =>
  Number(date.slice(5, 7)) % 3 !== 2
    ? []
    : stocksOf(world)
        .filter(([i]) => 3 + (i % 20) === Number(date.slice(8)))
        .map(([i, instrument]) => ({
          ticker: tickerOf(instrument),
          name: `${instrument.name} Common Stock`,
          date,
          paid: daysAfter(date, 14),
          amount: 0.05 + (i % 7) / 10,
        }));

/** Dividends of a stock from a year before now until 40 days after it, newest first. */
export function dividendsOf(instrument: Instrument, world: World): readonly WorldDividend[] {
  const today = newYorkDate(world.now());
  return Array.from({ length: 405 }, (_, back) => daysAfter(today, 40 - back))
    .flatMap((date) => dividendsOn(date, world))
    .filter(({ ticker }) => ticker === tickerOf(instrument));
}

/** A reverse split of one stock on each date. */
export function splitsOn(date: string, world: World) {
  const stocks = stocksOf(world);
  const [, instrument] = stocks[Math.floor(Date.parse(date) / DAY) % stocks.length]!;
  return [{ ticker: tickerOf(instrument), name: instrument.name, ratio: "1 : 10", date }];
}

/** Two halts of a session until now: one of five minutes, and one that still holds. */
export function haltsOn(date: string, world: World) {
  const session = sessionOf(date);
  if (session === null) return [];
  const stocks = stocksOf(world);
  const first = Math.floor(Date.parse(date) / DAY);
  return [
    { of: stocks[first % stocks.length]![1], at: session.open + 17 * MINUTE, code: "LUDP", minutes: 5 },
    {
      of: stocks[(first + 1) % stocks.length]![1],
      at: session.open + 40 * MINUTE,
      code: "T1",
      minutes: null,
    },
  ].filter(({ at }) => at <= world.now());
}
