import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JournalFill } from "../../../src/analytics/journal/trips.ts";
import { readFills } from "../../../src/features/trading/journal.ts";
import { buildJournal } from "../../../src/features/trading/journal-trades.ts";
import { decimal } from "../../../src/lib/decimal.ts";
import { MINUTE } from "../../providers/paper/bench.ts";
import { CN, LONG, tradeBench } from "./bench.ts";

type Bench = Awaited<ReturnType<typeof tradeBench>>;
const journal = async ({ ports }: Bench, connection?: string) =>
  buildJournal(await readFills("ada", { connection, limit: 100 }, ports), [], { symbol: null, since: null });

describe("the journal of a paper account", () => {
  it("returns a trade closed by its bracket stop, with its R multiple", async () => {
    const bench = await tradeBench();
    const { ports, preview, execute, clock, bar } = bench;
    const shown = await preview({ side: "buy", quantity: "10", stop_loss: "98", take_profit: "104" }, LONG);
    const { order } = await execute((await ports.tradeRepository.ticket("ada", shown.ticket_id!))!);
    clock.pass(MINUTE);
    bar(5, { open: 97 });
    clock.pass(30 * MINUTE);
    const { trades, summary, unmatched } = await journal(bench);
    const [trade] = trades;
    expect(unmatched).toEqual([]);
    expect(trade).toMatchObject({
      order_id: order.order_id,
      connection_id: CN,
      symbol: "AAPL",
      side: "LONG",
      quantity: "10",
      open_quantity: "0",
      stop_loss: "98",
      entry_price: order.average_price,
      exits: [{ order_id: null, kind: "stop_loss", quantity: "10" }],
      signal: { direction: "LONG", grade: "A", score: 80, timeframe: "1d" },
    });
    // a gap below the stop costs more than what was at risk
    expect(trade!.r_multiple).toBeLessThan(-1);
    expect(summary).toMatchObject({ closed: 1, win_share: { value: 0, n: 1 }, average_r: { n: 1 } });
    expect((await journal(bench, CN)).trades).toHaveLength(1);
    expect((await journal(bench, `cn_${"2".repeat(20)}`)).trades).toEqual([]);
  });

  it("returns the trades of one connection despite many later orders on another", async () => {
    const bench = await tradeBench();
    const { db, ports, ticketOf } = bench;
    const ours = await bench.trade({ side: "buy", quantity: "1" });
    const { intent } = await ticketOf();
    for (let i = 0; i < 100; i++) {
      const other = { account: "ada", market: "test", connection: `cn_${"2".repeat(20)}`, number: i };
      await db
        .insertInto("trade_orders")
        .values({
          ...other,
          id: `or_${i}`,
          ticket: `tk_${i}`,
          client_order_id: `ms-${i}`,
          reason: null,
          intent: JSON.stringify(intent),
          state: "accepted",
          broker_status: "filled",
          filled_quantity: "1",
          average_price: "100",
          fees: "0",
          created_at: "2026-01-15T15:10:00.000Z",
          updated_at: "2026-01-15T15:10:00.000Z",
        })
        .execute();
    }
    const read = await readFills("ada", { connection: CN, limit: 100 }, ports);
    expect(read).toMatchObject([{ connection: CN, fills: [{ id: ours.order_id, quantity: "1" }] }]);
    expect((await journal(bench, CN)).trades).toHaveLength(1);
  });

  it("orders simultaneous trades by symbol", () => {
    const fill = (id: string, symbol: string): JournalFill => ({
      id,
      symbol,
      side: "buy",
      quantity: "1",
      price: "10",
      fees: "0",
      kind: "order",
      stop: null,
      at: "2026-01-15T15:00:00.000Z",
      held: null,
    });
    const [one, other] = [fill("or_1", "MSFT"), fill("or_2", "AAPL")];
    const result = (fills: readonly JournalFill[]) => {
      const read = { connection: CN, fills, orders: new Map(), signals: new Map(), unavailableReason: null };
      return buildJournal([read], [], { symbol: null, since: null }).trades.map(({ symbol }) => symbol);
    };
    expect([result([one, other]), result([other, one])]).toEqual([
      ["AAPL", "MSFT"],
      ["AAPL", "MSFT"],
    ]);
  });

  it("returns a short sale that was bought back", async () => {
    const bench = await tradeBench();
    await bench.trade({ side: "sell", quantity: "10" });
    bench.price.now = 90;
    bench.clock.pass(MINUTE);
    await bench.trade({ side: "buy", quantity: "10" });
    const { trades } = await journal(bench);
    expect(trades).toMatchObject([
      { side: "SHORT", open_quantity: "0", held_seconds: 60, r_reason: "The entry had no stop" },
    ]);
    expect(Number(trades[0]?.net_pnl)).toBeGreaterThan(90);
  });

  it("returns the last known fills of a removed connection", async () => {
    const bench = await tradeBench();
    await bench.trade({ side: "buy", quantity: "1" });
    const ports = { ...bench.ports, connections: { ...bench.ports.connections, find: async () => null } };
    const [read] = await readFills("ada", { connection: undefined, limit: 100 }, ports);
    expect(read).toMatchObject({
      connection: CN,
      unavailableReason: "The connection was removed",
      fills: [{ quantity: "1" }],
    });
  });

  it("adds up to the change in account equity once all positions are closed, within a cent per fill", async () => {
    const step = fc.record({
      side: fc.constantFrom("buy", "sell"),
      units: fc.integer({ min: 1, max: 20 }),
      price: fc.integer({ min: 8_000, max: 12_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        const bench = await tradeBench();
        const { price, clock, real } = bench;
        for (const { side, units, price: cents } of steps) {
          price.now = cents / 100;
          clock.pass(MINUTE);
          await bench.trade({ side, quantity: String(units) });
        }
        const [held] = await real.positions();
        clock.pass(MINUTE);
        if (held !== undefined)
          await bench.trade({
            side: held.quantity.startsWith("-") ? "buy" : "sell",
            quantity: held.quantity.replace("-", ""),
          });
        expect(await real.positions()).toEqual([]);
        const { trades, unmatched } = await journal(bench);
        expect(unmatched).toEqual([]);
        expect(trades.every(({ closed_at }) => closed_at !== null)).toBe(true);
        const net = trades.reduce((sum, { net_pnl }) => sum.plus(net_pnl), decimal(0));
        const change = decimal((await real.account()).equity).minus(100_000);
        const fills = (await bench.repository.fills({ account: "ada", connection: CN })).length;
        expect(net.minus(change).abs().toNumber()).toBeLessThanOrEqual(0.01 * fills);
      }),
      { numRuns: 15 },
    );
  });
});
