import type { Instrument } from "../../../domain/market/market.ts";
import type { Symbols } from "../../../domain/ports.ts";
import { priceStepFault } from "../../../domain/trading/price-step.ts";
import type { Intent } from "../../../domain/trading/trading.ts";
import type { BrokerOrder } from "../../../domain/trading/trading-port.ts";
import { decimal } from "../../../lib/decimal.ts";
import { tickerOf } from "../../../market/symbols/listings.ts";
import { type Order, statusOf } from "./wire.ts";

/**
 * Returns Alpaca's symbol for an instrument in an order: `BRK.B`, `BTC/USD`, `BTC` for the fund `BTC.US`.
 * Null for symbols such as preferred shares, whose spelling at Alpaca is unknown.
 */
export function orderSymbol(instrument: Instrument): string | null {
  const ticker = tickerOf(instrument);
  if (instrument.asset_class === "crypto") return /^[A-Z0-9]{1,16}$/.test(ticker) ? `${ticker}/USD` : null;
  return /^[A-Z]{1,6}(\.[A-Z]{1,2})?$/.test(ticker) ? ticker : null;
}

/** Returns the canonical symbol of Alpaca's `BRK.B`, `BTC/USD` or `BTCUSD`; an unknown symbol is returned unchanged. */
export function canonicalSymbol(symbol: string, kind: string, symbols: Pick<Symbols, "find">): string {
  if (kind === "crypto") return symbol.replace(/^([A-Z0-9]+?)\/?USD$/, "$1-USD").replace("/", "-");
  if (kind !== "us_equity") return symbol;
  // `.US` is tried first, because a plain ticker may belong to a token
  for (const name of [`${symbol}.US`, symbol]) {
    const found = symbols.find(name)?.instrument;
    if (found !== undefined && found.asset_class !== "crypto" && tickerOf(found) === symbol)
      return found.symbol;
  }
  return symbol;
}

/** The request body, or the reason why the order is not sent. */
export type AlpacaOrderResult =
  | { readonly body: Readonly<Record<string, unknown>> }
  | { readonly refused: string };

/**
 * Converts an intent to Alpaca's order. Refuses orders that Alpaca does not support, and limit day orders
 * with exits, because the exits would expire at the end of the day and leave the position unprotected. Market
 * orders with exits are sent good till cancelled.
 * @see https://docs.alpaca.markets/docs/orders-at-alpaca
 */
export function toAlpacaOrder(
  clientOrderId: string,
  intent: Intent,
  instrument: Instrument,
): AlpacaOrderResult {
  const symbol = orderSymbol(instrument);
  const crypto = instrument.asset_class === "crypto";
  const refused =
    symbol === null
      ? `Alpaca's symbol for ${instrument.symbol} is unknown`
      : ((crypto ? cryptoOrderError(intent) : shareOrderError(intent)) ??
        orderError(intent) ??
        priceStepFault(intent, instrument.asset_class)?.reason ??
        null);
  if (refused !== null) return { refused };
  const { limit_price, stop_price, take_profit, stop_loss } = intent;
  const legs = [take_profit, stop_loss].filter((price) => price !== null).length;
  const tillCancelled = intent.type === "market" && (crypto || legs > 0);
  return {
    body: {
      client_order_id: clientOrderId,
      symbol,
      qty: intent.quantity,
      side: intent.side,
      type: intent.type,
      time_in_force: tillCancelled ? "gtc" : intent.time_in_force,
      ...(limit_price !== null && { limit_price }),
      ...(stop_price !== null && { stop_price }),
      ...(legs > 0 && { order_class: legs === 2 ? "bracket" : "oto" }),
      ...(take_profit !== null && { take_profit: { limit_price: take_profit } }),
      ...(stop_loss !== null && { stop_loss: { stop_price: stop_loss } }),
    },
  };
}

const hasLegs = ({ take_profit, stop_loss }: Intent): boolean => take_profit !== null || stop_loss !== null;

function cryptoOrderError(intent: Intent): string | null {
  const { type, time_in_force } = intent;
  if (hasLegs(intent)) return "Alpaca supports neither stop loss nor take profit with a crypto order";
  if (type === "stop") return "Alpaca does not support stop orders on crypto; use stop_limit";
  if (type !== "market" && time_in_force === "day")
    return "Alpaca does not support day orders for crypto; use time_in_force gtc";
  return null;
}

function shareOrderError(intent: Intent): string | null {
  const { quantity, type, time_in_force } = intent;
  const wholeShares = decimal(quantity).mod(1).eq(0);
  if (!wholeShares && hasLegs(intent))
    return "Alpaca supports stop loss and take profit only with whole shares";
  if (!wholeShares && time_in_force !== "day")
    return "Alpaca supports fractional shares only in day orders; use time_in_force day";
  if (hasLegs(intent) && (type === "stop" || type === "stop_limit"))
    return "Alpaca supports stop loss and take profit only with market and limit orders";
  if (hasLegs(intent) && type === "limit" && time_in_force === "day")
    return "Alpaca cancels the stop loss and take profit of a day order at the end of the day, which leaves the position unprotected; use time_in_force gtc";
  return null;
}

function orderError(intent: Intent): string | null {
  const { quantity, type, limit_price, stop_price } = intent;
  if ([quantity, ...pricesOf(intent)].some((amount) => decimal(amount).lte(0)))
    return "The quantity and every price must be above 0";
  const limited = type === "limit" || type === "stop_limit";
  const stopped = type === "stop" || type === "stop_limit";
  if (limited !== (limit_price !== null))
    return `A ${type} order ${limited ? "requires" : "cannot have"} a limit price`;
  if (stopped !== (stop_price !== null))
    return `A ${type} order ${stopped ? "requires" : "cannot have"} a stop price`;
  return null;
}

const pricesOf = ({ limit_price, stop_price, take_profit, stop_loss }: Intent): readonly string[] =>
  [limit_price, stop_price, take_profit, stop_loss].filter((price) => price !== null);

/**
 * Converts an order and its legs. `nested`: the order was requested with its legs. The quantity of a
 * notional order is its filled quantity. Fees are 0: Alpaca charges no commission on shares, and deducts crypto fees
 * from the quantity.
 */
export function toBrokerOrders(
  order: Order,
  canonical: (symbol: string, kind: string) => string,
  { nested = false }: { readonly nested?: boolean } = {},
): readonly BrokerOrder[] {
  const toOrder = (row: Omit<Order, "legs">, leg: BrokerOrder["leg"], entry: string | null): BrokerOrder => {
    const status = statusOf(row);
    return {
      id: row.id,
      clientOrderId: row.client_order_id,
      symbol: canonical(row.symbol, row.asset_class),
      side: row.side,
      quantity: row.qty ?? row.filled_qty,
      stopPrice: row.stop_price ?? null,
      leg,
      entry,
      status,
      filledQuantity: row.filled_qty,
      averagePrice: decimal(row.filled_qty).gt(0) ? row.filled_avg_price : null,
      fees: "0",
      reason: status === "rejected" ? "Alpaca accepted the order, then rejected it" : null,
      updatedAt: row.updated_at,
    };
  };
  const legs = order.legs ?? [];
  const own = legOf(order, { alone: nested && legs.length === 0 });
  // neither order of an OCO pair is the entry
  const entry = own === null ? order.client_order_id : null;
  return [toOrder(order, own, null), ...legs.map((leg) => toOrder(leg, kindOf(leg), entry))];
}

const kindOf = ({ type }: Pick<Order, "type">) => (type === "limit" ? "take_profit" : "stop_loss");

/**
 * Returns the leg kind of an exit that is listed at the top level; null for an entry. `alone`: the order was requested
 * with its legs and has none, so it is an exit.
 */
function legOf({ order_class, type }: Order, { alone }: { readonly alone: boolean }): BrokerOrder["leg"] {
  // the first order of an OCO pair contains the second
  if (order_class === "oco") return kindOf({ type });
  const exits = alone || !["market", "limit"].includes(type);
  return (order_class === "bracket" || order_class === "oto") && exits ? kindOf({ type }) : null;
}

/** Returns true if an existing order equals the one to be sent. */
export function isSame(order: Order, sent: Readonly<Record<string, unknown>>): boolean {
  const equal = (a: string | null | undefined, b: unknown) =>
    a === null || a === undefined || b === undefined ? (a ?? undefined) === b : decimal(a).eq(b as string);
  return (
    order.client_order_id === sent.client_order_id &&
    order.symbol.replace("/", "") === String(sent.symbol).replace("/", "") &&
    order.side === sent.side &&
    order.type === sent.type &&
    equal(order.qty, sent.qty) &&
    equal(order.limit_price, sent.limit_price) &&
    equal(order.stop_price, sent.stop_price)
  );
}
