import { DAY_MS, EPOCH } from "./daily.ts";
import type { Deal } from "./deal.ts";
import { crossing, tickAt } from "./descent.ts";
import { draw, keyOf, unit } from "./draws.ts";
import { DAY_TICKS, TICK_MS } from "./intraday.ts";
import type { Recording } from "./tapes.ts";

const MIN_NOTIONAL = 1.05e6;
/** How much likelier than even a block is bought where the price has risen by a usual day's spread, or sold where it fell so. */
const LEAN = 0.3;

/**
 * The large print that every day of a stock or fund has, of .05 to .15 percent of a usual day's volume or just above a million dollars. It
 * is done where large prints were done before, at one of the `earlier` prices (in price units) that trading passes on this day, and at the
 * price of any moment where it passes none. The higher the price has risen by then since the close before, the likelier it is bought.
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
  const executedAt = EPOCH + day * DAY_MS + (tick + 1) * TICK_MS;
  return [
    {
      name: "block",
      price,
      notional: Math.max(MIN_NOTIONAL, usual * (0.0005 + 0.001 * draws(1))),
      executedAt,
      reportedAt: executedAt + 1_000 + Math.floor(9_000 * draws(2)),
      conditions: [],
      side: draws(3) < 0.5 + LEAN * move ? 1 : -1,
    },
  ];
}
