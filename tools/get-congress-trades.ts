import { z } from "zod";
import { Detail, intBetween, NextCursor, SymbolText } from "../src/domain/answers.ts";
import {
  Chamber,
  DataCompleteness,
  Day,
  Disclosure,
  DisclosureOrigin,
  MAX_TRADES,
  RAW_OUTSIDE_TEXT,
  UnreadFiling,
} from "../src/domain/congress/congress.ts";
import { formatDisclosures } from "../src/features/congress/congress.text.ts";
import { MAX_CURSOR_LENGTH } from "../src/features/congress/cursor.ts";
import { selectDisclosures } from "../src/features/congress/selection.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Default rows per page. */
const DEFAULT_LIMIT = { full: 50, concise: 8 } as const;

/** Maximum filings listed; the total counts all. */
const MAX_UNREADABLE_FILINGS = 50;

/** Disclosures as filed, and the unreadable filings. */
export const getCongressTrades = defineTool({
  name: "get_congress_trades",
  title: "Get congress trades",
  description:
    "Returns the raw disclosure records of Congress (House and Senate) under the STOCK Act, newest filing first: every row of the periodic transaction reports exactly as filed, in its original words, with corrections marked. Use it for an audit, an export or your own parsing of unprocessed data. Trades by person and party are in get_political_trades, one score in get_congress_signal.",
  toolset: "flow",
  plan: "founding",
  effect: "read",
  route: "GET /api/congress/trades",
  cli: { command: "congress-trades" },
  needs: ["congress", "symbols", "clock", "market"],
  input: z.object({
    ticker: SymbolText.optional().describe("Only this stock, fund or token"),
    chamber: Chamber.optional().describe("Only this chamber: house or senate"),
    from: Day.optional().describe("First filing date, at most 1,830 days ago. Default: 365 days ago."),
    to: Day.optional().describe("Last filing date, not in the future. Default: today."),
    limit: intBetween(1, MAX_TRADES)
      .optional()
      .describe(
        `Rows per page, at most 200. Default: ${DEFAULT_LIMIT.full}, or ${DEFAULT_LIMIT.concise} with detail concise.`,
      ),
    cursor: z.string().max(MAX_CURSOR_LENGTH).optional().describe("next_cursor of the previous page"),
    detail: Detail,
  }),
  output: z.object({
    ok: z.literal(true),
    outside_text: z.literal(RAW_OUTSIDE_TEXT).describe("How to treat text written by others"),
    trades: z.array(Disclosure),
    count: z.number().int().describe("Rows on this page"),
    total: z
      .number()
      .int()
      .nullable()
      .describe("Rows on all pages; null: no filings are stored for these days"),
    ...DataCompleteness.shape,
    unread: z.array(UnreadFiling).describe("Filings without readable rows, newest first, at most 50"),
    unread_total: z.number().int().nullable(),
    from: z.string(),
    to: z.string(),
    next_cursor: NextCursor,
    reason: z.string().nullable().describe("Why there are no rows"),
    notes: z.array(z.string()),
    ...DisclosureOrigin.shape,
    market: z.enum(["sample", "files", "live"]),
  }),
  examples: [
    { ask: "What was disclosed in Congress lately, as filed?", input: { limit: 20 } },
    {
      ask: "Which filings of senators came in December 2025?",
      input: { chamber: "senate", from: "2025-12-01", to: "2025-12-31" },
    },
  ],
  terminal({ trades, total, notes, reason, held_reason }, paint) {
    const why = reason ?? held_reason;
    return [
      ...formatDisclosures(trades, paint),
      ...(why === null ? [] : [paint("yellow", why)]),
      ...notes.map((note) => paint("yellow", note)),
      paint("dim", `${trades.length} of ${total ?? "an unknown number of"} rows`),
    ].join("\n");
  },

  async handler({ detail = "full", limit = DEFAULT_LIMIT[detail], ...wanted }, ctx) {
    const found = await selectDisclosures({ ...wanted, limit }, ctx);
    return {
      ok: true as const,
      outside_text: RAW_OUTSIDE_TEXT,
      trades: [...found.page],
      count: found.page.length,
      unread: found.unread.slice(0, MAX_UNREADABLE_FILINGS),
      unread_total: found.unread.length === 0 && found.summary.held === "none" ? null : found.unread.length,
      ...found.summary,
      ...found.origin,
      market: ctx.market.mode,
    };
  },
});
