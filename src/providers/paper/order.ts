import { createHash } from "node:crypto";
import type { PaperOrder } from "../../domain/trading/paper-repository-port.ts";
import type { Intent } from "../../domain/trading/trading.ts";
import type { BrokerOrder } from "../../domain/trading/trading-port.ts";
import { Big, toAmount } from "./amount.ts";

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Returns the account number of a connection; it never changes. */
export const accountNumber = (account: string, connection: string): string =>
  `PA${digest(`${account}|${connection}`).slice(0, 10).toUpperCase()}`;

interface NewOrder {
  readonly connection: string;
  readonly clientOrderId: string;
  readonly intent: Intent;
  /** Epoch ms. */
  readonly at: number;
  readonly expiresAt: number | null;
}

/** Creates an order, with the two closing legs if it is a bracket. */
export function createOrders({
  connection,
  clientOrderId,
  intent,
  at,
  expiresAt,
}: NewOrder): readonly PaperOrder[] {
  const now = new Date(at).toISOString();
  const fresh = (id: string): Omit<PaperOrder, "leg" | "parent" | "intent"> => ({
    id: `po_${digest(`${connection}|${id}`).slice(0, 20)}`,
    clientOrderId: id,
    status: "working",
    filledQuantity: "0",
    filledValue: "0",
    fees: "0",
    reason: null,
    triggered: false,
    matchedTo: now,
    expiresAt: null,
    createdAt: now,
    updatedAt: now,
  });
  const entry: PaperOrder = {
    ...fresh(clientOrderId),
    leg: "entry",
    parent: null,
    intent,
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  };
  const leg = (kind: "take_profit" | "stop_loss", suffix: string, price: string | null): PaperOrder[] =>
    price === null
      ? []
      : [
          {
            ...fresh(`${clientOrderId}${suffix}`),
            leg: kind,
            parent: clientOrderId,
            intent: {
              ...intent,
              side: intent.side === "buy" ? "sell" : "buy",
              type: kind === "take_profit" ? "limit" : "stop",
              limit_price: kind === "take_profit" ? price : null,
              stop_price: kind === "take_profit" ? null : price,
              time_in_force: "gtc",
              take_profit: null,
              stop_loss: null,
            },
          },
        ];
  return [
    entry,
    ...leg("stop_loss", "-sl", intent.stop_loss),
    ...leg("take_profit", "-tp", intent.take_profit),
  ];
}

/** Returns the reason why an intent is invalid in any market; null if it is valid. */
export function validateIntent(intent: Intent, price: Big): string | null {
  const { type, side, limit_price, stop_price, take_profit, stop_loss } = intent;
  if (!new Big(intent.quantity).gt(0)) return "The quantity must be above 0";
  const limited = type === "limit" || type === "stop_limit";
  const stopped = type === "stop" || type === "stop_limit";
  if (limited !== (limit_price !== null))
    return `A ${type} order ${limited ? "requires" : "cannot have"} a limit price`;
  if (stopped !== (stop_price !== null))
    return `A ${type} order ${stopped ? "requires" : "cannot have"} a stop price`;
  const prices = [limit_price, stop_price, take_profit, stop_loss].filter((named) => named !== null);
  if (prices.some((named) => !new Big(named).gt(0))) return "Every price must be above 0";
  const from = new Big(limit_price ?? stop_price ?? price);
  const sign = side === "buy" ? 1 : -1;
  if (take_profit !== null && new Big(take_profit).cmp(from) !== sign)
    return "The take profit must be on the profitable side of the entry: above it for a purchase, below it for a sale";
  if (stop_loss !== null && new Big(stop_loss).cmp(from) !== -sign)
    return "The stop loss must be on the losing side of the entry: below it for a purchase, above it for a sale";
  return null;
}

/** Converts an order to the form in which brokers report it. */
export function toBrokerOrder(order: PaperOrder): BrokerOrder {
  const filled = new Big(order.filledQuantity);
  return {
    id: order.id,
    clientOrderId: order.clientOrderId,
    symbol: order.intent.symbol,
    side: order.intent.side,
    quantity: order.intent.quantity,
    stopPrice: order.intent.stop_price,
    leg: order.leg === "entry" ? null : order.leg,
    entry: order.parent,
    status: order.status,
    filledQuantity: order.filledQuantity,
    averagePrice: filled.eq(0) ? null : toAmount(new Big(order.filledValue).div(filled)),
    fees: order.fees,
    reason: order.reason,
    updatedAt: order.updatedAt,
  };
}
