import { z } from "zod";
import { MarketMode, Succeeded } from "../src/domain/answers.ts";
import {
  isFinal,
  mayFill,
  type Order,
  OrderId,
  OrderShown,
  orderShown,
  orderStatus,
} from "../src/domain/trading/trading.ts";
import type { BrokerOrder } from "../src/domain/trading/trading-port.ts";
import { cancelOrderAndLegs as cancel } from "../src/features/trading/cancel.ts";
import { ORDER_PORTS } from "../src/features/trading/needs.ts";
import { formatOrder } from "../src/features/trading/trade.text.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Cancels the unfilled part of an order at the broker. */
export const cancelOrder = defineTool({
  name: "cancel_order",
  title: "Cancel order",
  description:
    "Cancels one pending, working order at the connected broker by its id: withdraws the unfilled part, while filled units stay, and cancels a waiting stop and target of a filled order. Use it to call off, scrap, stop, revoke or take back a limit or stop order that has not filled. The ids are in list_orders; execute_trade closes a filled position.",
  topics: ["cancel order", "pull my order", "call off the order", "withdraw the order", "unfilled part"],
  toolset: "trading",
  plan: "member",
  effect: "trade",
  route: "POST /api/broker/cancel-order",
  cli: { command: "cancel" },
  needs: ORDER_PORTS,
  input: z.object({ order_id: OrderId }),
  output: z.object({
    ...Succeeded,
    order: OrderShown,
    hint: z.string().nullable(),
    market: MarketMode,
  }),
  examples: [{ ask: "Cancel that order", input: { order_id: `or_${"0".repeat(20)}` } }],
  terminal: ({ order, hint }, paint) =>
    [...formatOrder(order, paint), ...(hint === null ? [] : [paint("dim", hint)])].join("\n"),

  async handler({ order_id }, ctx) {
    const before = await ctx.tradeRepository.order(ctx.principal.account, order_id);
    const { order, legs } = await cancel(order_id, ctx.principal, ctx);
    return {
      order: orderShown(order),
      hint: before !== null && isFinal(before) ? formatLegsCancelled(before, legs) : workingExitsHint(order),
      market: ctx.market.mode,
    };
  },
});

const LEG_NAMES = { stop_loss: "stop loss", take_profit: "take profit" } as const;

/** Describes the exit legs cancelled for an order that was already complete. */
function formatLegsCancelled(order: Order, legs: readonly BrokerOrder[]): string {
  const state = `It was already ${orderStatus(order).replaceAll("_", " ")}`;
  const formatLegs = (matches: (status: BrokerOrder["status"]) => boolean, outcome: string) => {
    const names = legs
      .filter(({ status }) => matches(status))
      .map(({ leg }) => LEG_NAMES[leg ?? "stop_loss"]);
    return [...new Set(names)].map((name) => `its ${name} ${outcome}`);
  };
  const outcomes = [
    ...formatLegs((status) => status === "cancelled", "was cancelled"),
    ...formatLegs(mayFill, "is being cancelled"),
    ...formatLegs((status) => status === "filled", "was filled in the meantime"),
  ];
  return outcomes.length === 0
    ? `${state}; nothing was cancelled.`
    : `${state}: ${outcomes.join("; ")}. The remaining position has no exits.`;
}

/** Returns a hint about working exits if the order was filled before it could be cancelled; otherwise null. */
const workingExitsHint = (order: Order): string | null =>
  order.broker_status === "filled" && (order.intent.stop_loss !== null || order.intent.take_profit !== null)
    ? "The order was filled before it could be cancelled. Its exits are still working; call cancel_order again to cancel them."
    : null;
