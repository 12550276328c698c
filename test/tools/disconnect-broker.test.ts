import { describe, expect, it } from "vitest";
import { resolveConnection } from "../../src/features/trading/resolve-connection.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { cancelOrder } from "../../tools/cancel-order.ts";
import { connectBroker } from "../../tools/connect-broker.ts";
import { disconnectBroker } from "../../tools/disconnect-broker.ts";
import { executeTrade } from "../../tools/execute-trade.ts";
import { listPositions } from "../../tools/list-positions.ts";
import { reconcileOrders } from "../../tools/reconcile-orders.ts";
import { syncPositions } from "../../tools/sync-positions.ts";
import { brokerMarket } from "../support/brokers.ts";
import { pro, unavailable } from "../support/context.ts";
import { toolContract } from "../support/tool-contract.ts";
import { CONNECTION, savedTicket, tradeMarket, trader } from "../support/trades.ts";

const { ports, writtenBy } = await brokerMarket();
const call = (account: string) => ({ ports, principal: { ...pro, account }, transport: "test" });
const CREDENTIALS = { api_key: "key", api_secret: "secret" };
const connect = async (account: string) =>
  (await invoke(connectBroker, { broker: "paper", credentials: CREDENTIALS }, call(account))).connection;

describe("disconnect_broker", () => {
  it("deletes the connection with its credentials and synced positions", async () => {
    const { connection_id } = await connect("ada");
    await invoke(syncPositions, {}, call("ada"));
    expect(await invoke(disconnectBroker, { connection_id }, call("ada"))).toEqual({
      ok: true,
      success: true,
      connection_id,
      disconnected: true,
      unsettled_orders: [],
      market: "sample",
      label: "SAMPLE (simulated)",
    });
    expect(await ports.connections.find("ada", connection_id)).toBeNull();
    expect(await ports.positionRepository.listSynced("ada")).toEqual([]);
    // a new paper account takes its place
    const { synced } = await invoke(listPositions, {}, call("ada"));
    expect(synced).toHaveLength(1);
    expect(synced[0]!.connection_id).not.toBe(connection_id);
  });

  it("has nothing to remove of the built-in account before its first use, and writes nothing", async () => {
    const { connection_id } = (await ports.connections.list("new"))[0]!;
    await expect(invoke(disconnectBroker, { connection_id }, call("new"))).rejects.toMatchObject({
      code: "CONFLICT",
      message: "The built-in paper account was not used yet: there is nothing to remove",
    });
    expect(await writtenBy("new")).toEqual([]);
    await resolveConnection(ports, "new", connection_id);
    await invoke(disconnectBroker, { connection_id }, call("new"));
    expect((await writtenBy("new")).map(([event]) => event)).toEqual([
      "connection_added",
      "connection_removed",
    ]);
  });

  it("does not find another account's connection or a removed one", async () => {
    const { connection_id } = await connect("bob");
    const refused = { code: "NOT_FOUND", message: "Connection not found" };
    await expect(invoke(disconnectBroker, { connection_id }, call("eve"))).rejects.toMatchObject(refused);
    await invoke(disconnectBroker, { connection_id }, call("bob"));
    await expect(invoke(disconnectBroker, { connection_id }, call("bob"))).rejects.toMatchObject(refused);
  });

  it("writes an audit entry before it removes anything", async () => {
    const { connection_id, account_mask } = await connect("fay");
    const full = () => Promise.reject(new ToolError("STORAGE_FULL", "Nothing can be stored now"));
    const audit = { write: full };
    await expect(
      invoke(disconnectBroker, { connection_id }, { ...call("fay"), ports: { ...ports, audit } }),
    ).rejects.toMatchObject({ code: "STORAGE_FULL" });
    expect(await ports.connections.list("fay")).toHaveLength(1);
    await invoke(disconnectBroker, { connection_id }, call("fay"));
    const about = { connection_id, broker: "paper", account_type: "paper", account_mask };
    expect(await writtenBy("fay")).toEqual([
      ["connection_added", { ...about, replaced: false }],
      ["connection_removed", about],
    ]);
  });

  const trading = async () => {
    const market = await tradeMarket();
    const as = { ports: market.ports, principal: trader, transport: "test" };
    const far = { type: "limit", limit_price: "130", stop_loss: null } as const;
    const ticket_id = await savedTicket(market, "a", far);
    const { order } = await invoke(executeTrade, { ticket_id }, as);
    return { market, as, order_id: order.order_id };
  };
  const gone = { connection_id: CONNECTION };

  it("is refused with the ids of working orders; with force it cancels them on paper", async () => {
    const { market, as, order_id } = await trading();
    await expect(invoke(disconnectBroker, gone, as)).rejects.toMatchObject({
      code: "CONFLICT",
      message: `Orders of this connection may still be filled: ${order_id}`,
      hint: expect.stringMatching(/cancel_order.*force: true/),
      data: { working_orders: [order_id] },
    });
    expect(await market.ports.connections.list(trader.account)).toHaveLength(1);
    expect(await invoke(disconnectBroker, { ...gone, force: true }, as)).toMatchObject({
      disconnected: true,
      unsettled_orders: [],
    });
    expect(await market.ports.tradeRepository.order(trader.account, order_id)).toMatchObject({
      broker_status: "cancelled",
    });
    expect((await market.writtenBy(trader.account)).map(([event]) => event).slice(-3)).toEqual([
      ...["order_cancelled", "order_reconciled", "connection_removed"],
    ]);
  });

  it("succeeds when the order has ended at the broker in the meantime", async () => {
    const { market, as, order_id } = await trading();
    const line = await resolveConnection(market.ports, trader.account, CONNECTION);
    const order = (await market.ports.tradeRepository.order(trader.account, order_id))!;
    await line.broker.cancel((await line.broker.find(order.client_order_id))!.id);
    expect(await invoke(disconnectBroker, gone, as)).toMatchObject({ unsettled_orders: [] });
    expect(await market.ports.tradeRepository.order(trader.account, order_id)).toMatchObject({
      broker_status: "cancelled",
    });
  });

  it("lists unsettled orders after a forced disconnect, and later calls explain where to check them", async () => {
    const { market, as, order_id } = await trading();
    const silent = unavailable("The broker does not answer");
    const { brokers } = market.ports;
    const mute: typeof brokers = {
      ...brokers,
      open: (...args) => ({ ...brokers.open(...args), find: silent, cancel: silent }),
    };
    const unheard = { ...as, ports: { ...as.ports, brokers: mute } };
    await expect(invoke(disconnectBroker, gone, unheard)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await invoke(disconnectBroker, { ...gone, force: true }, unheard)).toMatchObject({
      unsettled_orders: [order_id],
    });
    expect(await invoke(reconcileOrders, {}, as)).toMatchObject({
      open: [{ order_id, reason: expect.stringMatching(/was removed.*at the broker/) }],
    });
    await expect(invoke(cancelOrder, { order_id }, as)).rejects.toMatchObject({
      code: "CONFLICT",
      message: "The connection of this order was disconnected",
    });
  });
});

const another = { ...(await connect("contract")), connection_id: "cn_00000000000000000000" };
await ports.connections.add("contract", another, { ...CREDENTIALS, api_key: "another" });
toolContract(disconnectBroker, { ports });
