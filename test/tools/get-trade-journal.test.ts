import { describe, expect, it } from "vitest";
import type { Ports } from "../../src/domain/ports.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { executeTrade } from "../../tools/execute-trade.ts";
import { getTradeJournal } from "../../tools/get-trade-journal.ts";
import { writeJournalNote } from "../../tools/write-journal-note.ts";
import { unavailable } from "../support/context.ts";
import { toolContract } from "../support/tool-contract.ts";
import { CONNECTION, tradeMarket, trader } from "../support/trades.ts";

const { ports } = await tradeMarket();
const on = (over: Partial<Ports> = {}, account = trader.account) => ({
  ports: { ...ports, ...over },
  principal: { ...trader, account },
  transport: "test",
});
const trade = async (input: object) => (await invoke(executeTrade, input, on())).order;
const journal = (input: object = {}, over?: Partial<Ports>, account?: string) =>
  invoke(getTradeJournal, input, on(over, account));

describe("get_trade_journal", () => {
  it("is empty with a hint and reasons before the first order", async () => {
    expect(await journal()).toMatchObject({
      trades: [],
      count: 0,
      unmatched: [],
      unread: [],
      summary: { closed: 0, win_share: { value: null, n: 0, reason: "No trade is closed yet" } },
      hint: expect.stringContaining("execute_trade"),
    });
  });

  it("returns a trade from entry to exit, with its signal, risk and notes", async () => {
    const bought = await trade({ symbol: "AAPL", side: "buy", quantity: "1", stop_loss: "130" });
    const open = await journal();
    expect(open.trades).toMatchObject([
      { order_id: bought.order_id, side: "LONG", closed_at: null, exit_price: null, r_multiple: null },
    ]);
    expect(open.trades[0]).toMatchObject({ open_quantity: "1", held_seconds: null, net_pnl: "0" });
    const sold = await trade({ symbol: "AAPL", side: "sell", quantity: "1" });
    const note = { order_id: sold.order_id, note: "Sold in haste." };
    await invoke(writeJournalNote, note, on());
    const { trades, summary } = await journal({ symbol: "aapl" });
    const realized = Number(sold.average_price) - Number(bought.average_price);
    const net = realized - Number(sold.fees);
    expect(trades).toHaveLength(1);
    expect(Number(trades[0]?.realized_pnl)).toBeCloseTo(realized, 9);
    expect(Number(trades[0]?.net_pnl)).toBeCloseTo(net, 9);
    expect(trades[0]).toMatchObject({
      open_quantity: "0",
      fees: sold.fees,
      entry_price: bought.average_price,
      exits: [{ order_id: sold.order_id, kind: "order", quantity: "1", price: sold.average_price }],
      r_multiple: expect.closeTo(net / (Number(bought.average_price) - 130), 3),
      signal: { direction: expect.any(String), timeframe: "1d" },
      notes: [{ ...note, noted_at: expect.any(String) }],
    });
    expect(summary).toMatchObject({ closed: 1, open: 0, win_share: { value: 0, n: 1 } });
  });

  it("limits the listed trades, and summarizes all", async () => {
    await trade({ symbol: "BTC-USD", side: "buy", quantity: "0.1", stop_loss: "130" });
    expect(await journal({ limit: 1 })).toMatchObject({ count: 1, summary: { closed: 1, open: 1 } });
    expect((await journal({ symbol: "BTC-USD" })).summary).toMatchObject({ closed: 0, open: 1 });
    expect((await journal({ since: "2026-02-01" })).trades.map(({ symbol }) => symbol)).toEqual(["BTC-USD"]);
    expect((await journal({ since: "2026-01-01" })).count).toBe(2);
  });

  it("lists brokers that do not respond, with what is known without them", async () => {
    const silent = unavailable("The broker does not answer");
    const brokers = { ...ports.brokers, open: () => ({ orders: silent }) } as unknown as Ports["brokers"];
    expect(await journal({}, { brokers })).toMatchObject({
      summary: { closed: 1, open: 1 },
      unread: [{ connection_id: CONNECTION, reason: "The broker does not answer" }],
    });
  });

  it("returns nothing of another account", async () => {
    expect((await journal({}, {}, "two")).trades).toEqual([]);
    for (const connection_id of [CONNECTION, `cn_${"9".repeat(20)}`])
      await expect(journal({ connection_id }, {}, "two")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await journal({ connection_id: CONNECTION })).count).toBe(2);
  });
});

describe("get_trade_journal from and to", () => {
  it("selects by the close of a trade, and by the entry of an open one", async () => {
    const symbolsOf = async (input: object) =>
      (await journal(input)).trades.map(({ symbol }) => symbol).sort();
    expect(await symbolsOf({ from: "2026-01-15", to: "2026-01-15" })).toEqual(["AAPL", "BTC-USD"]);
    expect(await symbolsOf({ to: "2026-01-14" })).toEqual([]);
    expect((await journal({ to: "2026-01-14" })).summary).toMatchObject({ closed: 0, open: 0 });
    await expect(journal({ from: "2026-02-01" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(journal({ since: "2026-01-01", from: "2026-01-01" })).rejects.toMatchObject({
      message: "Pass since or from, not both",
    });
  });

  it("returns each trade once over all pages", async () => {
    const whole = await journal();
    const first = await journal({ limit: 1 });
    const rest = await journal({ limit: 10, cursor: first.next_cursor });
    expect([...first.trades, ...rest.trades]).toEqual(whole.trades);
    expect(rest).toMatchObject({ next_cursor: null, summary: whole.summary });
  });
});

toolContract(getTradeJournal, { ports });
