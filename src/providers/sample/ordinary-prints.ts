import { PRINT_CONDITIONS, type PrintCondition } from "../../domain/off-exchange/prints.ts";
import { DAY_MS, EPOCH } from "./daily.ts";
import type { Deal } from "./deal.ts";
import { tickAt } from "./descent.ts";
import { draw, exp, keyOf, unit } from "./draws.ts";
import { DAY_TICKS, TICK_MS } from "./intraday.ts";
import type { Recording } from "./tapes.ts";

const HOUR = 3_600_000;
const SMALLEST = 150_000;
/** Part of the prints that carry a condition. */
const MARKED = 0.3;

/** Prints of a day that nothing was planned with: none, one or two, at the prices of their moments or under a condition. */
export function ordinaryPrints({ key, path }: Recording, day: number): readonly Deal[] {
  const ofDay = keyOf(key, "prints", day);
  const share = (at: number) => unit(draw(ofDay, at));
  const count = Math.floor(share(0) * 1.8 + 0.35 * share(1));
  return Array.from({ length: count }, (_, i) => i).flatMap((i): readonly Deal[] => {
    const draws = (at: number) => share(10 * (i + 1) + at);
    const tick = Math.floor(draws(0) * DAY_TICKS);
    const candle = path.candle(day);
    const price = tickAt(candle, keyOf(key, "day", day), tick);
    const executedAt = EPOCH + day * DAY_MS + (tick + 1) * TICK_MS;
    const size = draws(1);
    const deal: Deal = {
      name: `${i}`,
      price,
      notional: SMALLEST * exp(3.2 * size * size),
      executedAt,
      reportedAt: executedAt + 1_000 + Math.floor(9_000 * draws(2)),
      conditions: [],
      side: draws(3) < 0.35 ? -1 : draws(3) < 0.7 ? 1 : 0,
    };
    if (draws(4) >= MARKED) return [deal];
    const condition = PRINT_CONDITIONS[Math.floor(draws(5) * PRINT_CONDITIONS.length)]!;
    const before = day === 0 ? candle.open : path.candle(day - 1).close;
    return marked(deal, condition, { open: candle.open, before, delay: draws(6) });
  });
}

function marked(
  deal: Deal,
  condition: PrintCondition,
  { open, before, delay }: { readonly open: number; readonly before: number; readonly delay: number },
): readonly Deal[] {
  const conditions = [condition];
  const later = deal.executedAt + HOUR + Math.floor(20 * HOUR * delay);
  const apart = { ...deal, conditions, side: null };
  switch (condition) {
    case "cancelled":
      return [deal, { ...deal, conditions, reportedAt: later }];
    case "late":
      return [{ ...deal, conditions, reportedAt: later }];
    case "average_price":
      return [{ ...apart, price: Math.round((open + deal.price) / 2) }];
    case "prior_reference":
      return [{ ...apart, price: before }];
    default:
      // priced by something else than the market of its moment
      return [{ ...apart, price: Math.max(1, Math.round(deal.price * (0.985 + 0.03 * delay))) }];
  }
}
