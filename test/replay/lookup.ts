import type { Instrument } from "../../src/domain/market/market.ts";
import type { World } from "./world.ts";

const DAY_MS = 86_400_000;

/** The instrument listed under a ticker or canonical symbol. */
export const instrumentOf = (world: World, ticker: string): Instrument | null =>
  world.instrument(ticker) ?? world.instrument(`${ticker}.US`);

/** The stock or fund listed under a ticker. */
export function stockOf(world: World, ticker: string): Instrument | null {
  const found = instrumentOf(world, ticker);
  return found?.asset_class === "crypto" ? null : found;
}

/** The newest trade of a listed symbol with its last 24 hours, the rolling day of a token. */
export function rollingDay(world: World, symbol: string) {
  const { price, at } = world.trade(symbol)!;
  const bars = world.bars(symbol, "5m", { from: world.now() - DAY_MS, until: world.now() });
  return {
    price,
    at,
    open: bars[0]!.open,
    high: Math.max(...bars.map(({ high }) => high)),
    low: Math.min(...bars.map(({ low }) => low)),
    volume: bars.reduce((sum, { volume }) => sum + volume, 0),
  };
}
