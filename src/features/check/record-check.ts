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
 * Records the levels and odds of a present order, to be measured when its bars arrive; nothing of the account. Only from
 * a price of this server of the last session: one that the caller sent cannot be told from an invented one.
 */
export function recordCheck(
  { instrument, series, moment, isPast, request }: CheckBasis,
  { plan, odds, price }: CheckedPlan,
  { account, checkedOrders }: Pick<Ports, "checkedOrders"> & { readonly account: string },
): void {
  const hours = barHours(series);
  if (isPast || plan === null || odds === null || hours === null || UNSUPPORTED.has(price.source)) return;
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
const UNSUPPORTED: ReadonlySet<CheckPrice["source"]> = new Set<CheckPrice["source"]>([
  "your_quote",
  "unconfirmed_quote",
]);
