import { z } from "zod";
import { Iso, intBetween, MarketMode, NextCursor, Succeeded, timeRange } from "../src/domain/answers.ts";
import { nextPageLine } from "../src/domain/terminal.ts";
import { isWorking, type Order, OrderShown, orderShown } from "../src/domain/trading/trading.ts";
import {
  ANY_TIME,
  pageWithin,
  type RangeRequest,
  resolveRange,
  rowsToRead,
} from "../src/features/signal/time-range.ts";
import { ORDER_PORTS } from "../src/features/trading/needs.ts";
import { reconcile } from "../src/features/trading/reconcile.ts";
import { formatOrders } from "../src/features/trading/trade.text.ts";
import { defineTool } from "../src/kernel/tool.ts";

const NO_ORDERS_HINT = "No orders yet: preview_trade previews one, execute_trade sends it.";
const NO_ORDERS_THEN_HINT = "No order was created in this range; omit from and to for all orders.";
const NO_WORKING_ORDERS_HINT = "No working orders; status all also lists completed orders.";

/** Other words for orders that may still fill. */
const WORKING_WORDS: ReadonlySet<unknown> = new Set(["open", "pending", "active"]);

const StatusText = z.preprocess(
  (value) => {
    const word = typeof value === "string" ? value.trim().toLowerCase() : value;
    return WORKING_WORDS.has(word) ? "working" : word;
  },
  z.enum(["all", "working"]),
);

/** Returns the orders of the account, newest first; reads the state of working orders from the broker. */
export const listOrders = defineTool({
  name: "list_orders",
  title: "List orders",
  description:
    "Lists the orders that this account sent to its brokers, newest first: status, quantity filled and left, average price, fees, and why one was rejected. Use it for open, pending, unfilled or working orders, order history, or whether an order went through or was filled. What is held is in list_positions; reconcile_orders settles an unknown outcome.",
  topics: [
    "open orders",
    "order history",
    "pending orders",
    "working orders",
    "order rejected",
    "average fill price",
  ],
  toolset: "trading",
  plan: "member",
  effect: "read",
  route: "GET /api/broker/orders",
  cli: { command: "orders" },
  needs: ORDER_PORTS,
  input: z.object({
    status: StatusText.default("all").describe("working: only orders that may still fill"),
    limit: intBetween(1, 200).default(50).describe("Maximum number of orders"),
    ...timeRange("order by the time it was created"),
  }),
  output: z.object({
    ...Succeeded,
    as_of: Iso,
    orders: z.array(OrderShown).describe("Newest first"),
    next_cursor: NextCursor,
    unread: z
      .array(z.object({ order_id: z.string(), reason: z.string() }))
      .describe("Orders whose broker did not respond; they show the last known state"),
    hint: z.string().nullable(),
    market: MarketMode,
  }),
  examples: [{ ask: "Which of my orders are still open?", input: { status: "working" } }],
  terminal: ({ orders, hint, next_cursor }, paint) =>
    [
      ...formatOrders(orders, paint),
      ...(hint === null ? [] : [hint]),
      ...nextPageLine(next_cursor, paint),
    ].join("\n") || "no orders",

  async handler({ status, limit, ...times }, ctx) {
    const { account } = ctx.principal;
    const range = resolveRange(times, { now: ctx.clock.now(), latest: ANY_TIME, filters: [status] });
    const read = await reconcile(account, ctx, { save: false, maxWorking: 200 });
    const now = new Map(read.map(({ order }) => [order.order_id, order]));
    const all = await ctx.tradeRepository.orders(account, {
      ...(status === "working" && { working: true as const }),
      ...(range.from !== null && { since: new Date(range.from).toISOString() }),
      until: new Date(range.pageEnd).toISOString(),
      limit: rowsToRead(range, limit),
    });
    const timeOf = ({ created_at }: Order) => Date.parse(created_at);
    const page = pageWithin(all, range, { limit, timeOf });
    const orders = page.rows
      .map((order) => now.get(order.order_id) ?? order)
      .filter((order) => status === "all" || isWorking(order));
    return {
      as_of: ctx.clock.now().toISOString(),
      orders: orders.map(orderShown),
      next_cursor: page.next,
      unread: read.flatMap(({ order, failure }) =>
        failure === null ? [] : [{ order_id: order.order_id, reason: failure }],
      ),
      hint: orders.length > 0 ? null : emptyHint(status, times),
      market: ctx.market.mode,
      ...range.notes,
    };
  },
});

function emptyHint(status: "all" | "working", { from, to, cursor }: RangeRequest): string {
  if (status === "working") return NO_WORKING_ORDERS_HINT;
  return (from ?? to ?? cursor) === undefined ? NO_ORDERS_HINT : NO_ORDERS_THEN_HINT;
}
