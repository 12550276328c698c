import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { cancelOrder } from "../../tools/cancel-order.ts";
import { executeTrade } from "../../tools/execute-trade.ts";
import { toolContract } from "../support/tool-contract.ts";
import { savedTicket, tradeMarket, trader } from "../support/trades.ts";

const market = await tradeMarket();
const { ports } = market;
const call = (input: object, account = trader.account) =>
  invoke(cancelOrder, input, { ports, principal: { ...trader, account }, transport: "test" });
const working = async (digit: string) => {
  const far = { type: "limit", limit_price: "130", stop_loss: null } as const;
  const input = { ticket_id: await savedTicket(market, digit, far) };
  const { order } = await invoke(executeTrade, input, { ports, principal: trader, transport: "test" });
  return order.order_id;
};
await working("0");

describe("cancel_order", () => {
  it("cancels an unfilled order once, but not one of another account", async () => {
    const order_id = await working("a");
    await expect(call({ order_id }, "two")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await call({ order_id })).toMatchObject({
      order: { order_id, broker_status: "cancelled", filled_quantity: "0" },
      hint: null,
    });
    expect(await call({ order_id })).toMatchObject({
      order: { order_id, broker_status: "cancelled" },
      hint: "It was already cancelled; nothing was cancelled.",
    });
    await expect(call({ order_id: `or_${"9".repeat(20)}` })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("cancels the stop and target of a filled order once, with a hint", async () => {
    const input = { ticket_id: await savedTicket(market, "b", { stop_loss: "130", take_profit: "150" }) };
    const { order } = await invoke(executeTrade, input, { ports, principal: trader, transport: "test" });
    expect(order).toMatchObject({ broker_status: "filled" });
    const { order_id } = order;
    expect(await call({ order_id })).toMatchObject({
      order: { order_id, broker_status: "filled" },
      hint: "It was already filled: its stop loss was cancelled; its take profit was cancelled. The remaining position has no exits.",
    });
    expect(await call({ order_id })).toMatchObject({
      hint: "It was already filled; nothing was cancelled.",
    });
  });
});

toolContract(cancelOrder, { ports });
