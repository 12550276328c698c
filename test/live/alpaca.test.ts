import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Principal, Scope } from "../../src/domain/accounts/access.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import type { InputOf, OutputOf, Tool } from "../../src/kernel/tool.ts";
import { connectBroker } from "../../tools/connect-broker.ts";
import { executeTrade } from "../../tools/execute-trade.ts";
import { listConnections } from "../../tools/list-connections.ts";
import { listPositions } from "../../tools/list-positions.ts";
import { previewTrade } from "../../tools/preview-trade.ts";
import { reconcileOrders } from "../../tools/reconcile-orders.ts";
import { syncPositions } from "../../tools/sync-positions.ts";
import { FAKE_ALPACA_KEY, type FakeAlpaca, startFakeAlpaca } from "../support/fake-alpaca.ts";
import type { Installation } from "../support/installation.ts";
import { call, refusalOf, stageAt } from "../support/live.ts";
import { suiteDir } from "../support/temp-dir.ts";

const LIVE: readonly Scope[] = ["read", "write", "trade:paper", "trade:live"];
const NOON = "2026-01-15T17:00:00.000Z";
const alpaca = (account_type: "paper" | "live", over: Partial<typeof FAKE_ALPACA_KEY> = {}) => ({
  broker: "alpaca" as const,
  account_type,
  credentials: { ...FAKE_ALPACA_KEY, ...over },
});

describe("an account at Alpaca, over the replay", () => {
  const suite = suiteDir();
  const stage = stageAt(NOON);
  let standIn: FakeAlpaca;
  let installation: Installation;
  const sent = () => standIn.calls().filter(({ method }) => method === "POST");
  const truePrice = () => Number(stage.world.trade("AAPL")!.price.toFixed(2));

  beforeAll(async () => {
    standIn = await startFakeAlpaca({
      now: () => stage.clock.at(),
      asset(symbol) {
        if (symbol === "AAPL") return { price: truePrice() };
        return symbol === "BTC/USD"
          ? { price: stage.world.trade("BTC-USD")!.price, crypto: true }
          : undefined;
      },
    });
    installation = await stage.open(suite.dir, { ...standIn.env, TRADING_LIVE: "1" });
  });
  afterAll(async () => {
    await installation.stop();
    await standIn.close();
    suite.remove();
  });

  it("is not stored when Alpaca refuses its key", async () => {
    const wrong = alpaca("paper", { api_secret: "not-the-secret-of-it" as never });
    expect(await refusalOf(installation, connectBroker, wrong)).toEqual({ code: "REFUSED" });
    expect((await call(installation, listConnections, {})).connections).toMatchObject([{ broker: "paper" }]);
  });

  it("is not stored when Alpaca does not respond", async () => {
    standIn.respondWith({ status: 503, body: "" });
    expect(await refusalOf(installation, connectBroker, alpaca("paper"))).toEqual({
      code: "UPSTREAM_UNAVAILABLE",
    });
    standIn.respondWith(null);
    expect((await call(installation, listConnections, {})).connections).toMatchObject([{ broker: "paper" }]);
  });

  it("connects, executes a previewed trade once and lists the position", async () => {
    const { connection, account } = await call(installation, connectBroker, alpaca("paper"));
    expect(connection).toMatchObject({ broker: "alpaca", account_type: "paper", account_mask: "IN42" });
    expect(connection.market).toMatch(/^live-elsewhere-/);
    expect(account).toMatchObject({ equity: "100000", buying_power: "400000" });
    const { connection_id } = connection;
    const asked = { symbol: "AAPL", side: "buy", quantity: "3", connection_id } as const;
    const preview = await call(installation, previewTrade, asked);
    expect(preview).toMatchObject({ reason: null, broker: "alpaca", account_type: "paper" });
    expect(sent()).toEqual([]);
    const ticket = { ticket_id: preview.ticket_id! };
    const { order } = await call(installation, executeTrade, ticket);
    expect(order).toMatchObject({ state: "accepted", intent: { symbol: "AAPL", quantity: "3" } });
    expect((await call(installation, executeTrade, ticket)).repeated).toBe(true);
    expect(sent()).toHaveLength(1);
    expect(JSON.parse(sent()[0]!.body)).toMatchObject({
      symbol: "AAPL",
      qty: "3",
      side: "buy",
      type: "market",
      client_order_id: order.client_order_id,
    });
    await call(installation, reconcileOrders, {});
    await call(installation, syncPositions, {});
    const { positions } = await call(installation, listPositions, {});
    expect(positions).toMatchObject([{ symbol: "AAPL", quantity: "3", connection_id }]);
  });

  it("gets no ticket for an order Alpaca does not accept, with the reason", async () => {
    const { connection } = await call(installation, connectBroker, alpaca("paper"));
    const limit = { symbol: "AAPL", side: "buy", quantity: "1", type: "limit" } as const;
    const price = truePrice();
    const asked = {
      ...limit,
      limit_price: (price - 1).toFixed(2),
      stop_loss: (price - 9).toFixed(2),
      connection_id: connection.connection_id,
    };
    const day = await call(installation, previewTrade, { ...asked, time_in_force: "day" });
    expect([day.ticket_id, day.reason]).toEqual([null, expect.stringMatching(/use time_in_force gtc$/)]);
    expect(await refusalOf(installation, executeTrade, { ...asked, time_in_force: "day" })).toMatchObject({
      code: "REFUSED",
    });
    expect((await call(installation, previewTrade, { ...asked, time_in_force: "gtc" })).reason).toBeNull();
  });

  it("looks up an order whose response was lost, and sends it only once", async () => {
    const { connection } = await call(installation, connectBroker, alpaca("paper"));
    const asked = {
      symbol: "AAPL",
      side: "buy",
      quantity: "1",
      connection_id: connection.connection_id,
    } as const;
    const { ticket_id } = await call(installation, previewTrade, asked);
    const before = sent().length;
    standIn.faults("reset after");
    const { order } = await call(installation, executeTrade, { ticket_id: ticket_id! });
    expect(order).toMatchObject({ state: "reconciled" });
    expect(sent()).toHaveLength(before + 1);
    expect(
      standIn.account.orders.filter((one) => one.client_order_id === order.client_order_id),
    ).toHaveLength(1);
  });

  it("sells fractional shares it holds, and buys whole shares only", async () => {
    const { connection } = await call(installation, connectBroker, alpaca("paper"));
    const { connection_id } = connection;
    const whole = Number((await call(installation, listPositions, {})).positions[0]!.quantity);
    expect(whole).toBeGreaterThan(0);
    standIn.account.send({
      client_order_id: "by-hand",
      symbol: "AAPL",
      qty: "0.557436865",
      side: "buy",
      type: "market",
      time_in_force: "day",
    });
    const part = { symbol: "AAPL", quantity: "0.557436865", connection_id } as const;
    expect(await call(installation, previewTrade, { ...part, side: "buy" })).toMatchObject({
      ticket_id: null,
    });
    const { ticket_id } = await call(installation, previewTrade, { ...part, side: "sell" });
    const { order } = await call(installation, executeTrade, { ticket_id: ticket_id! });
    expect(order).toMatchObject({ state: "accepted", intent: { quantity: "0.557436865" } });
    standIn.account.settle();
    expect(standIn.account.positions()).toMatchObject([{ qty: expect.stringMatching(/^\d+$/) }]);
  });

  it("buys a token by Alpaca's name for it, whatever the signal is", async () => {
    const { connection } = await call(installation, connectBroker, alpaca("paper"));
    const { connection_id } = connection;
    const asked = { symbol: "BTC-USD", side: "buy", quantity: "0.001", connection_id } as const;
    const { ticket_id, intent } = await call(installation, previewTrade, asked);
    expect(intent).toMatchObject({ symbol: "BTC-USD", stop_loss: null, take_profit: null });
    const { order } = await call(installation, executeTrade, { ticket_id: ticket_id! });
    expect(order).toMatchObject({ state: "accepted" });
    expect(JSON.parse(sent().at(-1)!.body)).toMatchObject({ symbol: "BTC/USD", time_in_force: "gtc" });
    await call(installation, syncPositions, {});
    const { positions } = await call(installation, listPositions, {});
    expect(positions.find(({ symbol }) => symbol === "BTC-USD")).toMatchObject({ quantity: "0.001" });
    const all = { symbol: "BTC-USD", side: "sell", quantity: "0.001", connection_id } as const;
    const closing = await call(installation, previewTrade, all);
    await call(installation, executeTrade, { ticket_id: closing.ticket_id! });
    standIn.account.settle();
    expect(standIn.account.positions().map(({ symbol }) => symbol)).toEqual(["AAPL"]);
  });

  it("connects a live account only with the scope for it", async () => {
    const { key } = await installation.key("enterprise", ["read", "write", "trade:paper"]);
    const response = await fetch(`${installation.url}/api/broker/connect-broker`, {
      method: "POST",
      body: JSON.stringify(alpaca("live")),
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    });
    expect([response.status, await response.json()]).toMatchObject([403, { code: "SCOPE_REQUIRED" }]);
  });

  it("sends a live order once, and only after its owner confirms it", async () => {
    const { account } = await installation.key("enterprise", LIVE);
    const trader: Principal = { account, plan: "enterprise", scopes: LIVE };
    const asTrader = async <T extends Tool>(tool: T, input: InputOf<T>): Promise<OutputOf<T>> =>
      invoke(tool, input, {
        ports: installation.app.ports,
        principal: trader,
        transport: "test",
        detail: "full",
      });
    const { connection } = await asTrader(connectBroker, alpaca("live"));
    expect(connection).toMatchObject({ account_type: "live" });
    const { connection_id } = connection;
    const closing = { symbol: "AAPL", side: "sell", quantity: "2", connection_id } as const;
    await expect(asTrader(executeTrade, closing)).rejects.toMatchObject({ code: "REFUSED" });
    const { ticket_id, reason } = await asTrader(previewTrade, closing);
    expect(reason).toBeNull();
    const before = sent().length;
    const ticket = { ticket_id: ticket_id! };
    await expect(asTrader(executeTrade, ticket)).rejects.toMatchObject({ code: "REFUSED", data: ticket });
    expect(sent()).toHaveLength(before);
    const at = new Date(stage.clock.at()).toISOString();
    expect(await installation.app.ports.tradeRepository!.confirm(account, ticket_id!, at)).toBe(true);
    const { order } = await asTrader(executeTrade, ticket);
    expect(order).toMatchObject({ state: "accepted", intent: { side: "sell", quantity: "2" } });
    expect(await asTrader(executeTrade, ticket)).toMatchObject({
      repeated: true,
      order: { order_id: order.order_id },
    });
    expect(sent()).toHaveLength(before + 1);
    standIn.account.settle();
    expect(standIn.account.positions()).toMatchObject([{ symbol: "AAPL", qty: "2" }]);
  });

  it("exposes its key in no response and in no path or body of a request", async () => {
    const answers = JSON.stringify([
      await call(installation, listConnections, {}),
      await call(installation, connectBroker, alpaca("paper")),
    ]);
    expect(answers).not.toContain(FAKE_ALPACA_KEY.api_key);
    expect(answers).not.toContain(FAKE_ALPACA_KEY.api_secret);
    for (const { path, body } of standIn.calls())
      expect(path + body).not.toContain(FAKE_ALPACA_KEY.api_secret);
  });
});
