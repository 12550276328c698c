import { z } from "zod";
import { Count, MarketMode, outsideTextNotice, Success } from "../src/domain/answers.ts";
import {
  Disclosure,
  DisclosurePage,
  disclosureQuery,
  RAW_OUTSIDE_TEXT,
  UnreadFiling,
} from "../src/domain/congress/congress.ts";
import { nextPageLine } from "../src/domain/terminal.ts";
import { formatDisclosures } from "../src/features/congress/congress.text.ts";
import { pageSize, selectDisclosures } from "../src/features/congress/selection.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Default rows per page. */
const DEFAULT_LIMIT = { full: 50, concise: 5 } as const;

/** Maximum number of unreadable filings listed; unread_total counts all of them. */
const MAX_UNREADABLE_FILINGS = { full: 50, concise: 3 } as const;

/** Returns disclosures as filed, and the filings that could not be read. */
export const getCongressTrades = defineTool({
  name: "get_congress_trades",
  title: "Get congress trades",
  description:
    "Returns the raw disclosure records of Congress (House and Senate) under the STOCK Act, newest filing first: every row of the periodic transaction reports exactly as filed, in its original words, with corrections marked. Use it for an audit, an export or your own parsing of unprocessed data. Trades by person and party are in get_political_trades, one score in get_congress_signal.",
  topics: [
    "congressional disclosures",
    "stock act",
    "periodic transaction reports",
    "ptr filings",
    "congress filings",
  ],
  toolset: "flow",
  plan: "founding",
  effect: "read",
  route: "GET /api/congress/trades",
  cli: { command: "congress-trades" },
  needs: ["congress", "symbols", "clock", "market"],
  input: z.object({
    ...disclosureQuery(DEFAULT_LIMIT),
  }),
  output: z.object({
    ok: Success,
    outside_text: outsideTextNotice(RAW_OUTSIDE_TEXT),
    trades: z.array(Disclosure),
    unread: z
      .array(UnreadFiling)
      .describe("Filings that could not be read, newest first; at most 50, or 3 with detail concise"),
    unread_total: Count.nullable(),
    ...DisclosurePage,
    market: MarketMode,
  }),
  examples: [
    { ask: "What was disclosed in Congress lately, as filed?", input: { limit: 20 } },
    {
      ask: "Which filings of senators came in December 2025?",
      input: { chamber: "senate", from: "2025-12-01", to: "2025-12-31" },
    },
  ],
  terminal({ trades, total, notes, reason, held_reason, next_cursor }, paint) {
    const why = reason ?? held_reason;
    return [
      ...formatDisclosures(trades, paint),
      ...(why === null ? [] : [paint("yellow", why)]),
      ...notes.map((note) => paint("yellow", note)),
      paint("dim", `${trades.length} of ${total ?? "an unknown number of"} rows`),
      ...nextPageLine(next_cursor, paint),
    ].join("\n");
  },

  async handler({ detail = "full", limit = DEFAULT_LIMIT[detail], ...wanted }, ctx) {
    const found = await selectDisclosures({ ...wanted, limit: pageSize(limit, detail, DEFAULT_LIMIT) }, ctx);
    return {
      trades: [...found.page],
      count: found.page.length,
      unread: found.unread.slice(0, MAX_UNREADABLE_FILINGS[detail]),
      unread_total: found.unread.length === 0 && found.summary.held === "none" ? null : found.unread.length,
      ...found.summary,
      ...found.origin,
      market: ctx.market.mode,
    };
  },
});
