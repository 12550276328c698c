import { describe, expect, it } from "vitest";
import type { Ports } from "../../src/domain/ports.ts";
import type { Broker, BrokerPosition } from "../../src/domain/trading/trading-port.ts";
import { currentPositions } from "../../src/features/trading/current-positions.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { createCache } from "../../src/market/cache.ts";
import { executeTrade } from "../../tools/execute-trade.ts";
import { listPositions } from "../../tools/list-positions.ts";
import { fixedResponseBench } from "../providers/alpaca/broker/bench.ts";
import { brokerMarket } from "../support/brokers.ts";
import { NOW } from "../support/context.ts";
import { fixedQuotes, quote } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";
import { CONNECTION, tradeMarket, trader } from "../support/trades.ts";

const { ports, clock } = await tradeMarket();
const on = (account = trader.account, over: Partial<Ports> = {}) => ({
  ports: { ...ports, ...over },
  principal: { ...trader, account },
  transport: "test",
});
const list = (input: object = {}, over: Partial<Ports> = {}) =>
  invoke(listPositions, input, on(undefined, over));
const KEYS = { api_key: "outside-key", api_secret: "outside-secret" };
const buy = { symbol: "AAPL", side: "buy", quantity: "1", stop_loss: "130" };

describe("list_positions", () => {
  it("knows that a paper account is empty, before its first use and after", async () => {
    for (const [account, connection] of [
      ["nobody", expect.any(String)],
      [trader.account, CONNECTION],
    ] as const)
      expect(await invoke(listPositions, {}, on(account))).toMatchObject({
        as_of: NOW.toISOString(),
        positions: [],
        count: 0,
        complete: true,
        empty_reason: "Nothing is held: every account was read",
        synced: [{ connection_id: connection, synced_at: NOW.toISOString(), reason: null }],
        imported: [],
        hint: null,
      });
    expect(await list({ symbol: "AAPL" })).toMatchObject({
      empty_reason: "No AAPL is held: every account was read",
    });
  });

  it("returns a position that was traded here, with the stop of its order", async () => {
    clock.pass(1);
    const { order } = await invoke(executeTrade, buy, on());
    const { positions, hint } = await list();
    expect(hint).toBeNull();
    // the amount paid is rounded to the cent
    expect(Number(positions[0]?.average_price)).toBeCloseTo(Number(order.average_price), 1);
    expect(positions).toMatchObject([
      {
        symbol: "AAPL",
        side: "LONG",
        quantity: "1",
        connection_id: CONNECTION,
        account_label: null,
        price: "138",
        price_source: "live_quote",
        edge: {
          stop_breached: false,
          opening: { direction: expect.any(String), stop_loss: 130, stop_source: "order" },
          signal: { direction: expect.any(String) },
          grade_steps: 0,
        },
      },
    ]);
  });

  it("recommends an exit once the price has reached that stop", async () => {
    const quotes = fixedQuotes({ AAPL: quote({ price: 129.5, timestamp: NOW.toISOString() }) });
    const { positions } = await list({ symbol: "AAPL" }, { quotes });
    expect(positions[0]?.edge).toMatchObject({ action: "EXIT", stop_breached: true });
    expect(positions[0]?.edge.why[0]).toBe("The price 129.5 is at or below the stop 130 of its order");
  });

  it("filters by symbol or connection, and rejects connections of other accounts", async () => {
    expect((await list({ symbol: "MSFT" })).positions).toEqual([]);
    expect((await list({ connection_id: CONNECTION })).count).toBe(1);
    for (const account of ["two", trader.account])
      await expect(
        invoke(
          listPositions,
          { connection_id: account === "two" ? CONNECTION : `cn_${"9".repeat(20)}` },
          on(account),
        ),
      ).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("returns readable positions, and counts stored ones that are unreadable", async () => {
    const { positionRepository } = ports;
    const unread = {
      ...positionRepository,
      listImported: async () => [{ label: "IRA", at: NOW.toISOString(), positions: [], unread: 2 }],
    };
    const { count, imported, hint } = await list({}, { positionRepository: unread });
    expect([count, imported.map(({ account_label }) => account_label)]).toEqual([1, ["IRA"]]);
    expect(hint).toBe(
      "IRA: 2 stored positions are unreadable and omitted; import_positions replaces or removes them.",
    );
  });

  it("prints the position, its price and its stop", async () => {
    const shown = listPositions.terminal!(await list(), (_, text) => text);
    expect(shown).toMatch(
      /^as of 2026-01-15T15:00:00Z\nAAPL {2}LONG 1 at \d+\.\d+, now 138 USD \(live quote, \d\d:\d\d:\d\dZ\) {2}[+-]\d+\.?\d* USD/,
    );
    expect(shown).toContain("stop 130.00 of its order: not reached");
  });

  it("prints the kind and time of a price, with the date on another day", async () => {
    const answer = await list();
    const now = (over: object) =>
      /now .+?\)/.exec(
        listPositions.terminal!(
          { ...answer, positions: [{ ...answer.positions[0]!, price: "139993.32", ...over }] },
          (_, text) => text,
        ),
      )?.[0];
    const at = { as_of: "2026-01-15T15:00:00.000Z", price_as_of: "2026-01-15T01:00:35.250Z" };
    expect(now(at)).toBe("now 139993.32 USD (live quote, 01:00:35Z)");
    expect(now({ ...at, price_source: "last_close", price_as_of: "2026-01-14T21:00:00.000Z" })).toBe(
      "now 139993.32 USD (last close, 2026-01-14T21:00:00Z)",
    );
    expect(now({ ...at, price_as_of: null })).toBe("now 139993.32 USD (live quote)");
  });

  it("no longer lists a position that was just sold, without a sync", async () => {
    expect((await list()).count).toBe(1);
    await invoke(executeTrade, { ...buy, side: "sell", stop_loss: undefined }, on());
    expect(await list()).toMatchObject({ count: 0, complete: true, hint: null });
  });
});

describe("list_positions of an outside broker", () => {
  /** A connection to Alpaca with 2 shares of AAPL; counts how often its positions are read. */
  async function outside({ scopes = trader.scopes } = {}) {
    const { ports: base, clock: moving } = await tradeMarket();
    await base.connections.remove(trader.account, CONNECTION);
    const connection = { ...(await base.connections.list(trader.account))[0]!, broker: "alpaca" as const };
    await base.connections.add(trader.account, { ...connection, connection_id: CONNECTION }, KEYS);
    const state = { reads: 0, fails: false, quantity: "2" };
    const broker = {
      positions: async () => {
        state.reads++;
        if (state.fails) throw new ToolError("UPSTREAM_UNAVAILABLE", "The broker does not respond");
        return [{ symbol: "AAPL", quantity: state.quantity, averagePrice: "130" }];
      },
      orders: async () => [],
    };
    const opened = { now: broker as Pick<Broker, "positions" | "orders"> };
    const brokers = { ...base.brokers, open: () => opened.now } as unknown as Ports["brokers"];
    const read = () =>
      invoke(
        listPositions,
        {},
        {
          ports: { ...base, brokers, cache, clock: moving },
          principal: { ...trader, scopes },
          transport: "test",
        },
      );
    const cache = createCache(moving);
    const stored = () => base.positionRepository.listSynced(trader.account);
    const current = (maxWaitMs: number) =>
      currentPositions(
        { ...trader, scopes },
        { ...connection, connection_id: CONNECTION, connected_at: NOW.toISOString() },
        { ...base, brokers, cache, clock: moving },
        maxWaitMs,
      );
    return { state, opened, clock: moving, read, stored, current };
  }

  it("reads them once a minute, for all calls together", async () => {
    const { state, clock, read, stored } = await outside();
    const answers = await Promise.all([read(), read(), read()]);
    expect(answers.map(({ count }) => count)).toEqual([1, 1, 1]);
    expect(state.reads).toBe(1);
    expect(await stored()).toMatchObject([{ positions: [{ symbol: "AAPL", quantity: "2" }] }]);
    state.quantity = "3";
    clock.pass(59_000);
    expect((await read()).positions[0]?.quantity).toBe("2");
    clock.pass(1_000);
    const later = await read();
    expect(later.positions[0]?.quantity).toBe("3");
    expect(later.as_of).toBe(clock.now().toISOString());
    expect(state.reads).toBe(2);
  });

  it("stores nothing for a read-only key, and still shares the reading", async () => {
    const { state, read, stored } = await outside({ scopes: ["read"] });
    expect((await read()).count).toBe(1);
    expect((await read()).count).toBe(1);
    expect(state.reads).toBe(1);
    expect(await stored()).toEqual([]);
  });

  it("lists the stored rows with their time and the reason while the broker is down", async () => {
    const { state, clock, read } = await outside();
    const first = await read();
    state.fails = true;
    clock.pass(120_000);
    const answer = await read();
    expect(answer).toMatchObject({
      as_of: first.as_of,
      count: 1,
      complete: false,
      empty_reason: null,
      synced: [{ synced_at: first.as_of, reason: "The broker does not respond" }],
      hint: `${CONNECTION} could not be read (The broker does not respond): its positions are those of ${first.as_of}. sync_positions reads it again.`,
    });
    await read();
    // the failure is shared for a minute, too
    expect(state.reads).toBe(2);
  });

  it("lists the stored rows while the broker is slow, and the late reading afterwards", async () => {
    const { opened, clock, read, current, stored } = await outside();
    const first = await read();
    clock.pass(120_000);
    let answer = (_: readonly BrokerPosition[]) => {};
    const late = new Promise<readonly BrokerPosition[]>((resolve) => {
      answer = resolve;
    });
    opened.now = { ...opened.now, positions: () => late };
    const slow = await Promise.all([current(20), current(20)]);
    for (const one of slow)
      expect(one).toMatchObject({
        at: first.as_of,
        positions: [{ quantity: "2" }],
        failure: { message: "The broker has not answered within 0.02 seconds" },
      });
    answer([{ symbol: "AAPL", quantity: "5", averagePrice: "131" }]);
    expect(await current(1_000)).toMatchObject({ positions: [{ quantity: "5" }], failure: null });
    expect((await stored())[0]?.positions).toMatchObject([{ quantity: "5" }]);
  });

  const ROW = { symbol: "AAPL", asset_class: "us_equity", qty: "1", side: "long", avg_entry_price: "130" };
  it.each([
    ["an object", {}],
    ["nothing", null],
    ["a message", { message: "internal server error" }],
    ["half a page", [ROW, { symbol: "MSFT", asset_class: "us_equity" }]],
    ["a quantity that is no number", [{ ...ROW, qty: "many" }]],
    ["rows of another kind", [["AAPL", "1"]]],
  ])("lists the stored rows, not an empty list, when the broker answers with %s", async (_, garbage) => {
    const { opened, clock, read, stored } = await outside();
    const first = await read();
    const before = await stored();
    clock.pass(120_000);
    opened.now = fixedResponseBench(200, garbage).broker;
    expect(await read()).toMatchObject({
      as_of: first.as_of,
      positions: [{ symbol: "AAPL", quantity: "2" }],
      complete: false,
      synced: [{ synced_at: first.as_of, reason: expect.stringMatching(/Alpaca/) }],
    });
    expect(await stored()).toEqual(before);
    // an answer that holds nothing is one: everything was sold
    clock.pass(120_000);
    opened.now = fixedResponseBench(200, []).broker;
    expect(await read()).toMatchObject({
      positions: [],
      complete: true,
      empty_reason: "Nothing is held: every account was read",
    });
  });

  it("rejects instead of answering with an empty list if nothing was ever read", async () => {
    const { state, read } = await outside();
    state.fails = true;
    await expect(read()).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });
});

const { ports: empty } = await brokerMarket();
toolContract(listPositions, { ports: empty });
