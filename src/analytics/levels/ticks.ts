import type { AssetClass } from "../../domain/market/market.ts";
import { decimal, roundAwayFromZero, roundHalfUp, truncated } from "../../lib/decimal.ts";
import { pricePlaces } from "../../lib/price-places.ts";
import type { Levels } from "./levels.ts";
import { towardProfit, worseEdge } from "./side.ts";

/** Returns the valid price of an order that is nearest to a price. */
export const nearestTick = (price: number, assetClass: AssetClass): number =>
  Number(roundHalfUp(decimal(price), pricePlaces(price, assetClass)));

/**
 * Returns levels whose prices are valid prices of an order: entry zone and targets at the nearest tick, the stop at the
 * next tick beyond it, and the reward to risk of these prices. Levels that lie closer together than ticks stay exact.
 */
export function levelsAtTicks(levels: Levels, assetClass: AssetClass): Levels {
  const { side } = levels;
  const nearest = (price: number) => nearestTick(price, assetClass);
  const entry = { low: nearest(levels.entry.low), high: nearest(levels.entry.high) };
  const beyond = side === "LONG" ? truncated : roundAwayFromZero;
  const stop = Number(beyond(decimal(levels.stop), pricePlaces(levels.stop, assetClass)));
  const targets = levels.targets.map(nearest);
  const worse = worseEdge({ side, entry });
  const prices = [stop, worse, ...targets];
  const away = towardProfit(side);
  const isOrdered = prices.every((price, i) => price > 0 && (i === 0 || away * (price - prices[i - 1]!) > 0));
  if (!isOrdered) return levels;
  const reward_to_risk = Math.abs(targets[0]! - worse) / Math.abs(worse - stop);
  return { ...levels, entry, stop, targets, reward_to_risk, break_even_win_rate: 1 / (1 + reward_to_risk) };
}
