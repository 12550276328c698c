import { isFinal, type Order } from "../../domain/trading/trading.ts";

/** A position and the time range of the orders that may have set its stop. */
export interface StopQuery {
  readonly symbol: string;
  /** Negative for a short position. */
  readonly quantity: string;
  /** Only orders created after this time match, ISO 8601 UTC; null for no lower bound. */
  readonly createdAfter: string | null;
  /** Time at which the position was not held, ISO 8601 UTC: orders finished by then are ignored. null when unknown. */
  readonly notHeldAt: string | null;
}

/**
 * Returns the stop and creation time of our newest order with a stop that opened or added to the position and is at least
 * partly filled; null when no order matches. `orders` are those of the connection, newest first.
 */
export function orderStop(
  orders: readonly Order[],
  { symbol, quantity, createdAfter, notHeldAt }: StopQuery,
): { readonly stop: number; readonly at: string } | null {
  const openingSide = quantity.startsWith("-") ? "sell" : "buy";
  const order = orders.find(
    (candidate) =>
      candidate.intent.symbol === symbol &&
      candidate.intent.side === openingSide &&
      candidate.intent.stop_loss !== null &&
      Number(candidate.filled_quantity) > 0 &&
      (createdAfter === null || candidate.created_at > createdAfter) &&
      (notHeldAt === null || candidate.updated_at > notHeldAt || !isFinal(candidate)),
  );
  return order === undefined ? null : { stop: Number(order.intent.stop_loss), at: order.created_at };
}
