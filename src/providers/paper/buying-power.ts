import type { PaperOrder, PaperPosition } from "../../domain/trading/paper-repository-port.ts";
import { affordable } from "../../lib/decimal.ts";
import { Big, maxBig, minBig, PAPER_FEES, roundToCents, ZERO } from "./amount.ts";
import { isWorking } from "./legs.ts";

/**
 * Required cash, including the proceeds, as a multiple of the value sold short: `initial` at the sale, `maintenance`
 * after it.
 */
export const MARGIN = { initial: "1.5", maintenance: "1.3" } as const;

/**
 * Multiple of the last price at which an unknown execution price is estimated.
 * @see https://docs.alpaca.markets/docs/orders-at-alpaca, "Buying Power": short sales at 3 % above the ask
 */
const PRICE_CUSHION = "1.03";

/** Prices by symbol, US dollars. */
export type Marks = ReadonlyMap<string, Big>;

/** Returns the value of all short positions in US dollars: at `marks`, or at their proceeds if a mark is missing. */
export function shortValue(positions: Iterable<PaperPosition>, marks: Marks): Big {
  let sum = ZERO();
  for (const { symbol, quantity, cost } of positions) {
    if (!new Big(quantity).lt(0)) continue;
    const mark = marks.get(symbol);
    sum = sum.plus(mark === undefined ? new Big(cost).abs() : mark.times(quantity).abs());
  }
  return sum;
}

/** Returns the cash that exceeds 150 % of the value of the short positions. Purchases cannot be made on margin. */
export const freeCash = (cash: Big, positions: Iterable<PaperPosition>, marks: Marks): Big =>
  cash.minus(shortValue(positions, marks).times(MARGIN.initial));

/** Returns true if the cash is less than 130 % of the value of the short positions. */
export const isBelowMaintenanceMargin = (
  cash: Big,
  positions: Iterable<PaperPosition>,
  marks: Marks,
): boolean => cash.lt(shortValue(positions, marks).times(MARGIN.maintenance));

/**
 * Returns the price at which a unit of a working order reserves buying power: its limit or, for stop and market orders, 3
 * % beyond the stop or the last price. For a sale it is at least the last price.
 */
export function reservationPrice({ intent }: Pick<PaperOrder, "intent">, last: Big): Big {
  const { side, limit_price, stop_price } = intent;
  const named = new Big(limit_price ?? stop_price ?? last);
  const price = limit_price === null ? named.times(PRICE_CUSHION) : named;
  return side === "buy" ? price : maxBig(price, limit_price === null ? last.times(PRICE_CUSHION) : last);
}

/**
 * Buying power reserved by the working orders of an account, and the units of its positions that no working order
 * closes.
 */
export interface PendingExposure {
  readonly reserved: Big;
  /** Returns the number of units that a new order of that side could close. */
  closable(symbol: string, side: "buy" | "sell"): Big;
}

/**
 * Computes the exposure of the working orders, older ones first. Legs reserve nothing, because they only close
 * positions. Symbols without a mark are valued at the orders' own prices.
 */
export function pendingExposure(
  positions: readonly PaperPosition[],
  working: readonly PaperOrder[],
  { marks, isCrypto }: { readonly marks: Marks; readonly isCrypto: (symbol: string) => boolean },
): PendingExposure {
  const remaining = new Map<string, Big>();
  for (const { symbol, quantity } of positions) {
    const units = new Big(quantity);
    remaining.set(`${units.gt(0) ? "sell" : "buy"} ${symbol}`, units.abs());
  }
  let reserved = ZERO();
  for (const order of working) {
    if (!isWorking(order) || order.parent !== null) continue;
    const { symbol, side, quantity } = order.intent;
    const key = `${side} ${symbol}`;
    const units = new Big(quantity).minus(order.filledQuantity);
    const closing = minBig(units, remaining.get(key) ?? ZERO());
    remaining.set(key, (remaining.get(key) ?? ZERO()).minus(closing));
    const opening = units.minus(closing);
    if (opening.lte(0)) continue;
    const each = reservationPrice(order, marks.get(symbol) ?? ZERO());
    reserved = reserved.plus(requiredBuyingPower(opening, { side, price: each, crypto: isCrypto(symbol) }));
  }
  return { reserved, closable: (symbol, side) => remaining.get(`${side} ${symbol}`) ?? ZERO() };
}

interface OpeningTrade {
  readonly side: "buy" | "sell";
  readonly price: Big;
  readonly crypto: boolean;
}

/** Returns the buying power required to open units, to the cent: value and fee, or half the value of a short sale. */
function requiredBuyingPower(units: Big, { side, price, crypto }: OpeningTrade): Big {
  const value = roundToCents(units.times(price), "up");
  if (side === "sell") return roundToCents(value.div(2), "up");
  return crypto ? value.plus(roundToCents(value.times(PAPER_FEES.cryptoOfValue), "up")) : value;
}

/**
 * Returns the reason to refuse an order for lack of buying power, with the quantity that would be accepted;
 * null if it is accepted. `closable` units of it close a position, which is always allowed.
 */
export function buyingPowerRefusal(
  order: OpeningTrade & { readonly quantity: Big; readonly closable: Big; readonly free: Big },
): string | null {
  const { side, quantity, closable, price, crypto } = order;
  const opening = quantity.minus(closable);
  if (opening.lte(0)) return null;
  if (side === "sell" && crypto) return "Paper accounts cannot sell crypto short";
  if (side === "sell" && !opening.round(0).eq(opening))
    return "Short sales require whole shares: use a quantity without a fraction";
  const free = roundToCents(maxBig(ZERO(), order.free), "down");
  const needed = requiredBuyingPower(opening, order);
  if (needed.lte(free)) return null;
  const step = new Big(side === "sell" || quantity.round(0).eq(quantity) ? "1" : "0.000000001");
  const budget = side === "sell" ? free.times(2) : crypto ? free.minus("0.02") : free;
  const each = crypto ? price.times(new Big(PAPER_FEES.cryptoOfValue).plus(1)) : price;
  const maxQuantity = closable.plus(free.gt(0) ? affordable(budget, each, step) : 0);
  const passing = maxQuantity.round(step.eq(1) && closable.round(0).eq(closable) ? 0 : 9, Big.roundDown);
  const hint = passing.gt(0) ? `quantity ${passing.toFixed()} would pass` : "no quantity would pass";
  return `The order needs ${needed.toFixed(2)} USD of buying power and ${free.toFixed(2)} USD is available: ${hint}`;
}
