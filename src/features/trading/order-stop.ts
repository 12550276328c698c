import { isOver, type Order } from "../../domain/trading/trading.ts";

/** A position as it is asked about, and since when its orders count. */
export interface StopQuery {
  readonly symbol: string;
  /** Below 0: sold short. */
  readonly quantity: string;
  /** Orders made after it count, ISO 8601 UTC; null: all. */
  readonly madeAfter: string | null;
  /** It was not held at that moment: what had ended by then opened something else. null: not known. */
  readonly absentAt: string | null;
}

/**
 * The stop of the newest order of ours that has opened or added to a position, filled in part at least, and when that order was made; null where
 * none had one. `orders` are of its connection, the newest first.
 */
export function orderStop(
  orders: readonly Order[],
  { symbol, quantity, madeAfter, absentAt }: StopQuery,
): { readonly stop: number; readonly at: string } | null {
  const opens = quantity.startsWith("-") ? "sell" : "buy";
  const order = orders.find(
    (one) =>
      one.intent.symbol === symbol &&
      one.intent.side === opens &&
      one.intent.stop_loss !== null &&
      Number(one.filled_quantity) > 0 &&
      (madeAfter === null || one.created_at > madeAfter) &&
      (absentAt === null || one.updated_at > absentAt || !isOver(one)),
  );
  return order === undefined ? null : { stop: Number(order.intent.stop_loss), at: order.created_at };
}
