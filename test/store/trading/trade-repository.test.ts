import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../../src/analytics/risk/limits.ts";
import {
  type AccountType,
  BrokerStatus,
  isFinal,
  isUnresolved,
  isWorking,
  type Order,
  OrderState,
} from "../../../src/domain/trading/trading.ts";
import type { TicketRecord } from "../../../src/domain/trading/trading-port.ts";
import { deleteRows } from "../../../src/store/queries.ts";
import { tradeRepository } from "../../../src/store/trading/trade-repository.ts";
import { tradeRules } from "../../../src/store/trading/trade-rules.ts";
import { intent } from "../../providers/broker-contract.ts";
import { keepConnections } from "../../support/connection-row.ts";
import { testStore } from "../../support/store.ts";
import { paperConnection } from "../../support/vault.ts";

const PAGE = "http://localhost:8787/confirm";
const digitsOf = (n: number) => String(n).padStart(20, "0");
const T0 = "2026-01-15T15:00:00.000Z";
const LATER = "2026-01-15T15:05:00.000Z";

const ticket = (n: number, over: Partial<TicketRecord> = {}): TicketRecord => ({
  id: `tk_${digitsOf(n)}`,
  connection: "cn_1",
  market: "test",
  intent: intent("AAPL"),
  shown: { price: "100" },
  createdAt: T0,
  expiresAt: LATER,
  order: null,
  confirmedAt: null,
  ...over,
});
const order = (n: number, over: Partial<Order> = {}): Order => ({
  order_id: `or_${digitsOf(n)}`,
  ticket_id: `tk_${digitsOf(n)}`,
  connection_id: "cn_1",
  client_order_id: `ms-${n}`,
  intent: intent("AAPL"),
  state: "submitting",
  broker_status: null,
  filled_quantity: "0",
  average_price: null,
  fees: "0",
  reason: null,
  market: "test",
  created_at: T0,
  updated_at: T0,
  ...over,
});
const connectionOf = (connection_id: string) => paperConnection(1, { connection_id });
/** A repository with tickets of ada, numbered from 1; its `begin` starts a paper order after the newest one. */
const openRepository = async ({ tickets = 0 } = {}) => {
  const { db } = await testStore();
  for (const account of ["ada", "bob"])
    await keepConnections(db, account, ["cn_1", "cn_2"].map(connectionOf));
  const repository = tradeRepository({ db, market: "test" });
  for (let n = 1; n <= tickets; n++) await repository.saveTicket("ada", ticket(n));
  const begin = async (account: string, one: Order, type: AccountType = "paper") =>
    repository.begin(account, one, { after: await repository.newest(account, one.connection_id), type });
  const change = (n: number, over: Partial<Order>) => repository.change("ada", order(n).order_id, over);
  /** Saves a ticket of ada, begins its order and changes it. */
  const place = async (n: number, over: Partial<Order>, created: Partial<Order> = {}) => {
    const { connection_id: connection = "cn_1" } = created;
    await repository.saveTicket("ada", ticket(n, { connection }));
    await begin("ada", order(n, created));
    if (Object.keys(over).length > 0) await change(n, over);
  };
  const orderOf = async (n: number) => (await repository.ticket("ada", ticket(n).id))?.order;
  return { db, ...repository, begin, beginAfter: repository.begin, changeOrder: change, place, orderOf };
};
const names = (orders: readonly Order[]) => orders.map(({ client_order_id }) => client_order_id);

describe("the trade repository", () => {
  it("returns a ticket as stored, only to its account and market", async () => {
    const repository = await openRepository({ tickets: 1 });
    expect(await repository.ticket("ada", ticket(1).id)).toEqual(ticket(1));
    expect(await repository.ticket("bob", ticket(1).id)).toBeNull();
    expect(
      await tradeRepository({ db: repository.db, market: "other" }).ticket("ada", ticket(1).id),
    ).toBeNull();
    await expect(repository.saveTicket("ada", ticket(1))).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(repository.saveTicket("ada", ticket(2, { market: "other" }))).rejects.toThrow(
      /cannot be stored for test/,
    );
  });

  it("turns a ticket into one order under concurrent calls", async () => {
    const repository = await openRepository({ tickets: 1 });
    const begun = await Promise.all(
      Array.from({ length: 20 }, () =>
        repository.beginAfter("ada", order(1), { after: null, type: "paper" }),
      ),
    );
    expect(begun.filter(Boolean)).toHaveLength(1);
    expect(await repository.orders("ada", { limit: 10 })).toEqual([order(1)]);
    expect(await repository.orderOf(1)).toBe(order(1).order_id);
  });

  it("rejects an expired ticket and one of another connection or account", async () => {
    const repository = await openRepository({ tickets: 1 });
    expect(await repository.begin("ada", order(1, { created_at: LATER }))).toBe(false);
    expect(await repository.begin("ada", order(1, { connection_id: "cn_2" }))).toBe(false);
    expect(await repository.begin("bob", order(1))).toBe(false);
    expect(await repository.orders("ada", { limit: 10 })).toEqual([]);
  });

  it("rejects an order while the outcome of another one of the connection is unknown", async () => {
    const repository = await openRepository({ tickets: 2 });
    await repository.begin("ada", order(1));
    for (const state of ["submitting", "unknown"] as const) {
      await repository.changeOrder(1, { state });
      await expect(repository.begin("ada", order(2))).rejects.toMatchObject({
        code: "CONFLICT",
        data: { order_id: order(1).order_id },
      });
      expect(await repository.orderOf(2)).toBe(null);
    }
    await repository.changeOrder(1, { state: "reconciled" });
    expect(await repository.begin("ada", order(2))).toBe(true);
  });

  it("rejects an order of a removed connection, and leaves the ticket unused", async () => {
    const repository = await openRepository({ tickets: 1 });
    await deleteRows(repository.db, "connections", { account: "ada", id: "cn_1" });
    await expect(repository.begin("ada", order(1))).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "The connection of this ticket was removed",
    });
    expect(await repository.orders("ada", { limit: 10 })).toEqual([]);
    expect(await repository.orderOf(1)).toBe(null);
  });

  it("counts orders that may fill or are unknown, of an account or one connection", async () => {
    const repository = await openRepository();
    const states = [
      { state: "accepted", broker_status: "working" },
      { state: "accepted", broker_status: "filled" },
      { state: "rejected" },
      { state: "unknown" },
    ] as const;
    for (const [n, change] of states.entries()) await repository.place(n, change);
    await repository.place(7, {}, { connection_id: "cn_2" });
    expect(await repository.working("ada")).toBe(3);
    expect(await repository.working("ada", "cn_1")).toBe(2);
    expect(await repository.working("bob")).toBe(0);
  });

  it("does not replace an order read back from the broker by a tentative outcome", async () => {
    const repository = await openRepository({ tickets: 1 });
    await repository.begin("ada", order(1));
    const known = { state: "reconciled", broker_status: "working" } as const;
    await repository.changeOrder(1, known);
    for (const state of ["unknown", "rejected"] as const)
      expect(await repository.changeOrder(1, { state, reason: "late" })).toMatchObject(known);
    const filled = { broker_status: "filled" } as const;
    expect(await repository.changeOrder(1, filled)).toMatchObject(filled);
  });

  it("does not let a late response undo a fill or a final status", async () => {
    const repository = await openRepository({ tickets: 1 });
    await repository.begin("ada", order(1));
    const id = order(1).order_id;
    const part = { state: "reconciled", broker_status: "partially_filled", filled_quantity: "0.5" } as const;
    expect(await repository.change("ada", id, part)).toMatchObject(part);
    expect(
      await repository.change("ada", id, { broker_status: "working", filled_quantity: "0" }),
    ).toMatchObject(part);
    const sent = { state: "accepted", broker_status: "filled", filled_quantity: "1" } as const;
    expect(await repository.change("ada", id, sent)).toMatchObject(part);
    const cancelled = { ...part, broker_status: "cancelled" } as const;
    expect(await repository.change("ada", id, cancelled)).toMatchObject(cancelled);
    expect(await repository.change("ada", id, part)).toMatchObject(cancelled);
  });

  it("does not replace a known fill by an older read that found nothing", async () => {
    const repository = await openRepository({ tickets: 2 });
    const never = {
      state: "reconciled",
      broker_status: "rejected",
      reason: "The broker never received it",
    } as const;
    await repository.begin("ada", order(1));
    expect(await repository.changeOrder(1, never)).toMatchObject(never);
    await repository.begin("ada", order(2));
    const filled = { state: "accepted", broker_status: "filled", filled_quantity: "1" } as const;
    await repository.changeOrder(2, filled);
    expect(await repository.changeOrder(2, never)).toMatchObject({
      ...filled,
      reason: null,
    });
    // one that the broker accepted and later rejected
    expect(await repository.changeOrder(2, { broker_status: "rejected" })).toMatchObject({
      broker_status: "rejected",
    });
  });

  it("deletes unused tickets a day after they expire in small batches, and keeps used ones", async () => {
    const repository = await openRepository({ tickets: 30 });
    await repository.begin("ada", order(1));
    const left = async () =>
      (await repository.db.selectFrom("trade_tickets").select("id").execute()).map(({ id }) => id);
    const keepAt = (n: number, createdAt: string) =>
      repository.saveTicket("bob", ticket(n, { createdAt, expiresAt: "2026-01-17T00:00:00.000Z" }));
    await keepAt(41, "2026-01-16T15:04:59.999Z");
    expect(await left()).toHaveLength(31);
    await keepAt(42, "2026-01-16T15:05:00.000Z");
    expect(await left()).toHaveLength(12);
    await keepAt(43, "2026-01-16T15:05:00.000Z");
    expect((await left()).toSorted()).toEqual([1, 41, 42, 43].map((n) => ticket(n).id));
    expect(await repository.orderOf(1)).toBe(order(1).order_id);
  });

  it("lists tickets that are neither used nor expired, newest first", async () => {
    const repository = await openRepository();
    const later = { createdAt: "2026-01-15T15:00:01.000Z", expiresAt: "2026-01-15T15:05:01.000Z" };
    await repository.saveTicket("ada", ticket(1));
    await repository.saveTicket("ada", ticket(2, later));
    await repository.saveTicket("ada", ticket(3));
    await repository.begin("ada", order(3));
    expect(await repository.tickets("ada", T0)).toEqual([ticket(2, later), ticket(1)]);
    expect(await repository.tickets("ada", LATER)).toEqual([ticket(2, later)]);
    expect(await repository.tickets("bob", T0)).toEqual([]);
  });

  it("lists what waits for a person however many previews are newer, and the same millisecond by id", async () => {
    const repository = await openRepository({ tickets: 3 });
    const request = { by: "key_1", at: T0, expiresAt: LATER, page: PAGE };
    await repository.requestConfirmation("ada", ticket(2).id, request);
    const newer = { createdAt: "2026-01-15T15:00:01.000Z" };
    for (let n = 101; n <= 200; n++) await repository.saveTicket("ada", ticket(n, newer));
    const ids = (await repository.tickets("ada", T0)).map(({ id }) => Number(id.slice(3)));
    expect(ids).toEqual([...Array.from({ length: 100 }, (_, n) => 101 + n), 2]);
    const tied = await openRepository({ tickets: 3 });
    await tied.requestConfirmation("ada", ticket(2).id, request);
    expect((await tied.tickets("ada", T0)).map(({ id }) => id)).toEqual([1, 2, 3].map((n) => ticket(n).id));
  });

  it("lets ten orders of a key wait for a person and fifty of an account, under concurrent calls", async () => {
    const repository = await openRepository({ tickets: 60 });
    const ask = (n: number, by: string) =>
      repository.requestConfirmation("ada", ticket(n).id, { by, at: T0, expiresAt: LATER, page: PAGE });
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => ask(n + 1, "key_1")));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    expect(outcomes[11]).toMatchObject({
      reason: { code: "REFUSED", message: "10 orders of this key or app wait for a person already" },
    });
    expect(await ask(1, "key_1")).toBe(false);
    for (let n = 13; n <= 52; n++) expect(await ask(n, `key_${Math.floor((n + 7) / 10)}`)).toBe(true);
    await expect(ask(53, "key_6")).rejects.toMatchObject({
      code: "REFUSED",
      message: "50 orders of this account wait for a person already",
      hint: `Let a person of this account confirm or refuse some of them at ${PAGE}, or wait until ${LATER}, when the first one expires.`,
    });
    expect(await repository.ticket("ada", ticket(53).id)).toEqual(ticket(53));
    await repository.refuse("ada", ticket(1).id, T0);
    await repository.begin("ada", order(2));
    expect([await ask(53, "key_6"), await ask(54, "key_1")]).toEqual([true, true]);
  });

  it("begins one order after the newest known one, under concurrent calls and clock changes", async () => {
    const repository = await openRepository({ tickets: 3 });
    await repository.begin("ada", order(2));
    await repository.changeOrder(2, { state: "accepted" });
    expect(await repository.newest("ada", "cn_1")).toBe(order(2).order_id);
    const seen = { after: order(2).order_id, type: "paper" } as const;
    for (const after of [null, order(3).order_id])
      await expect(repository.beginAfter("ada", order(1), { ...seen, after })).rejects.toMatchObject({
        code: "CONFLICT",
        data: { newest: order(2).order_id },
      });
    expect(await repository.beginAfter("ada", order(1), seen)).toBe(true);
    await repository.changeOrder(1, { state: "accepted" });
    expect(await repository.newest("ada", "cn_1")).toBe(order(1).order_id);
    await expect(repository.beginAfter("ada", order(3), seen)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await repository.orderOf(3)).toBe(null);
    expect(await repository.newest("ada", "cn_2")).toBeNull();
    expect(await repository.newest("bob", "cn_1")).toBeNull();
  });

  it("rejects live orders while the kill switch is engaged, but not paper orders", async () => {
    const repository = await openRepository({ tickets: 3 });
    const rules = tradeRules({ db: repository.db, defaults: DEFAULT_LIMITS });
    await rules.setKillSwitch("bob", { engaged: true, since: T0, reason: null });
    expect(await repository.begin("ada", order(1), "live")).toBe(true);
    await repository.changeOrder(1, { state: "accepted" });
    await rules.setKillSwitch("ada", { engaged: true, since: T0, reason: null });
    await expect(repository.begin("ada", order(2), "live")).rejects.toMatchObject({
      code: "REFUSED",
      data: { checks: [{ rule: "kill_switch", value: "engaged" }] },
    });
    expect(await repository.orderOf(2)).toBe(null);
    expect(await repository.begin("ada", order(3))).toBe(true);
    await repository.changeOrder(3, { state: "accepted" });
    await rules.setKillSwitch("ada", { engaged: false, since: LATER, reason: null });
    expect(await repository.begin("ada", order(2), "live")).toBe(true);
  });

  it("confirms a ticket once, while it is neither used nor expired", async () => {
    const repository = await openRepository({ tickets: 3 });
    expect(await repository.confirm("bob", ticket(1).id, T0)).toBe(false);
    expect(await repository.confirm("ada", ticket(1).id, T0)).toBe(true);
    expect(await repository.confirm("ada", ticket(1).id, T0)).toBe(false);
    expect(await repository.ticket("ada", ticket(1).id)).toMatchObject({ confirmedAt: T0 });
    expect(await repository.confirm("ada", ticket(2).id, LATER)).toBe(false);
    await repository.begin("ada", order(3));
    expect(await repository.confirm("ada", ticket(3).id, T0)).toBe(false);
  });

  it("updates the outcome of an order, and lists newest first by state and time", async () => {
    const repository = await openRepository();
    for (const n of [1, 2]) {
      await repository.saveTicket("ada", ticket(n));
      await repository.begin("ada", order(n, { created_at: `2026-01-15T15:00:0${n}.000Z` }));
      if (n === 1) await repository.changeOrder(n, { state: "accepted" });
    }
    const changed = await repository.changeOrder(2, {
      state: "unknown",
      reason: "timeout",
    });
    expect(changed).toMatchObject({ state: "unknown", reason: "timeout", client_order_id: "ms-2" });
    expect(await repository.change("bob", order(1).order_id, { state: "accepted" })).toBeNull();
    const ids = async (request: object) => names(await repository.orders("ada", { limit: 10, ...request }));
    expect(await ids({})).toEqual(["ms-2", "ms-1"]);
    expect(await ids({ limit: 1 })).toEqual(["ms-2"]);
    expect(await ids({ states: ["unknown"] })).toEqual(["ms-2"]);
    expect(await ids({ since: "2026-01-15T15:00:02.000Z" })).toEqual(["ms-2"]);
  });

  it("lists orders that may fill or are unknown, by connection, after any number of finished ones", async () => {
    const repository = await openRepository();
    const states = [
      { state: "accepted", broker_status: "working" },
      { state: "reconciled", broker_status: "partially_filled" },
      { state: "accepted", broker_status: "filled" },
      { state: "rejected", broker_status: null },
      { state: "reconciled", broker_status: "cancelled" },
      { state: "unknown", broker_status: null },
    ] as const;
    for (const [n, change] of states.entries())
      await repository.place(n, change, { created_at: `2026-01-15T15:00:0${n}.000Z` });
    await repository.place(7, {}, { connection_id: "cn_2" });
    const ids = async (request: object) => names(await repository.orders("ada", { limit: 10, ...request }));
    expect(await ids({ working: true, connection: "cn_1" })).toEqual(["ms-5", "ms-1", "ms-0"]);
    expect(await ids({ working: true, connection: "cn_2" })).toEqual(["ms-7"]);
    expect(await ids({ working: true })).toEqual(["ms-5", "ms-1", "ms-7", "ms-0"]);
    expect(await ids({ connection: "cn_2" })).toEqual(["ms-7"]);
  });

  it("lists as working exactly the orders that isWorking accepts, in every state and status", async () => {
    const repository = await openRepository();
    const outcomes = OrderState.options.flatMap((state) =>
      [null, ...BrokerStatus.options].map((broker_status) => ({ state, broker_status })),
    );
    for (const [n, { state, broker_status }] of outcomes.entries()) {
      const connection = `cn_${n}`;
      await keepConnections(repository.db, "ada", [connectionOf(connection)]);
      await repository.saveTicket("ada", ticket(n, { connection }));
      await repository.begin("ada", order(n, { connection_id: connection, state, broker_status }));
    }
    const listed = await repository.orders("ada", { working: true, limit: 100 });
    const working = outcomes.flatMap((outcome, n) => (isWorking(outcome) ? [order(n)] : []));
    expect(names(listed).toSorted()).toEqual(names(working).toSorted());
    // two unresolved states with any broker status, and two states with two statuses that may be filled
    expect(working).toHaveLength(2 * 7 + 2 * 2);
    for (const outcome of outcomes)
      expect(isFinal(outcome) && isWorking(outcome) && !isUnresolved(outcome)).toBe(false);
  });

  it("stores the highest equity and that of the previous day", async () => {
    const repository = await openRepository();
    const note = (equity: string, day: string) => repository.recordEquity("ada", "cn_1", { equity, day });
    expect(await note("1000", "2026-01-14")).toEqual({ peak: "1000", before: "1000" });
    expect(await note("1200.5", "2026-01-14")).toEqual({ peak: "1200.5", before: "1000" });
    expect(await note("900", "2026-01-15")).toEqual({ peak: "1200.5", before: "1200.5" });
    expect(await note("950", "2026-01-15")).toEqual({ peak: "1200.5", before: "1200.5" });
    expect(await repository.recordEquity("ada", "cn_2", { equity: "5", day: "2026-01-15" })).toEqual({
      peak: "5",
      before: "5",
    });
  });
});
