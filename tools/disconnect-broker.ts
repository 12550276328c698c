import { z } from "zod";
import { MarketMode, Succeeded } from "../src/domain/answers.ts";
import { ConnectionId } from "../src/domain/trading/trading.ts";
import { disconnect } from "../src/features/trading/disconnect.ts";
import { ORDER_PORTS } from "../src/features/trading/needs.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Deletes a connection and its credentials. */
export const disconnectBroker = defineTool({
  name: "disconnect_broker",
  title: "Disconnect broker",
  description:
    "Removes a broker connection, paper or Alpaca: deletes its credentials (API key and secret) and synced positions for good, keeps its orders, and lists unsettled orders of the disconnected connection. Use it to disconnect, unlink, forget or log out of a brokerage account. Refused while orders work there, unless forced. Ids are in list_connections; connect_broker connects one again.",
  topics: [
    "disconnect my broker",
    "unlink broker",
    "remove broker connection",
    "log out of broker",
    "delete broker credentials",
  ],
  toolset: "trading",
  plan: "member",
  effect: "write",
  destructive: true,
  route: "POST /api/broker/disconnect-broker",
  cli: { command: "disconnect" },
  needs: [...ORDER_PORTS, "positionRepository"],
  input: z.object({
    connection_id: ConnectionId,
    force: z
      .boolean()
      .default(false)
      .describe(
        "true: disconnect even with working orders. Paper orders are cancelled; other orders stay at the broker.",
      ),
  }),
  output: z.object({
    ...Succeeded,
    connection_id: z.string(),
    disconnected: z.literal(true),
    unsettled_orders: z
      .array(z.string())
      .describe("Ids of orders that may still fill or have an unknown outcome; check them at the broker"),
    market: MarketMode,
  }),
  examples: [{ ask: "Disconnect my broker", input: { connection_id: "cn_00000000000000000000" } }],
  terminal: ({ connection_id, unsettled_orders }, paint) =>
    [
      `${paint("bold", connection_id)} disconnected; its credentials and positions were deleted`,
      ...(unsettled_orders.length === 0
        ? []
        : [
            paint(
              "yellow",
              `${unsettled_orders.join(", ")} are no longer tracked here: check them at the broker`,
            ),
          ]),
    ].join("\n"),

  handler: async ({ connection_id, force }, ctx) => {
    const connections = await disconnect({ connection: connection_id, force }, ctx.principal, ctx);
    return {
      connection_id,
      disconnected: true as const,
      unsettled_orders: connections.map(({ order_id }) => order_id),
      market: ctx.market.mode,
    };
  },
});
