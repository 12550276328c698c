import { z } from "zod";
import { Count, MarketMode, Succeeded } from "../src/domain/answers.ts";
import { ConnectionId, isUnresolved, OrderShown, orderShown } from "../src/domain/trading/trading.ts";
import { ORDER_PORTS } from "../src/features/trading/needs.ts";
import { reconcileAll } from "../src/features/trading/reconcile.ts";
import { resolveConnection } from "../src/features/trading/resolve-connection.ts";
import { formatOrders } from "../src/features/trading/trade.text.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Reads the state of unsettled orders from their brokers and corrects the records. Sends no orders. */
export const reconcileOrders = defineTool({
  name: "reconcile_orders",
  title: "Reconcile orders",
  description:
    "Reads unsettled orders back from the broker and corrects the records: an unknown or unclear outcome becomes known, fills and cancels are synced; nothing is sent. Use it after a timeout or a lost answer, to find out what became of an order, or to settle one that is unknown or stuck in submitting. list_orders shows orders without asking the broker.",
  topics: [
    "reconcile",
    "unknown order",
    "stuck order",
    "order timed out",
    "became of the order",
    "unsettled orders",
  ],
  toolset: "trading",
  plan: "member",
  effect: "write",
  destructive: true,
  route: "POST /api/broker/reconcile-orders",
  cli: { command: "reconcile" },
  needs: ORDER_PORTS,
  input: z.object({ connection_id: ConnectionId.optional() }),
  output: z.object({
    ...Succeeded,
    checked: Count.describe("Number of unsettled orders checked"),
    changed: z.array(OrderShown),
    open: z
      .array(z.object({ order_id: z.string(), reason: z.string() }))
      .describe("Orders whose outcome is still unknown, and why"),
    left_out: Count.describe(
      "Number of working orders not checked in this call; pass connection_id to check one connection at a time",
    ),
    market: MarketMode,
  }),
  examples: [
    {
      ask: "Find out what became of the order that timed out",
      input: { connection_id: `cn_${"1".repeat(20)}` },
    },
  ],
  terminal: ({ checked, changed, open, left_out }, paint) =>
    [
      `${checked} checked, ${changed.length} changed, ${open.length} still unknown${left_out === 0 ? "" : `, ${left_out} not checked`}`,
      ...formatOrders(changed, paint),
      ...open.map(({ order_id, reason }) => paint("yellow", `${order_id}: ${reason}`)),
    ].join("\n"),

  async handler({ connection_id }, ctx) {
    const { account } = ctx.principal;
    if (connection_id !== undefined) await resolveConnection(ctx, account, connection_id);
    const { read, omitted: leftOut } = await reconcileAll(account, ctx, { connection: connection_id });
    const known = new Set((await ctx.connections.list(account)).map((one) => one.connection_id));
    return {
      checked: read.length,
      changed: read.filter(({ changed }) => changed).map(({ order }) => orderShown(order)),
      open: read.flatMap(({ order, failure }) =>
        failure !== null || isUnresolved(order)
          ? [
              {
                order_id: order.order_id,
                reason: known.has(order.connection_id)
                  ? (failure ?? "The broker does not know the order yet")
                  : DISCONNECTED_REASON,
              },
            ]
          : [],
      ),
      left_out: leftOut,
      market: ctx.market.mode,
    };
  },
});

const DISCONNECTED_REASON =
  "Its connection was removed, so its state cannot be read: check and cancel it at the broker";
