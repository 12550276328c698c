import { z } from "zod";
import { Hint, MarketMode, Succeeded } from "../src/domain/answers.ts";
import { Connection } from "../src/domain/trading/trading.ts";
import { formatConnection } from "../src/features/trading/connection.text.ts";
import { defineTool } from "../src/kernel/tool.ts";

const BUILT_IN_HINT =
  "The built-in paper account needs no connection: preview_trade previews an order on it. connect_broker connects another account.";

/** Returns the broker connections of the account in this market, without credentials. */
export const listConnections = defineTool({
  name: "list_connections",
  title: "List broker connections",
  description:
    "Lists the brokerage accounts connected here: connection id, broker, paper or live, last four characters of the account number, when connected and last checked; never the credentials. Use it for which brokers, whether any logins or accounts are connected, linked at all, hooked up or stored here, or to find a connection id. connect_broker and disconnect_broker change them.",
  topics: ["connected brokers", "linked brokers", "broker connections", "connection id", "brokerage logins"],
  toolset: "trading",
  plan: "pro",
  effect: "read",
  route: "GET /api/broker/connections",
  cli: { command: "connections" },
  needs: ["connections", "market"],
  input: z.object({}),
  output: z.object({
    ...Succeeded,
    connections: z
      .array(Connection)
      .describe("Newest first; the built-in paper account if there is no other"),
    count: z.number().int(),
    hint: Hint,
    market: MarketMode,
  }),
  examples: [{ ask: "Which brokers are connected?", input: {} }],
  terminal: ({ connections, hint }, paint) =>
    [...connections.flatMap((one) => formatConnection(one, paint)), ...(hint === null ? [] : [hint])].join(
      "\n",
    ),

  async handler(_, { connections, principal, market }) {
    const found = await connections.list(principal.account);
    return {
      connections: found,
      count: found.length,
      hint: found.every(({ connected_at }) => connected_at === null) ? BUILT_IN_HINT : null,
      market: market.mode,
    };
  },
});
