import { crossing, tickAt } from "./descent.ts";
import { draw, keyOf, unit } from "./draws.ts";
import { DAY_TICKS } from "./intraday.ts";
import { type Deal, reportedSoon } from "./ordinary-prints.ts";
import type { Recording } from "./recordings.ts";

const MIN_NOTIONAL = 1.05e6;
/**
 * Added to the probability 0.5 of a purchase if the price has risen by a usual day's spread; subtracted if it
 * has fallen by it.
 */
const LEAN = 0.3;

/**
 * Returns the large print of a day of a stock or fund: 0.05 to 0.15 percent of a usual day's volume, at least
 * just above a million dollars. Its price is one of the `earlier` prices of large prints (in price units)
 * that trading passes on this day, or that of a random tick if it passes none. The more the price has risen
 * since the previous close, the likelier it is a purchase.
 */
export function dayBlock(
  { listing, key, path }: Recording,
  day: number,
  earlier: readonly number[],
): readonly Deal[] {
  if (listing.instrument.asset_class === "crypto") return [];
  const ofDay = keyOf(key, "blocks", day);
  const candle = path.candle(day);
  const before = day === 0 ? candle.open : path.candle(day - 1).close;
  const passed = earlier.filter((price) => candle.low <= price && price <= candle.high);
  const draws = (at: number) => unit(draw(ofDay, at));
  const ofTicks = keyOf(key, "day", day);
  const wanted = passed[Math.floor(draws(0) * passed.length)];
  const any = Math.floor(draws(0) * DAY_TICKS);
  const [tick, price] =
    wanted === undefined ? [any, tickAt(candle, ofTicks, any)] : crossing(candle, ofTicks, wanted);
  const move = Math.max(-1, Math.min(1, (price - before) / Math.max(1, candle.spread)));
  const usual = listing.volume * (price / listing.scale);
  return [
    {
      name: "block",
      price,
      notional: Math.max(MIN_NOTIONAL, usual * (0.0005 + 0.001 * draws(1))),
      ...reportedSoon(day, tick, draws(2)),
      side: draws(3) < 0.5 + LEAN * move ? 1 : -1,
    },
  ];
}
