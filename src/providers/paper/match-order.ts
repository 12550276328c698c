import type { Intent } from "../../domain/trading/trading.ts";
import { Big, maxBig, minBig } from "./amount.ts";
import { bpsToFraction, halfSpreadBps, impactBps, type Liquidity } from "./liquidity.ts";

const UNIT_PLACES = 9;
const PRICE_PLACES = 4;

/** Trades with which an order can be matched: a closed bar, or a quote. */
export interface Step {
  /** Times of the first and last trade, epoch ms. */
  readonly at: number;
  readonly until: number;
  readonly open: Big;
  readonly high: Big;
  readonly low: Big;
  /** Units traded. */
  readonly volume: Big;
  /** True for bars: fills stay between high and low. False for quotes: half the spread is added. */
  readonly bounded: boolean;
}

export interface PendingOrder {
  readonly intent: Pick<Intent, "side" | "type" | "limit_price" | "stop_price">;
  readonly remaining: Big;
  readonly triggered: boolean;
  /** True if only whole units are filled. */
  readonly whole: boolean;
}

/** Result of a step: `price` is null if nothing was filled. */
export interface MatchResult {
  readonly triggered: boolean;
  readonly quantity: Big;
  readonly price: Big | null;
}

/**
 * Fills an order from the `available` units of a step. Market and triggered stop orders pay half the spread
 * plus an impact on top of the price of the step, but never exceed a limit or leave a bar's range. A
 * triggered stop-limit order whose limit is already exceeded waits for the next step, since a bar does not
 * show which price came first. Without friction, the complete order is filled at the price of the step.
 */
export function matchOrder(
  order: PendingOrder,
  step: Step,
  available: Big,
  liquidity: Liquidity,
): MatchResult {
  const { side, type } = order.intent;
  if (liquidity.frictionless === true)
    return { triggered: false, quantity: order.remaining, price: step.open };
  const buy = side === "buy";
  const half = bpsToFraction(halfSpreadBps(step.open.toNumber(), liquidity));
  const worse = (price: Big, by: Big) => price.times(buy ? by.plus(1) : new Big(1).minus(by));
  const beyond = buy ? maxBig : minBig;
  const stop = order.triggered || order.intent.stop_price === null ? null : new Big(order.intent.stop_price);
  const stopped = type === "stop" || type === "stop_limit";
  const far = buy ? step.high : step.low;
  const reached = !stopped || stop === null || (buy ? far.gte(stop) : far.lte(stop));
  const triggered = stopped && reached;
  const nothing: MatchResult = { triggered, quantity: new Big(0), price: null };
  if (!reached) return nothing;
  const quantity = minBig(order.remaining, available).round(order.whole ? 0 : UNIT_PLACES, Big.roundDown);
  if (quantity.lte(0)) return nothing;
  const base = stopped && stop !== null ? beyond(step.open, stop) : step.open;
  const share = step.volume.gt(0) ? quantity.div(step.volume).toNumber() : 1;
  const marketable = worse(base, half.plus(bpsToFraction(impactBps(share))));
  const limit =
    (type === "limit" || type === "stop_limit") && order.intent.limit_price !== null
      ? new Big(order.intent.limit_price)
      : null;
  const within = (price: Big) => limit === null || (buy ? price.lte(limit) : price.gte(limit));
  if (within(worse(base, half)))
    return { triggered, quantity, price: executionPrice(marketable, step, limit, buy) };
  const fresh = stopped && stop !== null;
  const near = worse(buy ? step.low : step.high, half);
  if (limit === null || fresh || !step.bounded || !within(near)) return nothing;
  return { triggered, quantity, price: executionPrice(limit, step, limit, buy) };
}

/** Returns the execution price, rounded to the trader's disadvantage but within the bar and the limit. */
function executionPrice(price: Big, step: Step, limit: Big | null, buy: boolean): Big {
  const places = price.gte(1) ? PRICE_PLACES : UNIT_PLACES;
  let paid = price.round(places, buy ? Big.roundUp : Big.roundDown);
  if (limit !== null) paid = buy ? minBig(paid, limit) : maxBig(paid, limit);
  if (!step.bounded) return paid;
  const top = step.high.round(UNIT_PLACES, Big.roundDown);
  const bottom = step.low.round(UNIT_PLACES, Big.roundUp);
  return maxBig(bottom, minBig(top, paid));
}
