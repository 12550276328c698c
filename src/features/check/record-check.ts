import { ODDS_VERSION } from "../../analytics/odds/odds.ts";
import type { CheckedRule, CheckOdds } from "../../domain/check/check.ts";
import type { Ports } from "../../domain/ports.ts";
import { barHours, comingBars } from "../signal/bar-hours.ts";
import type { ClosedBars } from "../signal/closed-bars.ts";
import type { CheckBasis } from "./basis.ts";
import type { OrderFiguresInput } from "./order-figures.ts";

/** Rules on the price of a check: odds from a price that fails one are not counted. */
const ON_PRICE: ReadonlySet<string> = new Set(["price_agrees", "price_age"]);

interface CheckedPlan {
  readonly plan: OrderFiguresInput["plan"];
  /** null: none were computed. */
  readonly odds: CheckOdds | null;
  readonly rules: readonly CheckedRule[];
}

/** Records the levels and odds of a present order, to be measured when its bars arrive; nothing of the account. */
export function recordCheck(
  { instrument, series, moment, isPast, request }: CheckBasis,
  { plan, odds, rules }: CheckedPlan,
  { account, checkedOrders }: Pick<Ports, "checkedOrders"> & { readonly account: string },
): void {
  if (isPast || plan === null || odds === null || rules.some(({ rule }) => ON_PRICE.has(rule))) return;
  const { symbol, asset_class } = instrument;
  const until = closeAfter(series, moment, request.horizon);
  if (until === null) return;
  checkedOrders.record({
    account,
    symbol,
    asset_class,
    recorded_at: new Date(moment).toISOString(),
    until: new Date(until).toISOString(),
    decided_at: series.as_of,
    close: series.bars.close.at(-1)!,
    plan: { ...plan, limit: plan.limit ?? null },
    version: ODDS_VERSION,
    odds: {
      fill: odds.fill ?? null,
      stop_first: odds.stop_first ?? null,
      target_first: odds.target_first ?? null,
    },
    base: {
      fill: odds.fill_base ?? null,
      stop_first: odds.base?.stop_first ?? null,
      target_first: odds.base?.target_first ?? null,
    },
  });
}

/** Returns the close of the last of a number of daily bars after a time, epoch ms; null if their hours are unknown. */
function closeAfter(series: ClosedBars, moment: number, bars: number): number | null {
  const hours = barHours(series);
  if (hours === null) return null;
  const coming = comingBars(series, hours, moment);
  let close = moment;
  for (let bar = 0; bar < bars; bar++) close = coming.next().value.close;
  return close;
}
