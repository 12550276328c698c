import { z } from "zod";
import {
  Alternatives,
  AsOf,
  Detail,
  Figure,
  Iso,
  intBetween,
  MarketMode,
  NextCursor,
  named,
  outsideTextNotice,
  StockText,
  Success,
  timeRange,
} from "../src/domain/answers.ts";
import { INSIDER_OUTSIDE_TEXT, InsiderTrade, TRANSACTION_CODES } from "../src/domain/company/insiders.ts";
import { AssetClass } from "../src/domain/market/market.ts";
import { FlowCoverage } from "../src/domain/options-flow/flow.ts";
import { formatInsiderTrades } from "../src/features/company/insider-trades.text.ts";
import { readInsiderTrades } from "../src/features/company/insider-trades.ts";
import { defineTool } from "../src/kernel/tool.ts";

const DEFAULT_LIMIT = { concise: 8, full: 25 } as const;
/** Maximum number of transactions with detail concise. */
const MAX_CONCISE_LIMIT = 30;

const Total = z.object({ trades: z.number().int(), shares: z.number(), value: Figure }).nullable();

/** Returns transactions of the insiders of a company from their Forms 4. */
export const getInsiderTrades = defineTool({
  name: "get_insider_trades",
  title: "Get insider trades",
  description:
    "Returns the insider trades of one US company from SEC Form 4, newest filing first: reporting owner and role, date, code, shares, price, held after, filing; also as known by an earlier day. Use it for what insiders (CEO, officers, directors, owners of ten percent) purchased or sold. Lawmakers are in get_political_trades, statements in get_company_facts.",
  topics: [
    "insider trades",
    "insider buying",
    "insider selling",
    "insiders",
    "form 4",
    "ceo bought",
    "officers and directors",
    "10b5-1 plan",
  ],
  toolset: "fundamentals",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/company/:symbol/insiders",
  cli: { command: "insiders" },
  needs: ["symbols", "company", "clock", "market"],
  input: z.object({
    symbol: StockText,
    open_market: z
      .boolean()
      .default(false)
      .describe("true: only purchases (P) and sales (S), without grants, exercises, taxes and gifts"),
    limit: intBetween(1, 100)
      .optional()
      .describe(
        `Transactions, newest filing first. Default: ${DEFAULT_LIMIT.full}. With detail concise: ${DEFAULT_LIMIT.concise}, at most ${MAX_CONCISE_LIMIT}.`,
      ),
    ...timeRange("day of filing"),
    as_of: AsOf.optional(),
    detail: Detail,
  }),
  output: z.object({
    ok: Success,
    symbol: z.string(),
    asset_class: AssetClass,
    coverage: FlowCoverage,
    as_of: Iso.describe("Filings after this time are not used"),
    trades: z.array(InsiderTrade),
    next_cursor: NextCursor,
    bought: Total.describe("Purchases of shares (P) listed; value in US dollars"),
    sold: Total.describe("Sales of shares (S) listed; value in US dollars"),
    filings_read: z.number().int().nullable(),
    codes: z
      .array(z.object({ code: z.string(), meaning: z.string() }))
      .describe("Meaning of the codes listed"),
    provenance: z.object({ provider: z.string(), fetched_at: Iso, stale: z.boolean() }).nullable(),
    outside_text: outsideTextNotice(INSIDER_OUTSIDE_TEXT),
    alternatives: Alternatives,
    notes: z.array(z.string()),
    market: MarketMode,
  }),
  examples: [
    { ask: "Did Apple's executives sell shares?", input: { symbol: "AAPL", open_market: true } },
    { ask: "Insider filings of Tesla by the end of 2025", input: { symbol: "TSLA", as_of: "2025-12-31" } },
  ],
  terminal: formatInsiderTrades,

  async handler({ symbol, limit, detail = "full", ...request }, ctx) {
    const resolution = ctx.symbols.resolve(symbol);
    const { instrument, alternatives } = resolution;
    const rows = Math.min(limit ?? DEFAULT_LIMIT[detail], detail === "concise" ? MAX_CONCISE_LIMIT : 100);
    const answer = await readInsiderTrades(resolution, { ...request, limit: rows, signal: ctx.signal }, ctx);
    const codes = [...new Set(answer.trades.map(({ code }) => code))].sort();
    return {
      symbol: instrument.symbol,
      asset_class: instrument.asset_class,
      ...answer,
      codes: codes.map((code) => ({ code, meaning: TRANSACTION_CODES[code] })),
      alternatives: alternatives.map(named),
      market: ctx.market.mode,
    };
  },
});
