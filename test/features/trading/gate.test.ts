import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AuditEvent } from "../../../src/domain/audit/audit-events.ts";
import type { Broker, TicketRecord } from "../../../src/domain/trading/trading-port.ts";
import { cancelOrder } from "../../../src/features/trading/cancel.ts";
import { reconcile, reconcileAll } from "../../../src/features/trading/reconcile.ts";
import { insertRows } from "../../../src/store/queries.ts";
import { ada, brokerOrder, CN, liveTicketOf, T0, tradeBench } from "./bench.ts";

const MINUTE = 60_000;
const liveAccount = { live: true, connection: { account_type: "live" } } as const;
const liveTrader = { ...ada, scopes: [...ada.scopes, "trade:live" as const] };
type Bench = Awaited<ReturnType<typeof tradeBench>>;

/** The result of each execution: the state of its order, or the code of its error. */
const outcomes = async (running: readonly Promise<{ order: { state: string } }>[]): Promise<string[]> =>
  (await Promise.allSettled(running)).map((one) =>
    one.status === "fulfilled" ? one.value.order.state : (one.reason as { code: string }).code,
  );
/** Stores a live ticket to buy a quantity of AAPL. */
async function liveTicket({ ports }: Bench, digit: string, quantity = "1") {
  const ticket = liveTicketOf(digit, { quantity });
  await ports.tradeRepository.saveTicket("ada", ticket);
  return ticket;
}
/** Stores a live ticket that its owner confirmed. */
async function confirmedTicket(bench: Bench, digit: string, quantity = "1") {
  const { id } = await liveTicket(bench, digit, quantity);
  await bench.ports.tradeRepository.confirm("ada", id, T0);
  return bench.ticket(id);
}
const failing = (...events: readonly AuditEvent[]) => ({
  audit: {
    write: async (_: string, event: AuditEvent) => {
      if (events.includes(event)) throw new Error("disk full");
    },
  },
});

describe("concurrent orders", () => {
  it("never exceed the rules, however many are requested at once", async () => {
    const bench = await tradeBench();
    const tickets = [];
    for (let n = 0; n < 20; n++) tickets.push(await bench.ticketOf());
    const seen = await outcomes(tickets.map((ticket) => bench.execute(ticket)));
    const sent = seen.filter((one) => one === "accepted").length;
    expect(sent).toBeGreaterThan(0);
    expect(seen.filter((one) => !["accepted", "CONFLICT", "REFUSED"].includes(one))).toEqual([]);
    for (const ticket of tickets) {
      const now = await bench.ticket(ticket.id);
      if (now.order === null) await outcomes([bench.execute(now)]);
    }
    expect(await bench.sent()).toHaveLength(10);
  });

  it("never open more risk together than the limit allows", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 2, max: 6 }),
        async (percent, n) => {
          const bench = await tradeBench();
          // an order of 90 units at 100 dollars with a stop at 98 risks 180 of 100,000 dollars
          const most = String(percent / 100);
          await bench.setLimits({ max_open_risk_pct: "6" });
          const tickets = [];
          for (let i = 0; i < n; i++)
            tickets.push(await bench.ticketOf({ side: "buy", quantity: "90", stop_loss: "98" }));
          await bench.setLimits({ max_open_risk_pct: most });
          await outcomes(tickets.map((ticket) => bench.execute(ticket)));
          const bought = (await bench.sent()).filter(
            ({ leg, status }) => leg === null && status === "filled",
          );
          expect(bought.length).toBeLessThanOrEqual(Math.floor((percent * 10) / 180));
        },
      ),
      { numRuns: 6, seed: 9 },
    );
  }, 60_000);

  it("are checked again when another order began after the check, at most three times", async () => {
    const bench = await tradeBench();
    const [mine, other] = [await bench.ticketOf(), await bench.ticketOf()];
    let between = 0;
    const meanwhile = (times: number) => ({
      tradeRepository: {
        ...bench.ports.tradeRepository,
        begin: async (...result: Parameters<typeof bench.ports.tradeRepository.begin>) => {
          if (between++ < times)
            return bench.ports.tradeRepository.begin(result[0], result[1], { ...result[2], after: "or_x" });
          return bench.ports.tradeRepository.begin(...result);
        },
      },
    });
    expect(await bench.execute(mine, ada, meanwhile(2))).toMatchObject({ repeated: false });
    expect(between).toBe(3);
    between = 0;
    await expect(bench.execute(other, ada, meanwhile(9))).rejects.toMatchObject({
      code: "CONFLICT",
      message: /sent meanwhile/,
    });
    expect(between).toBe(3);
    expect(await bench.execute(other)).toMatchObject({ repeated: false });
  });
});

describe("the audit log", () => {
  it("records sending before it happens and the outcome afterwards", async () => {
    const bench = await tradeBench({
      fault: (broker) => ({
        ...broker,
        submit: async (order) => {
          expect(bench.acts.map(({ event }) => event)).toEqual(["order_sending"]);
          return broker.submit(order);
        },
      }),
    });
    const order = await bench.trade();
    expect(bench.acts).toMatchObject([
      {
        event: "order_sending",
        about: { order_id: order.order_id, state: "submitting", intent: order.intent },
      },
      {
        event: "order_outcome",
        about: { order_id: order.order_id, state: "accepted", broker_status: "filled" },
      },
    ]);
    expect(JSON.stringify(bench.acts)).not.toMatch(/secret/);
  });

  it("records refusals by risk rules, and no others", async () => {
    const bench = await tradeBench();
    const ticket = await bench.ticketOf();
    await bench.setLimits({ symbols: ["MSFT"] });
    await expect(bench.execute(ticket)).rejects.toMatchObject({ code: "REFUSED" });
    expect(bench.acts).toMatchObject([
      {
        event: "order_refused",
        about: { ticket_id: ticket.id, checks: [{ rule: "symbols", value: "AAPL" }] },
      },
    ]);
    bench.clock.pass(5 * MINUTE);
    await expect(bench.execute(ticket)).rejects.toMatchObject({ message: /expired/ });
    expect(bench.acts).toHaveLength(1);
  });

  it("rejects an order whose sending cannot be recorded, without blocking the next one", async () => {
    const bench = await tradeBench();
    const ticket = await bench.ticketOf();
    const next = await bench.ticketOf();
    const { order } = await bench.execute(ticket, ada, failing("order_sending"));
    expect(order).toMatchObject({
      state: "rejected",
      reason: "Not sent: the audit entry required before sending could not be written",
    });
    expect(await bench.sent()).toEqual([]);
    expect(bench.lines).toMatchObject([{ event: "audit", fields: { audited: "order_sending" } }]);
    const used = await bench.ticket(ticket.id);
    expect(await bench.execute(used)).toMatchObject({ repeated: true, order: { state: "rejected" } });
    expect(await bench.execute(next)).toMatchObject({ order: { state: "accepted" } });
  });

  it("returns a sent order and a valid refusal even when the audit entry fails", async () => {
    const bench = await tradeBench();
    const { order } = await bench.execute(await bench.ticketOf(), ada, failing("order_outcome"));
    expect(order).toMatchObject({ state: "accepted", broker_status: "filled" });
    expect(bench.lines.map(({ level, event }) => [level, event])).toEqual([["error", "audit"]]);
    const ticket = await bench.ticketOf();
    await bench.setLimits({ symbols: [] });
    await expect(bench.execute(ticket, ada, failing("order_refused"))).rejects.toMatchObject({
      data: { checks: [{ rule: "symbols" }] },
    });
  });

  it("leaves a sent order open for reconciling when its outcome cannot be stored", async () => {
    const bench = await tradeBench();
    const ticket = await bench.ticketOf();
    const full = {
      tradeRepository: {
        ...bench.ports.tradeRepository,
        change: async () => {
          throw new Error("disk full");
        },
      },
    };
    expect((await bench.execute(ticket, ada, full)).order).toMatchObject({ state: "submitting" });
    expect(bench.lines).toMatchObject([{ level: "error", event: "order" }]);
    const used = await bench.ticket(ticket.id);
    expect(await bench.execute(used)).toMatchObject({
      repeated: true,
      order: { state: "reconciled", broker_status: "filled" },
    });
    expect(await bench.sent()).toHaveLength(1);
    expect(bench.acts.at(-1)).toMatchObject({ event: "order_reconciled", about: { was: "submitting" } });
  });

  it("records a cancel request with its failure, and the reconciled change", async () => {
    const broken = { on: false };
    const bench = await tradeBench({
      fault: (broker) => ({
        ...broker,
        cancel: async (id) => {
          if (broken.on) throw new Error("socket hang up");
          return broker.cancel(id);
        },
      }),
    });
    const request = { side: "buy", quantity: "1", type: "limit", limit_price: "95" };
    const order = await bench.trade(request);
    bench.acts.length = 0;
    broken.on = true;
    await expect(cancelOrder(order.order_id, ada, bench.ports)).rejects.toMatchObject({ code: "INTERNAL" });
    broken.on = false;
    await cancelOrder(order.order_id, ada, bench.ports);
    expect(bench.acts).toMatchObject([
      {
        event: "order_cancelled",
        about: { order_id: order.order_id, failure: "The tool failed unexpectedly" },
      },
      { event: "order_cancelled", about: { order_id: order.order_id, failure: null } },
      { event: "order_reconciled", about: { broker_status: "cancelled", was: "accepted" } },
    ]);
    expect(await reconcile("ada", bench.ports)).toEqual([]);
    expect(bench.acts).toHaveLength(3);
  });
});

describe("a live order after a restore", () => {
  const since = "2026-01-15T14:30:00.000Z";
  const waiting = async (fault?: (broker: Broker) => Broker) => {
    const bench = await tradeBench({ ...liveAccount, ...(fault !== undefined && { fault }) });
    const row = { account: "ada", market: "test", connection: CN, since };
    await insertRows(bench.db, "unreconciled_connections", [row]);
    return bench;
  };

  it("waits until the orders of every live connection were reconciled, which names orders that are lost", async () => {
    const lost = brokerOrder({ clientOrderId: `ms-${"9".repeat(20)}` });
    const bench = await waiting((broker) => ({
      ...broker,
      orders: async (request) => (request.since === since ? [lost] : broker.orders(request)),
    }));
    const ticket = await confirmedTicket(bench, "1");
    await expect(bench.execute(ticket, liveTrader)).rejects.toMatchObject({
      code: "REFUSED",
      message: `The server was restored from a backup of ${since}, and the orders of ${CN} were not reconciled since`,
    });
    expect((await bench.sent()).length).toBe(0);
    await reconcileAll("ada", bench.ports);
    expect(bench.acts.at(-1)).toEqual({
      event: "order_reconciled",
      about: { connection_id: CN, since, not_in_backup: [lost.clientOrderId] },
    });
    expect(await bench.execute(ticket, liveTrader)).toMatchObject({ order: { state: "accepted" } });
  });

  it("waits on while the broker cannot be read", async () => {
    const bench = await waiting((broker) => ({
      ...broker,
      orders: (request) =>
        request.since === since ? Promise.reject(new Error("down")) : broker.orders(request),
    }));
    await reconcileAll("ada", bench.ports);
    expect(await bench.ports.tradeRepository.unreconciled("ada")).toEqual([{ connection: CN, since }]);
    expect(await bench.ports.tradeRepository.unreconciled("bob")).toEqual([]);
    const ticket = await confirmedTicket(bench, "1");
    await expect(bench.execute(ticket, liveTrader)).rejects.toMatchObject({ code: "REFUSED" });
  });
});

describe("a live order", () => {
  it("is stopped by the account's kill switch, a paper order is not", async () => {
    const bench = await tradeBench(liveAccount);
    const ticket = await confirmedTicket(bench, "a");
    await bench.setKillSwitch(true);
    await expect(bench.execute(ticket, liveTrader)).rejects.toMatchObject({
      hint: /only the owner of the server releases the kill switch/,
      command: "market-signal limits release",
      data: { checks: [{ rule: "kill_switch", value: "engaged", limit: "released" }] },
    });
    expect(await bench.sent()).toEqual([]);
    const paper = await tradeBench();
    await paper.setKillSwitch(true);
    expect(await paper.execute(await paper.ticketOf())).toMatchObject({ order: { state: "accepted" } });
  });

  it.each([
    ["is engaged", /^Not sent: the kill switch was engaged$/],
    ["cannot be read", /^Not sent: the kill switch could not be read$/],
  ])(
    "is not sent when the kill switch %s after it was begun, and blocks no later order",
    async (how, reason) => {
      const bench = await tradeBench(liveAccount);
      const { tradeRules } = bench.ports;
      const [mine, other] = [await confirmedTicket(bench, "a"), await confirmedTicket(bench, "b")];
      const sending = { on: false };
      const write = async (_: string, event: AuditEvent) => {
        if (event !== "order_sending") return;
        sending.on = true;
        if (how === "is engaged") await bench.setKillSwitch(true);
      };
      const killSwitch = async (account: string) => {
        if (sending.on && how === "cannot be read") throw new Error("disk I/O error");
        return tradeRules.killSwitch(account);
      };
      const failing = { audit: { write }, tradeRules: { ...tradeRules, killSwitch } };
      const { order } = await bench.execute(mine, liveTrader, failing);
      expect(order).toMatchObject({ state: "rejected", broker_status: null, reason });
      expect(await bench.sent()).toEqual([]);
      await bench.setKillSwitch(false);
      expect(await bench.execute(other, liveTrader)).toMatchObject({ order: { state: "accepted" } });
    },
  );

  it("is not begun when the kill switch is engaged after the check", async () => {
    const bench = await tradeBench(liveAccount);
    const confirmed = await confirmedTicket(bench, "a");
    const late = {
      tradeRepository: {
        ...bench.ports.tradeRepository,
        begin: async (...result: Parameters<typeof bench.ports.tradeRepository.begin>) => {
          await bench.setKillSwitch(true);
          return bench.ports.tradeRepository.begin(...result);
        },
      },
    };
    await expect(bench.execute(confirmed, liveTrader, late)).rejects.toMatchObject({ code: "REFUSED" });
    expect(await bench.sent()).toEqual([]);
    expect(bench.acts).toMatchObject([
      { event: "order_refused", about: { checks: [{ rule: "kill_switch" }] } },
    ]);
    await bench.setKillSwitch(false);
    expect(await bench.execute(confirmed, liveTrader)).toMatchObject({ order: { state: "accepted" } });
  });

  describe("without confirmation", () => {
    const sell = { side: "sell", stop_loss: null } as const;
    /** Executes an unconfirmed live ticket. */
    const send = async (bench: Bench, digit: string, over: Partial<TicketRecord["intent"]>) => {
      const ticket = liveTicketOf(digit, over);
      await bench.ports.tradeRepository.saveTicket("ada", ticket);
      return bench.execute(ticket, liveTrader);
    };

    it("is sent up to the owner's limit", async () => {
      const bench = await tradeBench(liveAccount);
      await bench.setLimits({ unconfirmed_live_usd: "250" });
      await expect(send(bench, "a", { quantity: "3" })).rejects.toMatchObject({
        code: "REFUSED",
        message: /not confirmed/,
        command: expect.stringMatching(/^market-signal trades confirm tk_a{20}$/),
        hint: /call execute_trade\. Up to 250 USD within 24 hours need no confirmation; this trade is 300 USD, after 0 USD\./,
      });
      expect(await send(bench, "b", { quantity: "2" })).toMatchObject({ order: { state: "accepted" } });
      expect((await bench.sent()).filter(({ leg }) => leg === null)).toHaveLength(1);
    });

    it("counts the orders sent without it within 24 hours, and none that were confirmed", async () => {
      const bench = await tradeBench(liveAccount);
      await bench.setLimits({ unconfirmed_live_usd: "250" });
      await send(bench, "a", { quantity: "2" });
      await expect(send(bench, "b", { quantity: "1" })).rejects.toMatchObject({
        hint: /this trade is 100 USD, after 200 USD\./,
      });
      await bench.execute(await confirmedTicket(bench, "c"), liveTrader);
      await bench.setLimits({ unconfirmed_live_usd: "300" });
      expect(await send(bench, "d", { quantity: "1" })).toMatchObject({ order: { state: "accepted" } });
    });

    it("counts what closes a position like what opens one", async () => {
      const bench = await tradeBench(liveAccount);
      await bench.execute(await confirmedTicket(bench, "a", "3"), liveTrader);
      await bench.setLimits({ unconfirmed_live_usd: "250" });
      await expect(send(bench, "b", { ...sell, quantity: "3" })).rejects.toMatchObject({ code: "REFUSED" });
      expect(await send(bench, "c", { ...sell, quantity: "2" })).toMatchObject({ repeated: false });
      await expect(send(bench, "d", { ...sell, quantity: "1" })).rejects.toMatchObject({
        hint: /this trade is 100 USD, after 200 USD\./,
      });
    });

    it("closes a position of any size only while unconfirmed_live_closing is true", async () => {
      const bench = await tradeBench(liveAccount);
      await bench.execute(await confirmedTicket(bench, "a", "3"), liveTrader);
      await expect(send(bench, "b", { ...sell, quantity: "3" })).rejects.toMatchObject({
        message: /not confirmed/,
      });
      await bench.setLimits({ unconfirmed_live_closing: true });
      await expect(send(bench, "c", { ...sell, quantity: "4" })).rejects.toMatchObject({ code: "REFUSED" });
      expect(await send(bench, "d", { ...sell, quantity: "3" })).toMatchObject({ repeated: false });
      await expect(send(bench, "e", { quantity: "1" })).rejects.toMatchObject({ message: /not confirmed/ });
    });

    it("closes no units that other orders of the broker account already close", async () => {
      const other = brokerOrder({ clientOrderId: "other", side: "sell", quantity: "2", filledQuantity: "1" });
      const bench = await tradeBench({
        ...liveAccount,
        fault: (broker) => ({
          ...broker,
          orders: async (request) => [...(await broker.orders(request)), other],
        }),
      });
      await bench.setLimits({ unconfirmed_live_closing: true });
      await bench.execute(await confirmedTicket(bench, "a", "3"), liveTrader);
      await expect(send(bench, "b", { ...sell, quantity: "3" })).rejects.toMatchObject({
        message: "Refused by oversell: 3, limit 2",
      });
      expect(await send(bench, "c", { ...sell, quantity: "2" })).toMatchObject({ repeated: false });
    });
  });

  it("that was sent is returned even when trading is disabled", async () => {
    const bench = await tradeBench(liveAccount);
    await bench.setLimits({ unconfirmed_live_usd: "500" });
    const { order } = await bench.execute(await liveTicket(bench, "a"), liveTrader);
    const used = await bench.ticket(order.ticket_id);
    const off = { brokers: { ...bench.ports.brokers, live: false } };
    expect(await bench.execute(used, liveTrader, off)).toMatchObject({ repeated: true, order });
    await expect(bench.execute(used, ada, off)).rejects.toMatchObject({ code: "SCOPE_REQUIRED" });
    await expect(bench.execute(await liveTicket(bench, "b"), liveTrader, off)).rejects.toMatchObject({
      code: "REFUSED",
      message: "Live trading is disabled on this server",
    });
  });

  it("can be cancelled with the live scope even when live trading is disabled", async () => {
    const bench = await tradeBench(liveAccount);
    const stored = await liveTicket(bench, "a");
    const far = { ...stored, id: `tk_${"c".repeat(20)}`, confirmedAt: T0 };
    const resting = { ...stored.intent, type: "limit", limit_price: "97" } as const;
    await bench.ports.tradeRepository.saveTicket("ada", { ...far, intent: resting });
    const { order } = await bench.execute({ ...far, intent: resting }, liveTrader);
    expect(order).toMatchObject({ broker_status: "working" });
    const off = { ...bench.ports, brokers: { ...bench.ports.brokers, live: false } };
    await expect(cancelOrder(order.order_id, ada, off)).rejects.toMatchObject({ code: "SCOPE_REQUIRED" });
    expect(await cancelOrder(order.order_id, liveTrader, off)).toMatchObject({ broker_status: "cancelled" });
  });
});

describe("the account state", () => {
  it("triggers the cooldown by stop loss legs of the broker, regardless of their ids and age", async () => {
    const stop = (n: number) =>
      brokerOrder({
        clientOrderId: `b6f1-${n}`,
        side: "sell",
        leg: n === 9 ? "take_profit" : "stop_loss",
        status: "filled",
        updatedAt: "2026-01-15T14:30:00.000Z",
      });
    const legs = { now: [stop(1), stop(2), stop(9)] };
    const request: string[] = [];
    const bench = await tradeBench({
      fault: (broker): Broker => ({
        ...broker,
        orders: async ({ since }) => {
          request.push(since);
          return legs.now;
        },
      }),
    });
    const buy = { side: "buy", quantity: "1" };
    expect((await bench.preview(buy)).ticket_id).not.toBeNull();
    legs.now = [stop(1), stop(2), stop(3)];
    expect(await bench.preview(buy)).toMatchObject({
      reason: "Refused by cooldown_minutes",
      checks: expect.arrayContaining([
        {
          rule: "cooldown_minutes",
          state: "failed",
          level: "stop",
          value: "30",
          limit: "1440",
          would_pass: "1440",
          unit: "minutes",
          set_by: "cooldown_minutes",
          passes_at: "2026-01-16T14:30:00.000Z",
        },
      ]),
    });
    expect(request.at(-1)).toBe("2026-01-14T15:00:00.000Z");
    await bench.setLimits({ cooldown_minutes: 20 });
    expect((await bench.preview(buy)).ticket_id).not.toBeNull();
    expect(request.at(-1)).toBe("2026-01-15T14:40:00.000Z");
  });

  it("counts the open risk down to the stops", async () => {
    const bench = await tradeBench();
    const risk = async () =>
      (await bench.preview({ side: "buy", quantity: "1", stop_loss: "99" })).sizing.steps.length > 0
        ? (await bench.preview({ risk_pct: "0.1", side: "buy", stop_loss: "99" })).sizing.steps.find(
            ({ step }) => step === "open_risk_room",
          )?.formula
        : null;
    expect(await risk()).toBe("0.06 x equity - 0 at risk");
    await bench.trade({ side: "buy", quantity: "10", stop_loss: "98" });
    const [held] = await bench.real.positions();
    expect(held).toMatchObject({ quantity: "10" });
    // bought above 100 dollars: the equity at risk is that from the price of 100 to the stop at 98
    expect(await risk()).toBe("0.06 x equity - 20 at risk");
  });

  it("sends nothing to a closed venue unless the owner allows it", async () => {
    const bench = await tradeBench();
    const ticket = await bench.ticketOf();
    const closed = {
      quotes: {
        latest: async (...request: Parameters<typeof bench.quotes.latest>) => ({
          ...(await bench.quotes.latest(...request)),
          market_state: "closed" as const,
        }),
      },
    };
    await expect(bench.execute(ticket, ada, closed)).rejects.toMatchObject({
      code: "REFUSED",
      message: "Refused by market_hours: closed, limit regular",
      hint: "The market is closed: preview it again when it opens. Crypto trades at all hours.",
      data: { checks: [{ rule: "market_hours", would_pass: null }] },
    });
    await bench.setLimits({ hours: "any" });
    expect(await bench.execute(ticket, ada, closed)).toMatchObject({ order: { state: "accepted" } });
  });
});
