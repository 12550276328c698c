import { describe, expect, it } from "vitest";
import type { Principal } from "../../../src/domain/accounts/access.ts";
import type { OrderState } from "../../../src/domain/trading/trading.ts";
import type { Broker } from "../../../src/domain/trading/trading-port.ts";
import { disconnect } from "../../../src/features/trading/disconnect.ts";
import { reconcile, reconcileAll } from "../../../src/features/trading/reconcile.ts";
import { intent } from "../../providers/broker-contract.ts";
import { ada, brokerOrder, CN, T0, tradeBench } from "./bench.ts";

const idOf = (n: number) => String(n).padStart(20, "0");
/** A broker where every order works until it is cancelled. */
const waiting = (over: { readonly cancels?: boolean } = {}) => {
  const off = new Set<string>();
  const requests: string[] = [];
  const found = (id: string) =>
    brokerOrder({ id, clientOrderId: id, status: off.has(id) ? "cancelled" : "working" });
  const fault = (broker: Broker): Broker => ({
    ...broker,
    find: async (id) => {
      requests.push(id);
      return found(id);
    },
    cancel: async (id) => {
      if (over.cancels === false) throw new Error("socket hang up");
      off.add(id);
    },
  });
  return { off, requests, fault };
};
type Bench = Awaited<ReturnType<typeof tradeBench>>;
/** Stores this number of working orders, one second apart; `oldest` is the state of the first. */
async function resting({ db }: Bench, count: number, oldest: OrderState = "accepted"): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => {
    const at = new Date(Date.parse(T0) + n * 1_000).toISOString();
    return {
      account: "ada",
      market: "test",
      id: `or_${idOf(n)}`,
      ticket: `tk_${idOf(n)}`,
      connection: CN,
      client_order_id: `ms-${idOf(n)}`,
      intent: JSON.stringify(intent("AAPL")),
      number: n + 1,
      state: n === 0 ? oldest : ("accepted" as const),
      broker_status: "working" as const,
      filled_quantity: "0",
      average_price: null,
      fees: "0",
      reason: null,
      created_at: at,
      updated_at: at,
    };
  });
  for (let from = 0; from < count; from += 100)
    await db
      .insertInto("trade_orders")
      .values(rows.slice(from, from + 100))
      .execute();
}
const leaving = (bench: Bench, force: boolean, who: Principal = ada) => {
  let gone = false;
  const { connections } = bench.ports;
  const ports = {
    ...bench.ports,
    connections: {
      ...connections,
      list: async (account: string) => (gone ? [] : connections.list(account)),
      remove: async () => {
        gone = true;
        return true;
      },
    },
    positionRepository: { removeSynced: async () => {} },
  } as unknown as Parameters<typeof disconnect>[2];
  return { ports, left: disconnect({ connection: CN, force }, who, ports) };
};

describe("a forced disconnect", () => {
  it("cancels every paper order, however many are working", async () => {
    const { fault, off } = waiting();
    const bench = await tradeBench({ fault });
    await resting(bench, 230);
    expect(await leaving(bench, true).left).toEqual([]);
    expect(off.size).toBe(230);
    expect(await bench.ports.tradeRepository.working("ada")).toBe(0);
  });

  it("sends one cancel request for each order that cannot be cancelled, and returns it", async () => {
    const bench = await tradeBench(waiting({ cancels: false }));
    await resting(bench, 3);
    expect(await leaving(bench, true).left).toHaveLength(3);
    expect(bench.acts.filter(({ event }) => event === "order_cancelled")).toHaveLength(3);
  });

  it.each([
    ["paper", "trade:paper"],
    ["live", "trade:live"],
  ] as const)("of a %s account requires the trade scope while an order is working", async (type, scope) => {
    const reader: Principal = { ...ada, scopes: ["read", "write"] };
    const { fault, off } = waiting();
    const bench = await tradeBench({ fault, connection: { account_type: type } });
    await resting(bench, 1);
    await expect(leaving(bench, true, reader).left).rejects.toMatchObject({
      code: "SCOPE_REQUIRED",
      data: { required_scope: scope },
    });
    expect(off.size).toBe(0);
    const trader: Principal = { ...reader, scopes: ["read", "write", scope] };
    expect(await leaving(bench, true, trader).left).toHaveLength(type === "live" ? 1 : 0);
    const idle = await tradeBench({ fault, connection: { account_type: type } });
    expect(await leaving(idle, true, reader).left).toEqual([]);
  });

  it("rejects an order that was begun before it and not sent yet", async () => {
    const bench = await tradeBench();
    const ticket = await bench.ticketOf();
    let gone = false;
    const { list } = bench.ports.connections;
    const connections = {
      ...bench.ports.connections,
      list: async (account: string) => (gone ? [] : list(account)),
    };
    const audit = {
      write: async () => {
        gone = true;
      },
    };
    const { order } = await bench.execute(ticket, ada, { connections, audit });
    expect(order).toMatchObject({
      state: "rejected",
      reason: "Not sent: the connection was removed",
    });
    const unread = { ...connections, list: async () => Promise.reject(new Error("disk")) };
    expect((await bench.execute(await bench.ticketOf(), ada, { connections: unread })).order).toMatchObject({
      state: "rejected",
      reason: "Not sent: its connection could not be read",
    });
    expect(await bench.sent()).toEqual([]);
  });

  it("begins no order for a ticket whose connection was removed", async () => {
    const bench = await tradeBench();
    const ticket = await bench.ticketOf();
    await bench.db.deleteFrom("connections").execute();
    await expect(bench.execute(ticket)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await bench.sent()).toEqual([]);
  });
});

describe("reading orders back", () => {
  it("reads unresolved orders first, then up to 1,000 working ones, and counts the others", async () => {
    const { fault, requests } = waiting();
    const bench = await tradeBench({ fault });
    await resting(bench, 1_003, "unknown");
    const { read, omitted } = await reconcileAll("ada", bench.ports, { save: false });
    expect(read).toHaveLength(1_001);
    expect(requests[0]).toBe(`ms-${idOf(0)}`);
    expect(requests.slice(1, 3)).toEqual([`ms-${idOf(1_002)}`, `ms-${idOf(1_001)}`]);
    expect(omitted).toBe(2);
  });

  it("cancels orders of a removed paper connection and leaves those of others open", async () => {
    const bench = await tradeBench();
    const gone = { list: async () => [], find: async () => null };
    const ports = { ...bench.ports, connections: { ...bench.ports.connections, ...gone } };
    const order = await bench.trade({
      side: "buy",
      quantity: "1",
      type: "limit",
      limit_price: "95",
      time_in_force: "gtc",
    });
    expect(order.broker_status).toBe("working");
    expect(await reconcile("ada", ports)).toMatchObject([
      {
        changed: true,
        failure: null,
        order: { broker_status: "cancelled", reason: "Its paper connection was removed" },
      },
    ]);
    expect(await reconcile("ada", ports)).toEqual([]);
    await resting(bench, 1);
    expect(await reconcile("ada", ports)).toMatchObject([
      { changed: false, failure: "Connection not found" },
    ]);
  });
});
