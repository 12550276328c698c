import type { PassActions } from "../src/features/agents/pass-actions.ts";
import type { Steps } from "../src/kernel/agent.ts";
import { executeTrade } from "../tools/execute-trade.ts";
import { listConnections } from "../tools/list-connections.ts";
import { listOrders } from "../tools/list-orders.ts";
import { listPositions } from "../tools/list-positions.ts";
import { previewTrade } from "../tools/preview-trade.ts";
import { syncPositions } from "../tools/sync-positions.ts";

/** Tools with which trading agents read positions and place orders. */
export const PASS_TOOLS = [
  listConnections,
  syncPositions,
  listPositions,
  listOrders,
  previewTrade,
  executeTrade,
] as const;

/** Implements the account actions of a pass as calls to PASS_TOOLS. */
export const passActions = ({ call }: Pick<Steps<(typeof PASS_TOOLS)[number]>, "call">): PassActions => ({
  connections: () => call(listConnections, {}),
  sync: (input) => call(syncPositions, input),
  positions: (input) => call(listPositions, input),
  orders: (input) => call(listOrders, input),
  preview: (trade) => call(previewTrade, trade),
  execute: (trade) => call(executeTrade, trade),
});
