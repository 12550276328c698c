import { mayUseLive } from "../src/features/agents/live-plan.ts";
import type { PassActions } from "../src/features/agents/pass-actions.ts";
import type { Steps } from "../src/kernel/agent.ts";
import { checkOrder } from "../tools/check-order.ts";
import { connectBroker } from "../tools/connect-broker.ts";
import { executeTrade } from "../tools/execute-trade.ts";
import { listConnections } from "../tools/list-connections.ts";
import { listOrders } from "../tools/list-orders.ts";
import { listPositions } from "../tools/list-positions.ts";
import { previewTrade } from "../tools/preview-trade.ts";
import { syncPositions } from "../tools/sync-positions.ts";

/** Tools with which trading agents read positions and place orders. */
export const PASS_TOOLS = [
  connectBroker,
  listConnections,
  syncPositions,
  listPositions,
  listOrders,
  previewTrade,
  checkOrder,
  executeTrade,
] as const;

/** Credentials of the paper account of an account that cannot connect brokers; the paper broker accepts any. */
const AGENT_ACCOUNT = { api_key: "agents", api_secret: "agents" };

/**
 * Implements the account actions of a pass as calls to PASS_TOOLS. On a plan that cannot connect brokers, it trades
 * only on paper and opens that account itself.
 */
export const passActions = ({
  call,
  plan,
}: Pick<Steps<(typeof PASS_TOOLS)[number]>, "call" | "plan">): PassActions => ({
  openPaper: mayUseLive(plan)
    ? null
    : async () => {
        const request = { broker: "paper", account_type: "paper", credentials: AGENT_ACCOUNT } as const;
        return (await call(connectBroker, request)).connection;
      },
  connections: () => call(listConnections, {}),
  sync: (input) => call(syncPositions, input),
  positions: (input) => call(listPositions, input),
  orders: (input) => call(listOrders, input),
  preview: (trade) => call(previewTrade, trade),
  check: (order) => call(checkOrder, order),
  execute: (trade) => call(executeTrade, trade),
});
