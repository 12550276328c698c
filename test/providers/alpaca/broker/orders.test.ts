import { describe, expect, it } from "vitest";
import type { Intent } from "../../../../src/domain/trading/trading.ts";
import { intent } from "../../broker-contract.ts";
import { alpacaBench, fixedResponseBench } from "./bench.ts";

describe("orders since a time", () => {
  it("are those created or changed since, and all working ones, oldest first", async () => {
    const { broker, clock } = await alpacaBench();
    const place = (clientOrderId: string, over: Partial<Intent> = {}) =>
      broker.submit({ clientOrderId, intent: intent("AAPL", over) });
    await place("old");
    await place("waits", { type: "limit", limit_price: "100" });
    await broker.find("old");
    clock.pass(3_600_000);
    const since = clock.now().toISOString();
    clock.pass(60_000);
    await place("new", { quantity: "2" });
    const result = await broker.orders({ since });
    expect(result.map(({ clientOrderId, status }) => [clientOrderId, status])).toEqual([
      ["waits", "working"],
      ["new", "filled"],
    ]);
  });

  it("include a stop that was hit since, even if its entry is older", async () => {
    const { broker, clock, prices } = await alpacaBench();
    await broker.submit({
      clientOrderId: "ms-1",
      intent: intent("AAPL", { take_profit: "150", stop_loss: "130" }),
    });
    await broker.find("ms-1");
    clock.pass(5 * 86_400_000);
    const since = clock.now().toISOString();
    prices.AAPL = 129;
    clock.pass(1_000);
    const result = await broker.orders({ since });
    expect(result.map(({ leg, status }) => [leg, status])).toEqual([
      [null, "filled"],
      ["take_profit", "cancelled"],
      ["stop_loss", "filled"],
    ]);
  });

  it("include working exits with their entry, even if nothing has changed for a long time", async () => {
    const { broker, clock } = await alpacaBench();
    await broker.submit({
      clientOrderId: "ms-1",
      intent: intent("AAPL", { take_profit: "150", stop_loss: "130" }),
    });
    await broker.find("ms-1");
    clock.pass(5 * 86_400_000);
    const result = await broker.orders({ since: clock.now().toISOString() });
    expect(result.map(({ leg, entry, status }) => [leg, entry, status])).toEqual([
      [null, null, "filled"],
      ["take_profit", "ms-1", "working"],
      ["stop_loss", "ms-1", "working"],
    ]);
  });

  it("are read from all pages", async () => {
    const { broker, standIn, clock } = await alpacaBench();
    for (let i = 0; i < 703; i++) {
      if (i % 2 === 0) clock.pass(1);
      standIn.account.send({
        client_order_id: `ms-${i}`,
        symbol: "AAPL",
        qty: "1",
        side: "buy",
        type: "limit",
        time_in_force: "gtc",
        limit_price: "1",
      });
    }
    const result = await broker.orders({ since: "2026-01-01T00:00:00.000Z" });
    expect(result.map(({ clientOrderId }) => clientOrderId)).toEqual(
      Array.from({ length: 703 }, (_, i) => `ms-${i}`),
    );
  });
});

describe("a leg", () => {
  const row = {
    id: "00000000-0000-4000-8000-000000000001",
    client_order_id: "a",
    symbol: "AAPL",
    side: "sell",
    asset_class: "us_equity",
    type: "stop",
    order_class: "bracket",
    qty: "1",
    filled_qty: "0",
    filled_avg_price: null,
    limit_price: null,
    stop_price: "130",
    status: "new",
    legs: null,
    submitted_at: "2026-01-15T15:00:00.000000001Z",
    updated_at: "2026-01-15T15:00:00.000000001Z",
  };
  const legsOf = async (rows: readonly object[]) =>
    (await fixedResponseBench(200, rows).broker.orders({ since: "2026-01-01T00:00:00.000Z" })).map(
      ({ leg }) => leg,
    );

  it("is recognised without its entry", async () => {
    expect(await legsOf([row])).toEqual(["stop_loss"]);
    expect(await legsOf([{ ...row, type: "limit", limit_price: "150", stop_price: null }])).toEqual([
      "take_profit",
    ]);
  });

  it("is returned once if Alpaca returns it twice", async () => {
    const id = "00000000-0000-4000-8000-000000000002";
    const twice = [{ ...row, id, client_order_id: "e", type: "market", stop_price: null, legs: [row] }, row];
    expect(await legsOf(twice)).toEqual([null, "stop_loss"]);
    const result = await fixedResponseBench(200, twice).broker.orders({ since: "2026-01-01T00:00:00.000Z" });
    expect(result.map(({ entry }) => entry)).toEqual([null, "e"]);
  });

  it("of two exits without an entry is either of the two", async () => {
    const target = { ...row, order_class: "oco", type: "limit", limit_price: "150", stop_price: null };
    const id = "00000000-0000-4000-8000-000000000002";
    expect(await legsOf([{ ...target, id, legs: [{ ...row, order_class: "oco" }] }])).toEqual([
      "take_profit",
      "stop_loss",
    ]);
  });

  it("is not a leg without an order class", async () => {
    expect(await legsOf([{ ...row, order_class: "" }])).toEqual([null]);
  });
});
