import { ODDS_VERSION } from "../../analytics/odds/odds.ts";
import type { CheckOdds } from "../../domain/check/check.ts";
import type { Ports } from "../../domain/ports.ts";
import { barHours, comingBars, lastOpening } from "../signal/bar-hours.ts";
import type { CheckBasis } from "./basis.ts";
import type { CheckPrice } from "./check-price.ts";
import type { OrderFiguresInput } from "./order-figures.ts";

interface CheckedPlan {
  readonly plan: OrderFiguresInput["plan"];
  /** null: none were computed. */
  readonly odds: CheckOdds | null;
  readonly price: CheckPrice;
}

/**
 * Logs the levels and odds of an order, without the account, to be compared with its bars later. Ignores checks as of a
 * past time, and prices that the caller sent or that are older than the last session: they may be invented or known.
 */
export function logCheckedOrder(
  { instrument, series, moment, isPast, request }: CheckBasis,
  { plan, odds, price }: CheckedPlan,
  { account, checkedOrders }: Pick<Ports, "checkedOrders"> & { readonly account: string },
): void {
  const hours = barHours(series);
  if (isPast || plan === null || odds === null || hours === null || UNRECORDED_SOURCES.has(price.source))
    return;
  if (price.at < lastOpening(series, hours, moment)) return;
  const { symbol, asset_class } = instrument;
  const coming = comingBars(series, hours, moment);
  let until = moment;
  for (let bar = 0; bar < request.horizon; bar++) until = coming.next().value.close;
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

/** Sources of prices that no record counts. */
const UNRECORDED_SOURCES: ReadonlySet<CheckPrice["source"]> = new Set<CheckPrice["source"]>([
  "your_quote",
  "unconfirmed_quote",
]);
