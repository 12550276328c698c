import { asInstrument, type Instrument } from "../../src/domain/market/market.ts";
import { newYorkDay } from "../../src/lib/newyork.ts";
import { indexSessionOn } from "../../src/market/calendar/index-hours.ts";
import type { World, WorldBar } from "./world.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Indices of the simulated market: each is the price of one of its listings times a factor, rounded to cents. */
const INDICES: readonly (readonly [index: Instrument, of: string, factor: number])[] = [
  [asInstrument({ symbol: "^GSPC", name: "S&P 500" }), "SPY", 10],
  [asInstrument({ symbol: "^VIX", name: "CBOE Volatility Index" }), "BRK.B", 1 / 30],
];

/** Returns the world that lists only indices, with the levels of a world; unchanged if it is already one. */
export function indexWorld(world: World): World {
  if (world.instrument(INDICES[0]![0].symbol) !== null) return world;
  const find = (symbol: string) => INDICES.find(([index]) => index.symbol === symbol) ?? null;
  const own: World = {
    ...world,
    instruments: () => INDICES.map(([index]) => index),
    instrument: (symbol) => find(symbol)?.[0] ?? null,
    bars(symbol, timeframe, { from, until }) {
      const found = find(symbol);
      if (found === null) return [];
      const [, of, factor] = found;
      return world.bars(of, timeframe, { from, until }).map((bar) => levelsOf(bar, factor));
    },
    trade(symbol) {
      const now = world.now();
      const newest = own.bars(symbol, "5m", { from: now - 10 * DAY, until: now }).at(-1);
      if (newest === undefined) return null;
      const day = newYorkDay(newest.time);
      const days = own.bars(symbol, "1d", { from: day - 10 * DAY, until: day });
      const [before, today] = days.slice(-2);
      return {
        ...today!,
        price: newest.close,
        at: Math.min(Math.floor(now / MINUTE) * MINUTE, indexSessionOn(symbol, day)!.close),
        previousClose: before!.close,
      };
    },
    splits: () => [],
  };
  return own;
}

const levelsOf = (bar: WorldBar, factor: number): WorldBar => {
  const level = (price: number) => Math.round(100 * price * factor) / 100;
  return {
    time: bar.time,
    open: level(bar.open),
    high: level(bar.high),
    low: level(bar.low),
    close: level(bar.close),
    volume: 0,
  };
};
