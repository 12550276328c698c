import type { Candle } from "./daily.ts";
import { keyOf } from "./draws.ts";
import { DAY_TICKS, midpoint, pinsOf, stepOf, type TickPin } from "./intraday.ts";

/**
 * Returns the price of one tick of a day, in price units. It equals the result of `ticks`, without computing the
 * others.
 */
export function tickAt(candle: Candle, key: number, tick: number): number {
  const pins = pinsOf(candle, key);
  const second = pins.findIndex(([index]) => index >= tick);
  const start = pins[Math.max(0, second - 1)]!;
  const [index, price] = descend(candle, key, start, pins[second]!, ([middle]) => middle < tick, tick);
  return index === tick ? Math.floor(price + 0.5) : Number.NaN;
}

/**
 * Finds the first tick of a day at which trading passes a price between the day's low and high. Returns the
 * tick and its price.
 */
export function crossing(candle: Candle, key: number, price: number): TickPin {
  const pins = pinsOf(candle, key);
  const second = pins.findIndex(([, end], i) => i > 0 && (pins[i - 1]![1] - price) * (end - price) <= 0);
  const start = pins[Math.max(0, second - 1)]!;
  const end = pins[Math.max(1, second)]!;
  if (start[1] === price) return start;
  const side = start[1] < price;
  const [tick, near] = descend(candle, key, start, end, ([, middle]) => middle < price === side, null);
  return [tick, Math.floor(near + 0.5)];
}

/**
 * Bisects an interval of ticks: continues in the later half if `after` returns true for the middle, else in the earlier
 * half, until it reaches the `wanted` tick or two neighbours.
 */
function descend(
  candle: Candle,
  key: number,
  from: TickPin,
  to: TickPin,
  after: (middle: TickPin) => boolean,
  wanted: number | null,
): TickPin {
  const ofPath = keyOf(key, "path");
  const step = stepOf(candle);
  let [start, end] = [from, to];
  while (end[0] - start[0] >= 2 && start[0] !== wanted && end[0] !== wanted) {
    const at = (start[0] + end[0]) >> 1;
    const middle: TickPin = [at, midpoint(candle, ofPath, step, at, end[0] - start[0], start[1] + end[1])];
    if (after(middle)) start = middle;
    else end = middle;
  }
  return start[0] === wanted || end[0] >= DAY_TICKS ? start : end;
}
