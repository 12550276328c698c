import type { AssetClass } from "../../domain/market/market.ts";
import { pricePlaces } from "../../lib/price-places.ts";
import { type Levels, type LevelsOutcome, MIN_REWARD_TO_RISK } from "./levels.ts";
import { rewardToRisk } from "./reward-to-risk.ts";
import { towardProfit, worseEdge } from "./side.ts";

/** Returns the valid price of an order that is nearest to a price. */
export const nearestTick = (price: number, assetClass: AssetClass): number =>
  Number(price.toFixed(pricePlaces(price, assetClass)));

/** Returns the tick one step from another, up for direction 1, down for -1. */
function nextTick(tick: number, direction: number, assetClass: AssetClass): number {
  const places = pricePlaces(tick, assetClass);
  return Number((tick + direction * 10 ** -places).toFixed(places));
}

/** Returns the tick at a price, or else the next one in a direction. */
function tickToward(price: number, direction: number, assetClass: AssetClass): number {
  const tick = nearestTick(price, assetClass);
  return direction * (tick - price) < 0 ? nextTick(tick, direction, assetClass) : tick;
}

/**
 * Returns levels whose prices are valid prices of an order: entry zone and targets at the nearest tick, the stop at the
 * next tick beyond it, and the reward to risk of these prices, rounded down to hundredths. Zone, stop and targets lie at
 * least one tick apart, and the first target moves by one more tick where rounding alone would carry the ratio across
 * its minimum. A SHORT target at or below 0 is omitted; there are no levels if that leaves none, or no stop.
 */
export function levelsAtTicks(levels: Levels, assetClass: AssetClass): LevelsOutcome {
  const { side } = levels;
  const away = towardProfit(side);
  const entry = zoneAtTicks(levels.entry, assetClass);
  const worse = worseEdge({ side, entry });
  const better = side === "LONG" ? entry.low : entry.high;
  const stopTick = tickToward(levels.stop, -away, assetClass);
  const stop = away * (better - stopTick) > 0 ? stopTick : nextTick(better, -away, assetClass);
  const ratioOf = (target: number) => rewardToRisk({ side, entry, stop }, target);
  /** Returns a target, or the tick after the price before it if it is not beyond that. */
  const targetBeyond = (previous: number, target: number) =>
    away * (target - previous) > 0 ? target : nextTick(previous, away, assetClass);

  const isEnough = levels.reward_to_risk >= MIN_REWARD_TO_RISK;
  const agrees = (target: number) => ratioOf(target) >= MIN_REWARD_TO_RISK === isEnough;
  const nearest = targetBeyond(worse, nearestTick(levels.targets[0]!, assetClass));
  const adjacent = targetBeyond(worse, nextTick(nearest, isEnough ? away : -away, assetClass));
  const first = !agrees(nearest) && agrees(adjacent) ? adjacent : nearest;
  const targets = [first];
  for (const target of levels.targets.slice(1))
    targets.push(targetBeyond(targets.at(-1)!, nearestTick(target, assetClass)));

  if (!(first > 0 && stop > 0 && entry.low > 0 && entry.high > entry.low))
    return { levels: null, reason: "Price steps are too wide at this price for a stop and a target" };
  const reward_to_risk = ratioOf(first);
  return {
    levels: {
      ...levels,
      entry,
      stop,
      targets: targets.filter((price) => price > 0),
      reward_to_risk,
      break_even_win_rate: 1 / (1 + reward_to_risk),
    },
    reason: null,
  };
}

/** Returns a zone at the nearest ticks, or at those around it if these are one price. */
function zoneAtTicks(zone: Levels["entry"], assetClass: AssetClass): Levels["entry"] {
  const low = nearestTick(zone.low, assetClass);
  const high = nearestTick(zone.high, assetClass);
  if (low < high) return { low, high };
  const below = tickToward(zone.low, -1, assetClass);
  return {
    low: below,
    high: Math.max(tickToward(zone.high, 1, assetClass), nextTick(below, 1, assetClass)),
  };
}
