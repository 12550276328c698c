import type { PaperOrder, PaperPosition } from "../../domain/trading/paper-repository-port.ts";
import { affordable } from "../../lib/decimal.ts";
import { Big, maxBig, minBig, roundToCents, ZERO } from "./amount.ts";
import { PAPER_FEES } from "./fees.ts";
import { isWorking } from "./legs.ts";

/** Of what is sold short, this much must be there when it is sold (its proceeds among it), and this much from then on. */
export const MARGIN = { initial: "1.5", maintenance: "1.3" } as const;

/**
 * What a price that is not known yet is reckoned beyond the last one.
 * @see https://docs.alpaca.markets/docs/orders-at-alpaca, "Buying Power": short sales at 3 % above the ask
 */
const PRICE_CUSHION = "1.03";

/** Prices by symbol, US dollars. */
export type Marks = ReadonlyMap<string, Big>;

/** US dollars of everything sold short, at `marks` or, where one is missing, at what it was sold for. */
export function shortValue(positions: Iterable<PaperPosition>, marks: Marks): Big {
  let sum = ZERO();
  for (const { symbol, quantity, cost } of positions) {
    if (!new Big(quantity).lt(0)) continue;
    const mark = marks.get(symbol);
    sum = sum.plus(mark === undefined ? new Big(cost).abs() : mark.times(quantity).abs());
  }
  return sum;
}

/** What may be spent: cash beyond 150 % of what is sold short. Nothing is lent for buying. */
export const freeCash = (cash: Big, positions: Iterable<PaperPosition>, marks: Marks): Big =>
  cash.minus(shortValue(positions, marks).times(MARGIN.initial));

/** Whether less than 130 % of what is sold short is there. */
export const isBelowMaintenanceMargin = (
  cash: Big,
  positions: Iterable<PaperPosition>,
  marks: Marks,
): boolean => cash.lt(shortValue(positions, marks).times(MARGIN.maintenance));

/**
 * What a unit of an order that waits is reckoned at: its limit or, of a stop and at market, 3 % beyond the stop or the
 * last price; a sale no lower than the last price.
 */
export function reservationPrice({ intent }: Pick<PaperOrder, "intent">, last: Big): Big {
  const { side, limit_price, stop_price } = intent;
  const named = new Big(limit_price ?? stop_price ?? last);
  const price = limit_price === null ? named.times(PRICE_CUSHION) : named;
  return side === "buy" ? price : maxBig(price, limit_price === null ? last.times(PRICE_CUSHION) : last);
}

/** What waits of a book: the buying power it takes, and by symbol and side the units that it will close. */
export interface PendingExposure {
  readonly reserved: Big;
  /** Units of a position that an order of that side would only close. */
  closable(symbol: string, side: "buy" | "sell"): Big;
}

/** Counts what waits, the older first. Legs take nothing: they only close. Unpriced symbols count at their own prices alone. */
export function pendingExposure(
  positions: readonly PaperPosition[],
  working: readonly PaperOrder[],
  { marks, isCrypto }: { readonly marks: Marks; readonly isCrypto: (symbol: string) => boolean },
): PendingExposure {
  const left = new Map<string, Big>();
  for (const { symbol, quantity } of positions) {
    const units = new Big(quantity);
    left.set(`${units.gt(0) ? "sell" : "buy"} ${symbol}`, units.abs());
  }
  let reserved = ZERO();
  for (const order of working) {
    if (!isWorking(order) || order.parent !== null) continue;
    const { symbol, side, quantity } = order.intent;
    const key = `${side} ${symbol}`;
    const units = new Big(quantity).minus(order.filledQuantity);
    const closing = minBig(units, left.get(key) ?? ZERO());
    left.set(key, (left.get(key) ?? ZERO()).minus(closing));
    const opening = units.minus(closing);
    if (opening.lte(0)) continue;
    const each = reservationPrice(order, marks.get(symbol) ?? ZERO());
    reserved = reserved.plus(requiredBuyingPower(opening, { side, price: each, crypto: isCrypto(symbol) }));
  }
  return { reserved, closable: (symbol, side) => left.get(`${side} ${symbol}`) ?? ZERO() };
}

interface OpeningTrade {
  readonly side: "buy" | "sell";
  readonly price: Big;
  readonly crypto: boolean;
}

/** Buying power that opening so much takes, to the cent: its value and fee, or half its value where it is sold short. */
function requiredBuyingPower(units: Big, { side, price, crypto }: OpeningTrade): Big {
  const value = roundToCents(units.times(price), "up");
  if (side === "sell") return roundToCents(value.div(2), "up");
  return crypto ? value.plus(roundToCents(value.times(PAPER_FEES.cryptoOfValue), "up")) : value;
}

/**
 * Whether so much may be bought or sold: null, or why not and how much would pass. `closable` units of it close what
 * is held the other way, which is always let.
 */
export function buyingPowerRefusal(
  asked: OpeningTrade & { readonly quantity: Big; readonly closable: Big; readonly free: Big },
): string | null {
  const { side, quantity, closable, price, crypto } = asked;
  const opening = quantity.minus(closable);
  if (opening.lte(0)) return null;
  if (side === "sell" && crypto) return "Crypto is not sold short here";
  if (side === "sell" && !opening.round(0).eq(opening))
    return "Short sales are whole shares: say a quantity without a fraction";
  const free = roundToCents(maxBig(ZERO(), asked.free), "down");
  const needed = requiredBuyingPower(opening, asked);
  if (needed.lte(free)) return null;
  const step = new Big(side === "sell" || quantity.round(0).eq(quantity) ? "1" : "0.000000001");
  const budget = side === "sell" ? free.times(2) : crypto ? free.minus("0.02") : free;
  const each = crypto ? price.times(new Big(PAPER_FEES.cryptoOfValue).plus(1)) : price;
  const affords = closable.plus(free.gt(0) ? affordable(budget, each, step) : 0);
  const passing = affords.round(step.eq(1) && closable.round(0).eq(closable) ? 0 : 9, Big.roundDown);
  const hint = passing.gt(0) ? `${passing.toFixed()} would pass` : "no quantity would pass";
  return `It needs ${needed.toFixed(2)} USD of buying power and ${free.toFixed(2)} USD is free: ${hint}`;
}
