import { z } from "zod";
import { leanOf } from "../src/analytics/congress/lean.ts";
import { Count, MarketMode, outsideTextNotice, Success } from "../src/domain/answers.ts";
import {
  CongressTrade,
  DisclosurePage,
  disclosureQuery,
  FILED_OUTSIDE_TEXT,
  Lean,
  Party,
} from "../src/domain/congress/congress.ts";
import { nextPageLine } from "../src/domain/terminal.ts";
import { formatDisclosures, formatLean } from "../src/features/congress/congress.text.ts";
import { qualifyLean } from "../src/features/congress/filing-coverage.ts";
import { pageSize, selectDisclosures } from "../src/features/congress/selection.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Default rows per page. */
const DEFAULT_LIMIT = { full: 50, concise: 5 } as const;

/** Minimum number of members for a net direction. */
const MIN_MEMBERS = 3;

/** Returns filtered trades of members of Congress, and their net direction. */
export const getPoliticalTrades = defineTool({
  name: "get_political_trades",
  title: "Get political trades",
  description:
    "Returns stock trades of individual politicians, senators and House members, by name, newest filing first: ticker, buy or sale, amount, party, dates. Use it for what a politician has been buying or selling lately, or which senators or House members bought or sold a stock this year. Congress as a whole is in get_congress_signal, raw rows in get_congress_trades.",
  topics: [
    "political trades",
    "politician trades",
    "senators",
    "pelosi",
    "trades by party",
    "democrats",
    "republicans",
    "chamber",
    "net sentiment",
    "amount range",
  ],
  toolset: "flow",
  plan: "founding",
  effect: "read",
  route: "GET /api/v1/political-trades",
  cli: { command: "political-trades", positionals: ["ticker"] },
  needs: ["congress", "symbols", "clock", "market"],
  input: z.object({
    ...disclosureQuery(DEFAULT_LIMIT),
    party: Party.optional().describe("Only this party: D, R or I"),
    type: z.enum(["buy", "sell"]).optional().describe("Only buys or sells"),
  }),
  output: z.object({
    ok: Success,
    outside_text: outsideTextNotice(FILED_OUTSIDE_TEXT),
    trades: z.array(CongressTrade),
    members: Count.nullable().describe("Number of distinct members, on all pages"),
    net_sentiment: Lean.describe("Net direction of buys and sells on all pages, regardless of `type`"),
    ...DisclosurePage,
    market: MarketMode,
  }),
  examples: [
    { ask: "What has Congress traded in Nvidia?", input: { ticker: "NVDA" } },
    {
      ask: "What did Democrats in the House buy lately?",
      input: { chamber: "house", party: "D", type: "buy", limit: 20 },
    },
  ],
  terminal({ trades, net_sentiment, total, notes, reason, from, to, next_cursor }, paint) {
    return [
      ...(reason === null ? formatLean(net_sentiment, paint) : [paint("yellow", reason)]),
      ...formatDisclosures(trades, paint),
      ...notes.map((note) => paint("yellow", note)),
      paint("dim", `${trades.length} of ${total ?? "an unknown number of"} rows filed ${from} to ${to}`),
      ...nextPageLine(next_cursor, paint),
      ...(reason === null ? [paint("dim", net_sentiment.rule)] : []),
    ].join("\n");
  },

  async handler({ detail = "full", limit = DEFAULT_LIMIT[detail], ...wanted }, ctx) {
    const found = await selectDisclosures({ ...wanted, limit: pageSize(limit, detail, DEFAULT_LIMIT) }, ctx);
    return {
      trades: found.page.map(({ as_filed: _, ...trade }) => trade),
      count: found.page.length,
      members: found.members,
      net_sentiment: qualifyLean(leanOf(found.bothSides, MIN_MEMBERS), found.summary, found.onlyChamber),
      ...found.summary,
      ...found.origin,
      market: ctx.market.mode,
    };
  },
});
