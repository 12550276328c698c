import { z } from "zod";
import { MarketMode, Succeeded } from "../src/domain/answers.ts";
import { JournalNote } from "../src/domain/trading/journal.ts";
import { OrderId } from "../src/domain/trading/trading.ts";
import { formatJournalNote } from "../src/features/trading/journal.text.ts";
import { ToolError } from "../src/kernel/errors.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { idDigits } from "../src/lib/id-digits.ts";
import { plainText } from "../src/lib/plain-text.ts";

const MAX_NOTE_LENGTH = 2_000;

/** Adds a note to an order of the account; notes are immutable. */
export const writeJournalNote = defineTool({
  name: "write_journal_note",
  title: "Write journal note",
  description:
    "Adds a note in your own words to one of this account's orders, stored with its time: why a trade was entered or exited, what went wrong, a lesson. Use it to write down, remember, log or comment on the reasoning of a trade. Notes are never edited or deleted. get_trade_journal shows them, order ids are in list_orders.",
  topics: ["journal note", "add a note", "note on this trade", "write down why", "lesson from this trade"],
  toolset: "trading",
  plan: "pro",
  effect: "write",
  route: "POST /api/broker/journal/notes",
  cli: { command: "note" },
  needs: ["tradeRepository", "tradeNotes", "clock", "ids", "market"],
  input: z.object({
    order_id: OrderId,
    note: z.string().trim().min(1).max(MAX_NOTE_LENGTH).describe("Note text, at most 2,000 characters"),
  }),
  output: z.object({
    ...Succeeded,
    note: JournalNote,
    symbol: z.string().describe("Symbol of the order"),
    market: MarketMode,
  }),
  examples: [
    {
      ask: "Add a note to that order: I entered too early",
      input: { order_id: `or_${"0".repeat(20)}`, note: "Entered before the close confirmed it." },
    },
  ],
  terminal: ({ note, symbol }, paint) =>
    [`note added to ${paint("bold", symbol)} ${note.order_id}`, ...formatJournalNote(note, paint)].join("\n"),

  async handler({ order_id, note: rawNote }, { tradeRepository, tradeNotes, clock, ids, market, principal }) {
    const { account } = principal;
    const order = await tradeRepository.order(account, order_id);
    if (order === null)
      throw new ToolError("NOT_FOUND", "There is no such order", {
        hint: "list_orders shows the orders of this account.",
      });
    const note = rawNote
      .split(/\r\n|\n|\r/)
      .map((line) => plainText(line, MAX_NOTE_LENGTH))
      .join("\n")
      .trim();
    if (note === "") throw new ToolError("INVALID_INPUT", "The note has no readable characters");
    const at = clock.now().toISOString();
    await tradeNotes.add(account, { id: `tn_${idDigits(ids.uuid())}`, order: order_id, note, at });
    return {
      note: { order_id, note, noted_at: at },
      symbol: order.intent.symbol,
      market: market.mode,
    };
  },
});
