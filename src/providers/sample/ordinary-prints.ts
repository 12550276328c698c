import { PRINT_CONDITIONS, type Print, type PrintCondition } from "../../domain/off-exchange/prints.ts";
import { crossing, tickAt } from "./descent.ts";
import { draw, exp, keyOf, unit } from "./draws.ts";
import { DAY_TICKS, tickEnd } from "./intraday.ts";
import type { Recording } from "./recordings.ts";

const HOUR = 3_600_000;
const SMALLEST = 150_000;
/** Share of the prints with a condition. */
const CONDITION_SHARE = 0.3;

/** An off-exchange trade of a day, before it becomes a print. */
export interface Deal extends Pick<Print, "executedAt" | "reportedAt" | "conditions"> {
  readonly name: string;
  /** Price, in price units. */
  readonly price: number;
  /** Value, US dollars. */
  readonly notional: number;
  /** 1 at the offer, -1 at the bid, 0 between; null if no quotes are known. */
  readonly side: 1 | 0 | -1 | null;
}

/**
 * Returns the times of execution (at a tick) and report of a deal; `delay`, a draw in [0, 1), sets a delay of one to
 * ten seconds.
 */
export function reportedSoon(day: number, tick: number, delay: number) {
  const executedAt = tickEnd(day, tick);
  return { executedAt, reportedAt: executedAt + 1_000 + Math.floor(9_000 * delay), conditions: [] };
}

/** Returns the unplanned prints of a day: up to two, at the market price of their time or with a condition. */
export function ordinaryPrints({ key, path }: Recording, day: number): readonly Deal[] {
  const ofDay = keyOf(key, "prints", day);
  const share = (at: number) => unit(draw(ofDay, at));
  const count = Math.floor(share(0) * 1.8 + 0.35 * share(1));
  return Array.from({ length: count }, (_, i) => i).flatMap((i): readonly Deal[] => {
    const draws = (at: number) => share(10 * (i + 1) + at);
    const tick = Math.floor(draws(0) * DAY_TICKS);
    const candle = path.candle(day);
    const price = tickAt(candle, keyOf(key, "day", day), tick);
    const size = draws(1);
    const deal: Deal = {
      name: `${i}`,
      price,
      notional: SMALLEST * exp(3.2 * size * size),
      ...reportedSoon(day, tick, draws(2)),
      side: draws(3) < 0.35 ? -1 : draws(3) < 0.7 ? 1 : 0,
    };
    if (draws(4) >= CONDITION_SHARE) return [deal];
    const condition = PRINT_CONDITIONS[Math.floor(draws(5) * PRINT_CONDITIONS.length)]!;
    const before = day === 0 ? candle.open : path.candle(day - 1).close;
    return withCondition(deal, condition, { open: candle.open, before, delay: draws(6) });
  });
}

function withCondition(
  deal: Deal,
  condition: PrintCondition,
  { open, before, delay }: { readonly open: number; readonly before: number; readonly delay: number },
): readonly Deal[] {
  const conditions = [condition];
  const later = deal.executedAt + HOUR + Math.floor(20 * HOUR * delay);
  const unquoted = { ...deal, conditions, side: null };
  switch (condition) {
    case "cancelled":
      return [deal, { ...deal, conditions, reportedAt: later }];
    case "late":
      return [{ ...deal, conditions, reportedAt: later }];
    case "average_price":
      return [{ ...unquoted, price: Math.round((open + deal.price) / 2) }];
    case "prior_reference":
      return [{ ...unquoted, price: before }];
    default:
      // its price is not the market price at its time
      return [{ ...unquoted, price: Math.max(1, Math.round(deal.price * (0.985 + 0.03 * delay))) }];
  }
}

const MIN_NOTIONAL = 1.05e6;
/**
 * Added to the probability of 0.5 for a purchase if the price has risen by a usual day's spread; subtracted if it
 * has fallen by that amount.
 */
export const LEAN = 0.3;

/**
 * Returns a stock's or fund's large print of a day: 0.05 to 0.15 percent of a usual day's volume, at least
 * just above a million dollars. Its price is one of the `earlier` prices of large prints (in price units)
 * that trading passes on this day, or the price of a random tick if it passes none. The more the price has risen
 * since the previous close, the more likely it is a purchase.
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
