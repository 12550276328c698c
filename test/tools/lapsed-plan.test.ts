import { expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { cancelOrder } from "../../tools/cancel-order.ts";
import { disconnectBroker } from "../../tools/disconnect-broker.ts";
import { executeTrade } from "../../tools/execute-trade.ts";
import { getRiskLimits } from "../../tools/get-risk-limits.ts";
import { listConnections } from "../../tools/list-connections.ts";
import { listOrders } from "../../tools/list-orders.ts";
import { previewTrade } from "../../tools/preview-trade.ts";
import { reconcileOrders } from "../../tools/reconcile-orders.ts";
import { setKillSwitch } from "../../tools/set-kill-switch.ts";
import { CONNECTION, savedTicket, tradeMarket, trader } from "../support/trades.ts";

const market = await tradeMarket();
const lapsed = { ...trader, plan: "member" as const };
const as = (principal: typeof trader) => ({ ports: market.ports, principal, transport: "test" });

it("a lapsed plan can still list, reconcile and cancel orders and disconnect, but opens nothing new", async () => {
  const far = { type: "limit", limit_price: "130", stop_loss: null } as const;
  const ticket_id = await savedTicket(market, "a", far);
  const { order } = await invoke(executeTrade, { ticket_id }, as(trader));
  const another = { ticket_id: await savedTicket(market, "b", far) };
  for (const [tool, input] of [
    [executeTrade, another],
    [listConnections, {}],
    [previewTrade, { symbol: "AAPL", side: "buy", quantity: "1" }],
  ] as readonly [Tool, object][])
    await expect(invoke(tool, input, as(lapsed))).rejects.toMatchObject({ code: "PLAN_REQUIRED" });
  const { orders } = await invoke(listOrders, { status: "working" }, as(lapsed));
  expect(orders.map(({ order_id }) => order_id)).toEqual([order.order_id]);
  expect(await invoke(reconcileOrders, {}, as(lapsed))).toMatchObject({ checked: 1, open: [] });
  expect(await invoke(setKillSwitch, { engaged: true }, as(lapsed))).toMatchObject({ changed: true });
  expect(await invoke(getRiskLimits, {}, as(lapsed))).toMatchObject({ kill_switch: { engaged: true } });
  const { order_id } = order;
  expect(await invoke(cancelOrder, { order_id }, as(lapsed))).toMatchObject({
    order: { broker_status: "cancelled" },
  });
  expect(orders.map(({ connection_id }) => connection_id)).toEqual([CONNECTION]);
  expect(await invoke(disconnectBroker, { connection_id: CONNECTION }, as(lapsed))).toMatchObject({
    disconnected: true,
  });
});
