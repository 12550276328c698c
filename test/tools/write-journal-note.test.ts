import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { executeTrade } from "../../tools/execute-trade.ts";
import { writeJournalNote } from "../../tools/write-journal-note.ts";
import { toolContract } from "../support/tool-contract.ts";
import { savedTicket, tradeMarket, trader } from "../support/trades.ts";

const market = await tradeMarket();
const { ports } = market;
const on = (account = trader.account) => ({ ports, principal: { ...trader, account }, transport: "test" });
const ticket_id = await savedTicket(market, "0");
const { order } = await invoke(executeTrade, { ticket_id }, on());
const write = (note: string, account?: string, order_id = order.order_id) =>
  invoke(writeJournalNote, { order_id, note }, on(account));

describe("write_journal_note", () => {
  it("adds notes, each with its time, and does not change earlier ones", async () => {
    const first = await write("Too early.");
    expect(first).toMatchObject({ symbol: "AAPL", note: { order_id: order.order_id, note: "Too early." } });
    market.clock.pass(1);
    await write("Second thought");
    const kept = await ports.tradeNotes.list(trader.account);
    expect(kept.map(({ note }) => note)).toEqual(["Too early.", "Second thought"]);
    expect(kept[0]?.at).toBe(first.note.noted_at);
  });

  it("keeps line breaks and strips control and invisible characters", async () => {
    const { note } = await write("one\r\n\u001b[31mtwo\u202ethree\u200b\n=SUM(A1)");
    expect(note.note).toBe("one\ntwo three\n=SUM(A1)");
    await expect(write("\u200b\u0007")).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(write("x".repeat(2_001))).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("does not find an order of another account", async () => {
    await expect(write("Mine?", "two")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(write("None", undefined, `or_${"9".repeat(20)}`)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await ports.tradeNotes.list("two")).toEqual([]);
  });
});

toolContract(writeJournalNote, { ports });
