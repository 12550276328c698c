import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { idempotencyUuid } from "../../src/lib/idempotency-key.ts";
import { executeTrade } from "../../tools/execute-trade.ts";
import { previewTrade } from "../../tools/preview-trade.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";
import { CONNECTION, savedTicket, tradeMarket, trader } from "../support/trades.ts";

const market = await tradeMarket();
const { ports } = market;
await savedTicket(market, "0");
const call = (input: Record<string, unknown>, over = {}) =>
  invoke(executeTrade, input, { ports, principal: { ...trader, ...over }, transport: "test" });
const buy = { symbol: "AAPL", side: "buy", quantity: "1", stop_loss: "130" };

describe("execute_trade", () => {
  it("sends a ticket once, and returns the same order when repeated", async () => {
    const ticket_id = await savedTicket(market, "a");
    const first = await call({ ticket_id });
    const sent = { ticket_id, client_order_id: `ms-${"a".repeat(20)}` };
    expect(first).toMatchObject({
      repeated: false,
      order: { ...sent, state: "accepted", broker_status: "filled" },
    });
    const { order } = await call({ ticket_id, ...buy });
    expect(order).toEqual(first.order);
    expect(await call({ ticket_id })).toMatchObject({ repeated: true });
    await expect(call({ ticket_id, symbol: "BTC-USD" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(call({ ticket_id }, { account: "two" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("rejects a ticket with contradicting fields, and names them", async () => {
    const said = { symbol: "AAPL", side: "buy", type: "limit", limit_price: "137.5", stop_loss: "130" };
    const asked = { ...said, risk_pct: "0.01", take_profit: "150", time_in_force: "gtc", timeframe: "4h" };
    const { ticket_id, intent } = await callerOf(previewTrade, ports, trader)(asked);
    const others = {
      symbol: "MSFT",
      side: "sell",
      type: "market",
      limit_price: "137",
      stop_price: "137.5",
      stop_loss: "129",
      take_profit: "151",
      risk_pct: "0.02",
      sizing: "kelly",
      quantity: "9",
      time_in_force: "day",
      timeframe: "1d",
      connection_id: `cn_${"9".repeat(20)}`,
      asset_class: "crypto",
    };
    for (const [field, value] of Object.entries(others))
      await expect(call({ ticket_id, [field]: value }), field).rejects.toMatchObject({
        code: "INVALID_INPUT",
        message: expect.stringContaining("these fields contradict it"),
        data: { fields: [field] },
      });
    await expect(call({ ticket_id, ...others })).rejects.toMatchObject({
      data: { fields: expect.arrayContaining(Object.keys(others)) },
    });
    const same = {
      ...asked,
      symbol: "aapl",
      asset_class: "equity",
      connection_id: CONNECTION,
      quantity: `${intent!.quantity}00`,
      risk_pct: "0.010",
      sizing: "risk_pct",
      limit_price: "137.50",
      stop_loss: "0130",
    };
    expect(await call({ ticket_id, ...same })).toMatchObject({ repeated: false, order: { intent } });
  });

  it("previews and sends in one call on paper, with one order per key", async () => {
    const key = { idempotency_key: "7b1de4b8-6c5c-4f5a-9e0d-3f1f3a1f0a01" };
    const first = await call({ ...buy, ...key });
    expect(first).toMatchObject({ repeated: false, sizing: { method: "quantity", quantity: "1" } });
    expect(await call({ ...buy, ...key })).toMatchObject({ repeated: true, order: first.order });
    await expect(call({ ...buy, ...key, quantity: "2" })).rejects.toMatchObject({
      code: "REFUSED",
      hint: /^Check with list_orders whether/,
    });
    expect((await call(buy)).order.order_id).not.toBe(first.order.order_id);
  });

  it("treats different keys as different trades, and ignores the case of a key", async () => {
    // two UUIDs of version 1, made one after the other on one machine
    const [one, two] = ["c232ab00-9414-11ec-b3c8-9f6bdeced846", "d9428888-9414-11ec-b3c8-9f6bdeced846"];
    const first = await call({ ...buy, idempotency_key: one });
    const second = await call({ ...buy, idempotency_key: two });
    expect(second.order.order_id).not.toBe(first.order.order_id);
    const again = await call({ ...buy, idempotency_key: one.toUpperCase() });
    expect(again).toMatchObject({ repeated: true, order: first.order });
    expect(first.order.order_id).toMatch(/^or_[0-9a-f]{20}$/);
  });

  it("states the working exits of a filled order in the first response", async () => {
    const exits = { ...buy, stop_loss: "120", idempotency_key: "exits" };
    expect(await call(exits)).toMatchObject({
      repeated: false,
      hint: /^Exits working at the broker: stop loss 120 USD/,
    });
    expect(await call(exits)).toMatchObject({ repeated: true, hint: null });
  });

  it("states which exits of the signal the order does not have", async () => {
    const below = { symbol: "AAPL", side: "buy", quantity: "1", type: "limit", limit_price: "130" };
    const { ports } = await tradeMarket();
    const { order, hint } = await invoke(executeTrade, below, {
      ports,
      principal: trader,
      transport: "test",
    });
    expect(order.intent).toMatchObject({ stop_loss: null });
    expect(hint).toBe("The signal's stop 135.87 does not fit this entry and was left out.");
  });

  it("counts the orders of a minute over all connections of the account, also when sent at once", async () => {
    const { ports } = await tradeMarket();
    const second = {
      ...(await ports.connections.list(trader.account))[0]!,
      connection_id: `cn_${"2".repeat(20)}`,
    };
    await ports.connections.add(trader.account, second, { api_key: "k", api_secret: "s" });
    const send = (n: number) => {
      const connection_id = [CONNECTION, second.connection_id][n % 2];
      const input = {
        symbol: "AAPL",
        side: "buy",
        quantity: "1",
        connection_id,
        idempotency_key: `order ${n}`,
      };
      return invoke(executeTrade, input, { ports, principal: trader, transport: "test" }).then(
        () => "sent",
        ({ code, message }) => `${code} ${message}`,
      );
    };
    for (let n = 0; n < 9; n++) expect(await send(n)).toBe("sent");
    const last = await Promise.all([9, 10].map(send));
    expect(last.filter((outcome) => outcome === "sent")).toHaveLength(1);
    expect(await send(11)).toBe("REFUSED Refused by max_orders_a_minute: 11, limit 10");
  });

  it("accepts any printable idempotency key, like the REST header", async () => {
    const first = await call({ ...buy, idempotency_key: "order 7" });
    expect(await call({ ...buy, idempotency_key: "order 7" })).toMatchObject({
      repeated: true,
      order: first.order,
    });
    const derived = await call({ ...buy, idempotency_key: idempotencyUuid("order 7") });
    expect(derived).toMatchObject({ repeated: true, order: first.order });
    for (const idempotency_key of ["", "x".repeat(256), "caf\u00e9"])
      await expect(call({ ...buy, idempotency_key })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("refuses an order that breaks a rule, with the value that would pass", async () => {
    await expect(call({ ...buy, quantity: "80" })).rejects.toMatchObject({
      code: "REFUSED",
      data: { checks: [{ rule: "max_notional_pct", would_pass: expect.any(String) }] },
    });
  });

  it("records the refusal by a rule in the audit log", async () => {
    const acts: object[] = [];
    const audit = { write: async (...act: unknown[]) => void acts.push(act) };
    const audited = callerOf(executeTrade, { ...ports, audit }, trader);
    await expect(audited({ ...buy, quantity: "80" })).rejects.toMatchObject({ code: "REFUSED" });
    const refusal = { intent: { quantity: "80" }, checks: [{ rule: "max_notional_pct" }] };
    expect(acts).toMatchObject([[trader.account, "order_refused", refusal]]);
  });

  it("rejects invalid quantities, ambiguous symbols, and unknown connections or those of others", async () => {
    await expect(call({ ...buy, quantity: "0.00001" })).rejects.toMatchObject({
      code: "REFUSED",
      message: "quantity 0.00001 is not a multiple of 0.0001; use 0.0001",
    });
    for (const quantity of ["-1", "0", "1e2", "NaN"])
      await expect(call({ ...buy, quantity })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(call({ ...buy, symbol: "LINK" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      data: { candidates: [{ symbol: "LINK" }, { symbol: "LINK-USD" }] },
    });
    const connection_id = `cn_${"9".repeat(20)}`;
    await expect(call({ ...buy, connection_id })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(call({ ...buy, connection_id: CONNECTION }, { account: "two" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("requires a ticket or a symbol", async () => {
    await expect(call({})).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});

toolContract(executeTrade, { ports });
