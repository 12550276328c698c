import type { Instrument } from "../../../src/domain/market/market.ts";
import { tickerOf } from "../../../src/market/symbols/listings.ts";
import { newYorkDayRange } from "../../../src/providers/shared/timestamps.ts";
import type { World } from "../world.ts";

/** One trade of the world's tape. */
export interface WorldTradeRow {
  /** When it was made and when the tape told it, epoch ms. */
  readonly made: number;
  readonly told: number;
  readonly price: number;
  readonly size: number;
  readonly id: number;
  /** Whether it was made off exchange. */
  readonly off: boolean;
  readonly condition: "none" | "average_price" | "odd_lot";
  /** Where within the quotes: 1 at the offer, -1 at the bid, 0 between. */
  readonly side: 1 | 0 | -1;
}

/** A day's off-exchange part of the whole volume, in shares. */
export interface WorldOffExchange {
  readonly short: number;
  readonly exempt: number;
  readonly total: number;
}

/** A number in [0, 1) that follows from its name. */
function fraction(name: string): number {
  let h = 0x811c9dc5;
  for (const letter of name) h = Math.imul(h ^ letter.codePointAt(0)!, 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return ((h ^ (h >>> 13)) >>> 0) / 4_294_967_296;
}

/** The stock or fund that a ticker of the tape names; null for what the world does not list. */
export function tickered(world: World, ticker: string): Instrument | null {
  const found = world.instrument(`${ticker}.US`) ?? world.instrument(ticker);
  return found === null || found.asset_class === "crypto" || tickerOf(found) !== ticker ? null : found;
}

/** Trades of a session until now, oldest first: two for each half hour of the regular session, one of them off exchange. */
export function tradesOf(world: World, { symbol }: Instrument, date: string): readonly WorldTradeRow[] {
  const { from, until } = newYorkDayRange(date);
  return world
    .bars(symbol, "30m", { from, until: until - 1 })
    .flatMap(({ time, close, volume }, i): readonly WorldTradeRow[] => {
      const name = `${symbol} ${time}`;
      const told = time + 29 * 60_000 + Math.floor(40_000 * fraction(`${name} at`));
      const notional = 150_000 * 2 ** (6 * fraction(`${name} size`));
      const size = Math.max(1, Math.min(Math.round(notional / close), Math.max(1, Math.floor(volume / 4))));
      const common = { told, price: close, side: ([1, 0, -1] as const)[i % 3]! };
      return [
        { ...common, made: told, size: 100, id: 2 * i + 1, off: false, condition: "none" },
        {
          ...common,
          made: told - (i % 7 === 6 ? 25_000 : 1_000),
          size,
          id: 2 * i + 2,
          off: true,
          condition: i % 5 === 4 ? "average_price" : "none",
        },
      ];
    })
    .filter(({ told }) => told <= world.now());
}

/** What was reported off exchange of a session that is over; null for another day. */
export function offExchangeOf(world: World, { symbol }: Instrument, day: number): WorldOffExchange | null {
  const [bar] = world.bars(symbol, "1d", { from: day, until: day });
  if (bar === undefined) return null;
  const total = bar.volume * (0.35 + 0.15 * fraction(`${symbol} ${day} off`));
  const short = total * (0.4 + 0.15 * fraction(`${symbol} ${day} short`));
  return { total, short, exempt: short * 0.004 };
}
