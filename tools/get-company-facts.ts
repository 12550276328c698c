import { z } from "zod";
import {
  Alternatives,
  AsOf,
  Detail,
  Iso,
  intBetween,
  MarketMode,
  named,
  outsideTextNotice,
  StockText,
  Success,
} from "../src/domain/answers.ts";
import {
  COMPANY_OUTSIDE_TEXT,
  CompanyProfile,
  Filing,
  RatioPrice,
  RatioRow,
  Statement,
} from "../src/domain/company/facts.ts";
import { AssetClass } from "../src/domain/market/market.ts";
import { FlowCoverage } from "../src/domain/options-flow/flow.ts";
import { formatCompany } from "../src/features/company/company.text.ts";
import { readCompanyFacts } from "../src/features/company/company-facts.ts";
import { defineTool } from "../src/kernel/tool.ts";

const DEFAULT_LIMIT = { concise: 1, full: 4 } as const;
/** Maximum number of periods with detail concise. */
const MAX_CONCISE_LIMIT = 2;

/** Returns the profile, statements and ratios of a company from its filings. */
export const getCompanyFacts = defineTool({
  name: "get_company_facts",
  title: "Get company facts",
  description:
    "Returns the fundamentals of one US company from its SEC filings: profile, quarterly or annual income statement, balance sheet and cash flow with tag and filing of each figure, and ratios (P/E, margins, return on equity, growth) with their definitions, also as filed by a past date. Use it for a company's figures and valuation. Beats and misses are in get_earnings.",
  topics: [
    "fundamentals",
    "p/e",
    "pe ratio",
    "valuation",
    "profit margin",
    "return on equity",
    "balance sheet",
    "cash flow",
    "income statement",
    "revenue growth",
    "price to book",
    "price to sales",
    "10-k",
    "company profile",
  ],
  toolset: "fundamentals",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/company/:symbol",
  cli: { command: "company" },
  needs: ["symbols", "company", "bars", "clock", "market"],
  input: z.object({
    symbol: StockText,
    period: z.enum(["quarterly", "annual"]).default("quarterly").describe("Length of the periods"),
    limit: intBetween(1, 20)
      .optional()
      .describe(
        `Periods, newest first. Default: ${DEFAULT_LIMIT.full}. With detail concise: ${DEFAULT_LIMIT.concise}, at most ${MAX_CONCISE_LIMIT}.`,
      ),
    as_of: AsOf.optional(),
    detail: Detail,
  }),
  output: z.object({
    ok: Success,
    symbol: z.string(),
    asset_class: AssetClass,
    coverage: FlowCoverage,
    profile: CompanyProfile.nullable(),
    as_of: Iso.describe("Filings after this time are not used"),
    period: z.enum(["quarterly", "annual"]),
    statements: z.array(Statement).describe("Newest first, each figure as last filed"),
    filings: z.array(Filing).describe("Filings that the figures come from, newest first"),
    ratios: z
      .array(RatioRow)
      .describe("From the newest quarters and `price`; percent where the definition has 100 x"),
    ratios_of: z.iso.date().nullable().describe("End of the newest quarter"),
    price: RatioPrice.nullable().describe("Last daily close, adjusted for splits"),
    price_reason: z.string().nullable(),
    provenance: z
      .object({
        provider: z.string(),
        fetched_at: Iso,
        stale: z.boolean().describe("true: no provider responds now, these are the last known filings"),
      })
      .nullable(),
    outside_text: outsideTextNotice(COMPANY_OUTSIDE_TEXT),
    alternatives: Alternatives,
    notes: z.array(z.string()),
    market: MarketMode,
  }),
  examples: [
    { ask: "Apple's latest quarter: revenue, margins and P/E", input: { symbol: "AAPL", limit: 1 } },
    {
      ask: "Microsoft's annual statements as filed by the end of 2025",
      input: { symbol: "MSFT", period: "annual", limit: 2, as_of: "2025-12-31" },
    },
  ],
  terminal: formatCompany,

  async handler({ symbol, period, limit, as_of, detail = "full" }, ctx) {
    const resolution = ctx.symbols.resolve(symbol);
    const { instrument, alternatives } = resolution;
    const most = detail === "concise" ? MAX_CONCISE_LIMIT : 20;
    const request = { period, limit: Math.min(limit ?? DEFAULT_LIMIT[detail], most), as_of };
    const view = await readCompanyFacts(resolution, { ...request, signal: ctx.signal }, ctx);
    return {
      symbol: instrument.symbol,
      asset_class: instrument.asset_class,
      ...view,
      ratios: detail === "full" ? view.ratios : view.ratios.map(({ definition: _, ...ratio }) => ratio),
      period,
      alternatives: alternatives.map(named),
      market: ctx.market.mode,
    };
  },
});
