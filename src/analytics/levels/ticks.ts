import type { AssetClass } from "../../domain/market/market.ts";
import { pricePlaces } from "../../lib/price-places.ts";
import { type Levels, type LevelsOutcome, MIN_REWARD_TO_RISK } from "./levels.ts";
import { towardProfit, worseEdge } from "./side.ts";

const HUNDREDTHS = 100;
/** Tolerance of a quotient, far smaller than a hundredth, so that 1.5 is not rounded down to 1.49. */
const ROUNDING = 1e-9;

/** Returns the valid price of an order that is nearest to a price. */
export const nearestTick = (price: number, assetClass: AssetClass): number =>
  Number(price.toFixed(pricePlaces(price, assetClass)));

/**
 * Returns levels whose prices are valid prices of an order: entry zone and targets at the nearest tick, the stop at the
 * next tick beyond it, and the reward to risk of these prices, rounded down to hundredths. Zone, stop and targets lie at
 * least one tick apart, and the first target moves by one more tick where rounding alone would carry the ratio across
 * its minimum. A SHORT target at or below 0 is omitted; there are no levels if that leaves none, or no stop.
 */
export function levelsAtTicks(levels: Levels, assetClass: AssetClass): LevelsOutcome {
  const { side } = levels;
  const away = towardProfit(side);
  const nearest = (price: number) => nearestTick(price, assetClass);
  const next = (price: number, direction: number) => {
    const places = pricePlaces(price, assetClass);
    return Number((price + direction * 10 ** -places).toFixed(places));
  };
  /** Returns the tick at the price or the next one in the direction. */
  const toward = (price: number, direction: number) => {
    const tick = nearest(price);
    return direction * (tick - price) < 0 ? next(tick, direction) : tick;
  };
  const entry = { low: nearest(levels.entry.low), high: nearest(levels.entry.high) };
  if (entry.low >= entry.high) {
    entry.low = toward(levels.entry.low, -1);
    entry.high = Math.max(toward(levels.entry.high, 1), next(entry.low, 1));
  }
  const worse = worseEdge({ side, entry });
  const better = side === "LONG" ? entry.low : entry.high;
  const exact = toward(levels.stop, -away);
  const stop = away * (better - exact) > 0 ? exact : next(better, -away);
  const ratioAt = (target: number) =>
    Math.floor(HUNDREDTHS * ((away * (target - worse)) / Math.abs(worse - stop) + ROUNDING)) / HUNDREDTHS;
  const isEnough = levels.reward_to_risk >= MIN_REWARD_TO_RISK;
  const keepsRule = (target: number) => ratioAt(target) >= MIN_REWARD_TO_RISK === isEnough;
  const beyond = (last: number, price: number) => (away * (price - last) > 0 ? price : next(last, away));
  const near = beyond(worse, nearest(levels.targets[0]!));
  const moved = beyond(worse, next(near, isEnough ? away : -away));
  const first = !keepsRule(near) && keepsRule(moved) ? moved : near;
  const targets = [first];
  for (const target of levels.targets.slice(1)) targets.push(beyond(targets.at(-1)!, nearest(target)));
  if (!(first > 0 && stop > 0 && entry.low > 0 && entry.high > entry.low))
    return { levels: null, reason: "Price steps are too wide at this price for a stop and a target" };
  const reward_to_risk = ratioAt(first);
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
