import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { executeTrade } from "../../tools/execute-trade.ts";
import { listOrders } from "../../tools/list-orders.ts";
import { toolContract } from "../support/tool-contract.ts";
import { savedTicket, tradeMarket, trader } from "../support/trades.ts";

const market = await tradeMarket();
const { ports } = market;
const run = (tool: typeof listOrders | typeof executeTrade, input: object, account = trader.account) =>
  invoke(tool, input, { ports, principal: { ...trader, account }, transport: "test" });

describe("list_orders", () => {
  it("is empty with a hint before the first order, and lists only the account's own", async () => {
    expect(await run(listOrders, {})).toMatchObject({ orders: [], unread: [], hint: /preview_trade/ });
    const ticket_id = await savedTicket(market, "a", { type: "limit", limit_price: "130", stop_loss: null });
    await run(executeTrade, { ticket_id });
    await run(executeTrade, { ticket_id: await savedTicket(market, "b") });
    const ids = async (input: object, account?: string) =>
      ((await run(listOrders, input, account)) as { orders: { ticket_id: string }[] }).orders.map(
        (order) => order.ticket_id[3],
      );
    expect(await ids({})).toEqual(["b", "a"]);
    expect(await ids({ status: "working" })).toEqual(["a"]);
    expect(await ids({ limit: 1 })).toEqual(["b"]);
    expect(await ids({}, "two")).toEqual([]);
    expect(await run(listOrders, {})).toMatchObject({ hint: null });
    expect(await run(listOrders, { status: "working" }, "two")).toMatchObject({ hint: /status all/ });
  });
});

toolContract(listOrders, { ports });
