import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { executeTrade } from "../../tools/execute-trade.ts";
import { reconcileOrders } from "../../tools/reconcile-orders.ts";
import { toolContract } from "../support/tool-contract.ts";
import { CONNECTION, savedTicket, tradeMarket, trader } from "../support/trades.ts";

const market = await tradeMarket();
const { ports } = market;
const call = (input: object, account = trader.account) =>
  invoke(reconcileOrders, input, { ports, principal: { ...trader, account }, transport: "test" });

describe("reconcile_orders", () => {
  it("settles an order whose response was lost, and counts those still unknown", async () => {
    const lost = async () => {
      throw new Error("socket hang up");
    };
    const brokers: typeof ports.brokers = {
      ...ports.brokers,
      open: (...args) => {
        const real = ports.brokers.open(...args);
        return { ...real, submit: (order) => real.submit(order).then(lost), find: lost };
      },
    };
    const ticket_id = await savedTicket(market, "a");
    const sent = await invoke(
      executeTrade,
      { ticket_id },
      { ports: { ...ports, brokers }, principal: trader, transport: "test" },
    );
    expect(sent).toMatchObject({ order: { state: "unknown" }, hint: /reconcile_orders/ });
    expect(await call({}, "two")).toMatchObject({ checked: 0 });
    expect(await call({ connection_id: CONNECTION })).toMatchObject({
      checked: 1,
      open: [],
      changed: [{ ticket_id, state: "reconciled", broker_status: "filled", status: "filled" }],
    });
    expect(await call({})).toEqual({
      ok: true,
      success: true,
      checked: 0,
      changed: [],
      open: [],
      left_out: 0,
      market: "sample",
      label: "SAMPLE (simulated)",
    });
    const shown = reconcileOrders.terminal!(await call({}), (_, text) => text);
    expect(shown).toBe("0 checked, 0 changed, 0 still unknown");
    const more = reconcileOrders.terminal!({ ...(await call({})), left_out: 3 }, (_, text) => text);
    expect(more).toBe("0 checked, 0 changed, 0 still unknown, 3 not checked");
    await expect(call({ connection_id: CONNECTION }, "two")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

toolContract(reconcileOrders, { ports });
