import { describe, expect, it } from "vitest";
import type { Ports } from "../../src/domain/ports.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { executeTrade } from "../../tools/execute-trade.ts";
import { listPositions } from "../../tools/list-positions.ts";
import { syncPositions } from "../../tools/sync-positions.ts";
import { brokerMarket } from "../support/brokers.ts";
import { NOW } from "../support/context.ts";
import { fixedQuotes, quote } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";
import { CONNECTION, tradeMarket, trader } from "../support/trades.ts";

const { ports } = await tradeMarket();
const on = (account = trader.account, over: Partial<Ports> = {}) => ({
  ports: { ...ports, ...over },
  principal: { ...trader, account },
  transport: "test",
});
const list = (input: object = {}, over: Partial<Ports> = {}) =>
  invoke(listPositions, input, on(undefined, over));
const buy = { symbol: "AAPL", side: "buy", quantity: "1", stop_loss: "130" };

describe("list_positions", () => {
  it("states whether a broker or a sync is missing", async () => {
    expect(await invoke(listPositions, {}, on("nobody"))).toMatchObject({
      positions: [],
      count: 0,
      synced: [],
      imported: [],
      hint: expect.stringContaining("connect_broker"),
    });
    expect(await list()).toMatchObject({
      synced: [{ connection_id: CONNECTION, synced_at: null }],
      hint: expect.stringContaining("sync_positions"),
    });
  });

  it("returns a position that was traded here, with the stop of its order", async () => {
    const { order } = await invoke(executeTrade, buy, on());
    await invoke(syncPositions, {}, on());
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
      /^AAPL {2}LONG 1 at \d+\.\d+, now 138 USD \(live quote, \d\d:\d\d:\d\dZ\) {2}[+-]\d+\.?\d* USD/,
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

  it("states when orders were filled after the last sync", async () => {
    const before = await list();
    expect(before.hint).toBeNull();
    const later = new Date(NOW.getTime() + 60_000);
    const clock = { ...ports.clock, now: () => later };
    await invoke(
      executeTrade,
      { ...buy, side: "sell", stop_loss: undefined },
      on(undefined, {
        clock,
        quotes: fixedQuotes({ AAPL: quote({ price: 138, timestamp: later.toISOString() }) }),
      }),
    );
    expect(await list({}, { clock })).toMatchObject({
      count: 1,
      hint: `Orders on ${CONNECTION} were filled after ${NOW.toISOString()}: sync_positions reads the current positions.`,
    });
    // the clock was ahead when the order was filled
    expect(await list()).toMatchObject({ count: 1, hint: null });
    await invoke(syncPositions, {}, on(undefined, { clock }));
    expect(await list({}, { clock })).toMatchObject({ count: 0, hint: null });
  });
});

const { ports: empty } = await brokerMarket();
toolContract(listPositions, { ports: empty });
