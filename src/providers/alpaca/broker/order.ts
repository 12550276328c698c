import type { Instrument } from "../../../domain/market/market.ts";
import type { Intent } from "../../../domain/trading/trading.ts";
import type { BrokerOrder } from "../../../domain/trading/trading-port.ts";
import { decimal } from "../../../lib/decimal.ts";
import { orderSymbol } from "./symbols.ts";
import { type Order, statusOf } from "./wire.ts";

/** What is sent, or why nothing is. */
export type AlpacaOrderResult =
  | { readonly body: Readonly<Record<string, unknown>> }
  | { readonly refused: string };

/**
 * An intent as Alpaca reads it. What it does not do is refused here, and what it would do otherwise than meant: stop and
 * target of a day's order end with the day there, so that a position would be left without them. An order at market is
 * over at once, whatever its time in force; with a bracket it is sent until cancelled.
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
      ? `Nobody here knows what Alpaca calls ${instrument.symbol}`
      : ((crypto ? cryptoOrderError(intent) : shareOrderError(intent)) ?? orderError(intent));
  if (refused !== null) return { refused };
  const { limit_price, stop_price, take_profit, stop_loss } = intent;
  const legs = [take_profit, stop_loss].filter((price) => price !== null).length;
  const lasting = intent.type === "market" && (crypto || legs > 0);
  return {
    body: {
      client_order_id: clientOrderId,
      symbol,
      qty: intent.quantity,
      side: intent.side,
      type: intent.type,
      time_in_force: lasting ? "gtc" : intent.time_in_force,
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
  if (hasLegs(intent)) return "Alpaca takes neither stop loss nor take profit with a crypto order";
  if (type === "stop") return "Alpaca takes no stop order on crypto; stop_limit is one that it takes";
  if (type !== "market" && time_in_force === "day")
    return "Crypto orders at Alpaca have no day to end with: time_in_force gtc is one that it takes";
  return null;
}

function shareOrderError(intent: Intent): string | null {
  const { quantity, type, time_in_force } = intent;
  const whole = decimal(quantity).mod(1).eq(0);
  if (!whole && hasLegs(intent)) return "Alpaca takes stop loss and take profit on whole shares alone";
  if (!whole && time_in_force !== "day")
    return "Alpaca takes parts of shares for the day alone: time_in_force day is one that it takes";
  if (hasLegs(intent) && (type === "stop" || type === "stop_limit"))
    return "Alpaca takes stop loss and take profit with market and limit orders alone";
  if (hasLegs(intent) && type === "limit" && time_in_force === "day")
    return "Alpaca ends stop loss and take profit with the day of a day order, and the position would be left without: time_in_force gtc keeps them";
  const fine = pricesOf(intent).find((price) => {
    const places = decimal(price).gte(1) ? 2 : 4;
    return !decimal(price).round(places).eq(price);
  });
  return fine === undefined
    ? null
    : `The price ${fine} has more places than Alpaca takes: cents, below a dollar hundredths of a cent`;
}

function orderError(intent: Intent): string | null {
  const { quantity, type, limit_price, stop_price } = intent;
  if ([quantity, ...pricesOf(intent)].some((one) => decimal(one).lte(0)))
    return "A quantity or a price is not above 0";
  const limited = type === "limit" || type === "stop_limit";
  const stopped = type === "stop" || type === "stop_limit";
  if (limited !== (limit_price !== null)) return `A ${type} order has ${limited ? "a" : "no"} limit price`;
  if (stopped !== (stop_price !== null)) return `A ${type} order has ${stopped ? "a" : "no"} stop price`;
  return null;
}

const pricesOf = ({ limit_price, stop_price, take_profit, stop_loss }: Intent): readonly string[] =>
  [limit_price, stop_price, take_profit, stop_loss].filter((price) => price !== null);

/**
 * An order with its legs as a broker tells of them; `nested`: it was asked for with its legs. One that was ordered by its worth is as large as what is filled of
 * it. Fees are 0: Alpaca takes none of shares, and those of tokens out of what is bought, which is held less them.
 */
export function toBrokerOrders(
  order: Order,
  canonical: (symbol: string, kind: string) => string,
  { nested = false }: { readonly nested?: boolean } = {},
): readonly BrokerOrder[] {
  const one = (row: Omit<Order, "legs">, leg: BrokerOrder["leg"], entry: string | null): BrokerOrder => {
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
      reason: status === "rejected" ? "Alpaca rejected it after taking it" : null,
      updatedAt: row.updated_at,
    };
  };
  const legs = order.legs ?? [];
  const own = legOf(order, { alone: nested && legs.length === 0 });
  // of a pair of exits neither is the entry
  const entry = own === null ? order.client_order_id : null;
  return [one(order, own, null), ...legs.map((leg) => one(leg, kindOf(leg), entry))];
}

const kindOf = ({ type }: Pick<Order, "type">) => (type === "limit" ? "take_profit" : "stop_loss");

/** Which leg an order is that stands without its entry: `alone`, where it would hold legs if it were one. */
function legOf({ order_class, type }: Order, { alone }: { readonly alone: boolean }): BrokerOrder["leg"] {
  // of a pair of exits the first holds the second
  if (order_class === "oco") return kindOf({ type });
  const exits = alone || !["market", "limit"].includes(type);
  return (order_class === "bracket" || order_class === "oto") && exits ? kindOf({ type }) : null;
}

/** Whether an order that is there under an id is the one that was to be sent. */
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
