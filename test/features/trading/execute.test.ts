import { describe, expect, it } from "vitest";
import type { Broker } from "../../../src/domain/trading/trading-port.ts";
import { cancelOrder } from "../../../src/features/trading/cancel.ts";
import { reconcile } from "../../../src/features/trading/reconcile.ts";
import { ada, CN, liveTicketOf, tradeBench } from "./bench.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const lost = (): never => {
  throw new Error("socket hang up");
};
/** Faults between us and the broker while an order is sent. */
const FAULTS: Readonly<Record<string, (broker: Broker) => Broker>> = {
  "lost before it arrives": (broker) => ({ ...broker, submit: async () => lost() }),
  "lost after it was accepted": (broker) => ({
    ...broker,
    submit: async (order) => {
      await broker.submit(order);
      return lost();
    },
  }),
  "answered with HTTP 500": (broker) => ({
    ...broker,
    submit: async () => ({ outcome: "unknown", reason: "HTTP 500" }),
  }),
  "rejected though executed": (broker) => ({
    ...broker,
    submit: async (order) => {
      await broker.submit(order);
      return { outcome: "rejected", reason: "unprocessable" };
    },
  }),
};
/** The same broker; its orders cannot be read back while `outage.on`. */
const silently = (fault: (broker: Broker) => Broker, outage: { on: boolean }) => (broker: Broker) => {
  const faulty = fault(broker);
  return { ...faulty, find: async (id: string) => (outage.on ? lost() : broker.find(id)) };
};

describe("executing a ticket", () => {
  it("creates one order, filled on paper, however often it is requested", async () => {
    const { ticketOf, execute, sent, real } = await tradeBench();
    const ticket = await ticketOf();
    const first = await Promise.all(Array.from({ length: 10 }, () => execute(ticket)));
    const last = await execute({ ...ticket, order: first[0]!.order.order_id });
    expect(first.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(last).toMatchObject({
      repeated: true,
      order: { broker_status: "filled", filled_quantity: "1", connection_id: CN },
    });
    expect(new Set(first.map(({ order }) => order.client_order_id)).size).toBe(1);
    expect(await sent()).toHaveLength(1);
    expect(await real.positions()).toMatchObject([{ symbol: "AAPL", quantity: "1" }]);
  });

  it.each(Object.keys(FAULTS))(
    "sends an order that is %s once, and blocks others until it is read back",
    async (name) => {
      const outage = { on: false };
      const bench = await tradeBench({ fault: silently(FAULTS[name]!, outage) });
      const [ticket, other] = [await bench.ticketOf(), await bench.ticketOf()];
      outage.on = true;
      expect((await bench.execute(ticket)).order).toMatchObject({ state: "unknown" });
      for (let tries = 0; tries < 5; tries++) {
        const used = await bench.ticket(ticket.id);
        expect(await bench.execute(used)).toMatchObject({ repeated: true, order: { state: "unknown" } });
      }
      await expect(bench.execute(other)).rejects.toMatchObject({ code: "CONFLICT" });
      const [unread] = await reconcile("ada", bench.ports);
      expect(unread).toMatchObject({ changed: false, order: { state: "unknown" } });
      outage.on = false;
      bench.clock.pass(2 * MINUTE);
      const [read] = await reconcile("ada", bench.ports);
      const arrived = (await bench.sent()).length;
      expect(read).toMatchObject({
        changed: true,
        order: { state: "reconciled", broker_status: arrived === 1 ? "filled" : "rejected" },
      });
      expect(arrived).toBe(name === "lost before it arrives" || name === "answered with HTTP 500" ? 0 : 1);
      expect(await reconcile("ada", bench.ports)).toEqual([]);
      await expect(bench.execute(other)).resolves.toMatchObject({ repeated: false });
    },
  );

  it("accepts a rejection only when the broker does not list the order", async () => {
    const refused = await tradeBench({
      fault: (broker) => ({ ...broker, submit: async () => ({ outcome: "rejected", reason: "no" }) }),
    });
    expect(await refused.trade()).toMatchObject({
      state: "rejected",
      reason: "no",
      broker_status: null,
    });
    const executed = await tradeBench({ fault: FAULTS["rejected though executed"]! });
    expect(await executed.trade()).toMatchObject({
      state: "reconciled",
      broker_status: "filled",
    });
  });

  it("rejects an order that was never sent, even when the broker is unavailable", async () => {
    const reason = "Nothing was sent: too many calls";
    const bench = await tradeBench({
      fault: (broker) => ({
        ...broker,
        submit: async () => ({ outcome: "unsent", reason }),
        find: async () => lost(),
      }),
    });
    const [ticket, other] = [await bench.ticketOf(), await bench.ticketOf()];
    const rejected = { state: "rejected", broker_status: null, reason };
    expect((await bench.execute(ticket)).order).toMatchObject(rejected);
    expect((await bench.execute(other)).order).toMatchObject(rejected);
  });

  it("refuses a ticket whose previewed price cannot be read", async () => {
    const bench = await tradeBench();
    const { id } = await bench.ticketOf();
    for (const shown of ["{broken", "{}", '{"quote":{"price":"NaN"}}', '{"quote":null}']) {
      await bench.db.updateTable("trade_tickets").set({ shown }).execute();
      const ticket = await bench.ticket(id);
      await expect(bench.execute(ticket)).rejects.toMatchObject({
        code: "REFUSED",
        message: "The preview stored with this ticket cannot be read",
        hint: "Call preview_trade for a new ticket.",
      });
    }
    expect(await bench.sent()).toEqual([]);
  });

  it("does not treat an order as lost while it may still arrive", async () => {
    const bench = await tradeBench({ fault: FAULTS["lost before it arrives"]! });
    await bench.trade();
    bench.clock.pass(59_000);
    expect(await reconcile("ada", bench.ports)).toMatchObject([
      { changed: false, order: { state: "unknown" } },
    ]);
    bench.clock.pass(1_000);
    expect(await reconcile("ada", bench.ports)).toMatchObject([
      { order: { state: "reconciled", reason: "The broker never received it" } },
    ]);
  });

  it("waits as long for an order that was sent while the clock was ahead", async () => {
    const bench = await tradeBench({ fault: FAULTS["lost before it arrives"]! });
    bench.clock.pass(28 * DAY);
    await bench.trade();
    bench.clock.pass(-28 * DAY);
    const states: unknown[] = [];
    for (const minutes of [0, 0.9, 0.1]) {
      bench.clock.pass(minutes * MINUTE);
      states.push((await reconcile("ada", bench.ports)).map(({ order }) => order.state));
    }
    expect(states).toEqual([["unknown"], ["unknown"], ["reconciled"]]);
  });

  it("refuses a ticket that was issued while the clock was ahead, and counts no order of that time", async () => {
    const bench = await tradeBench();
    bench.clock.pass(28 * DAY);
    const ticket = await bench.ticketOf();
    for (let sent = 0; sent < 10; sent++) await bench.execute(await bench.ticketOf());
    bench.clock.pass(-28 * DAY);
    await expect(bench.execute(ticket)).rejects.toMatchObject({
      code: "REFUSED",
      message: /^The ticket was issued at .*, when the clock of this machine was ahead$/,
    });
    await expect(bench.trade()).resolves.toMatchObject({ broker_status: "filled" });
  });

  it("dates a response by the time of the request, however late it arrives", async () => {
    const slow = { ms: 0 };
    const bench = await tradeBench({
      fault: (broker) => ({
        ...FAULTS["lost before it arrives"]!(broker),
        async find(id) {
          const found = await broker.find(id);
          bench.clock.pass(slow.ms);
          return found;
        },
      }),
    });
    await bench.trade();
    slow.ms = 2 * MINUTE;
    expect(await reconcile("ada", bench.ports)).toMatchObject([{ changed: false }]);
    expect(await reconcile("ada", bench.ports)).toMatchObject([{ order: { state: "reconciled" } }]);
  });

  it.each([
    ["the ticket has expired by then", 4.9 * MINUTE, 10_000],
    ["it was begun too long ago", 0, 15_000],
  ])("sends nothing when %s", async (_, before, stall) => {
    const bench = await tradeBench();
    const ticket = await bench.ticketOf();
    bench.clock.pass(before);
    const audit = { write: async () => bench.clock.pass(stall) };
    const { order } = await bench.execute(ticket, ada, { audit });
    expect(order).toMatchObject({ state: "rejected", reason: /^Not sent: too much time/ });
    expect(await bench.sent()).toEqual([]);
  });

  it("refuses a ticket that expired, whose price moved, or that now breaks a rule", async () => {
    const late = await tradeBench();
    const ticket = await late.ticketOf();
    late.clock.pass(5 * MINUTE);
    await expect(late.execute(ticket)).rejects.toMatchObject({ code: "REFUSED", message: /expired/ });
    const moved = await tradeBench();
    const old = await moved.ticketOf();
    moved.price.now = 101;
    await expect(moved.execute(old)).resolves.toMatchObject({ repeated: false });
    const next = await moved.ticketOf();
    moved.price.now = 102.5;
    await expect(moved.execute(next)).rejects.toMatchObject({ code: "CONFLICT", data: { price: "102.5" } });
    expect(await moved.sent()).toHaveLength(1);
    const many = await tradeBench();
    const tickets = await Promise.all(Array.from({ length: 11 }, () => many.ticketOf()));
    for (const one of tickets.slice(0, 10)) await many.execute(one);
    await expect(many.execute(tickets[10]!)).rejects.toMatchObject({
      code: "REFUSED",
      data: { checks: [{ rule: "max_orders_a_minute", value: "11", limit: "10", would_pass: "10" }] },
    });
    expect(await many.sent()).toHaveLength(10);
  });

  it("sends a live order only with the scope, the switch and the owner's confirmation", async () => {
    const live = { account_type: "live" } as const;
    const trader = { ...ada, scopes: [...ada.scopes, "trade:live" as const] };
    const off = await tradeBench({ connection: live });
    const stored = liveTicketOf("7", { stop_loss: null });
    await off.ports.tradeRepository.saveTicket("ada", stored);
    await expect(off.execute(stored)).rejects.toMatchObject({ code: "SCOPE_REQUIRED" });
    await expect(off.execute(stored, trader)).rejects.toMatchObject({
      message: "Live trading is disabled on this server",
    });
    const on = await tradeBench({ connection: live, live: true });
    await on.ports.tradeRepository.saveTicket("ada", stored);
    await expect(on.execute(stored, trader)).rejects.toMatchObject({ message: /not confirmed/ });
    expect(await on.sent()).toEqual([]);
    await on.ports.tradeRepository.confirm("ada", stored.id, "2026-01-15T15:00:00.000Z");
    const confirmed = await on.ticket(stored.id);
    expect((await on.execute(confirmed, trader)).order).toMatchObject({ state: "accepted" });
  });

  it("counts and reconciles an order that is still working despite many later orders", async () => {
    const bench = await tradeBench();
    const resting = { side: "buy", quantity: "10", type: "limit", limit_price: "95", stop_loss: "90" };
    const order = await bench.trade(resting);
    const { tradeRepository } = bench.ports;
    for (let n = 0; n < 510; n++) {
      const digits = `f${String(n).padStart(19, "0")}`;
      const ticket = await tradeRepository.ticket("ada", order.ticket_id);
      await tradeRepository.saveTicket("ada", { ...ticket!, id: `tk_${digits}`, order: null });
      const ids = { order_id: `or_${digits}`, ticket_id: `tk_${digits}`, client_order_id: `ms-${digits}` };
      const done = { ...order, ...ids };
      const seen = { after: await tradeRepository.newest("ada", CN), type: "paper" } as const;
      await tradeRepository.begin("ada", { ...done, state: "rejected" as const, broker_status: null }, seen);
    }
    await bench.setLimits({ max_orders_a_minute: null });
    // 10 units at 95 dollars with a stop at 90
    const { sizing } = await bench.preview({ side: "buy", risk_pct: "0.1", stop_loss: "99" });
    expect(sizing.steps.find(({ step }) => step === "open_risk_room")?.formula).toContain("- 50 at risk");
    bench.price.now = 94;
    expect(await reconcile("ada", bench.ports)).toMatchObject([{ order: { order_id: order.order_id } }]);
  });

  it("cancels the unfilled part, but no order of another account", async () => {
    const bench = await tradeBench();
    const request = { side: "buy", quantity: "1", type: "limit", limit_price: "95" };
    const order = await bench.trade(request);
    expect(order).toMatchObject({ state: "accepted", broker_status: "working" });
    const bob = { ...ada, account: "bob" };
    await expect(cancelOrder(order.order_id, bob, bench.ports)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const cancelled = { broker_status: "cancelled", filled_quantity: "0" };
    expect(await cancelOrder(order.order_id, ada, bench.ports)).toMatchObject(cancelled);
    expect(await cancelOrder(order.order_id, ada, bench.ports)).toMatchObject(cancelled);
  });
});
