import { z } from "zod";
import {
  Alternatives,
  AsOf,
  Figure,
  Iso,
  intBetween,
  MarketMode,
  named,
  StockText,
  Success,
} from "../src/domain/answers.ts";
import { AssetClass } from "../src/domain/market/market.ts";
import { FlowCoverage } from "../src/domain/options-flow/flow.ts";
import { ShortInterestRow } from "../src/domain/short-interest/short-interest.ts";
import { readShortInterest } from "../src/features/short-interest/read-short-interest.ts";
import { formatShortInterest } from "../src/features/short-interest/short-interest.text.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Returns the short interest of one stock or fund. */
export const getShortInterest = defineTool({
  name: "get_short_interest",
  title: "Get short interest",
  description:
    "Returns the short interest of one US stock or fund as FINRA publishes it twice a month: shares short, change since the last time, days to cover, and percent of the company. Use it for how heavily a stock is shorted, now or as known on an earlier day. Dark pools are in get_darkpool_prints.",
  topics: [
    "short interest",
    "shares short",
    "days to cover",
    "heavily shorted",
    "short squeeze",
    "percent shorted",
    "short ratio",
    "shares sold short",
  ],
  toolset: "flow",
  plan: "individual",
  effect: "read",
  route: "GET /api/v1/short-interest/:symbol",
  cli: { command: "short-interest" },
  needs: ["symbols", "shortInterest", "company", "clock", "market"],
  input: z.object({
    symbol: StockText,
    limit: intBetween(1, 24).default(6).describe("Reports, newest first"),
    as_of: AsOf.optional(),
  }),
  output: z.object({
    ok: Success,
    symbol: z.string(),
    asset_class: AssetClass,
    coverage: FlowCoverage,
    as_of: Iso.describe("Reports published after this time are not used"),
    reports: z
      .array(ShortInterestRow)
      .describe(
        "Newest first. published: scheduled day, in the evening. change_percent: since the report before, null after a split. days_to_cover: shares_short / average_volume. average_volume: shares a day since the report before.",
      ),
    percent_of_company: Figure.describe(
      "100 x shares_short of the newest report / shares of the company, see percent_basis",
    ),
    percent_basis: z.string().describe("Number of shares in percent_of_company, or why it is null"),
    provenance: z.object({ provider: z.string(), fetched_at: Iso, stale: z.boolean() }).nullable(),
    notes: z.array(z.string()),
    alternatives: Alternatives,
    market: MarketMode,
  }),
  examples: [
    { ask: "What is the short interest of Tesla?", input: { symbol: "TSLA" } },
    {
      ask: "Short interest of Apple known by the end of 2025",
      input: { symbol: "AAPL", as_of: "2025-12-31" },
    },
  ],
  terminal: formatShortInterest,

  async handler({ symbol, ...request }, ctx) {
    const { instrument, alternatives } = ctx.symbols.resolve(symbol);
    return {
      symbol: instrument.symbol,
      asset_class: instrument.asset_class,
      ...(await readShortInterest(instrument, { ...request, signal: ctx.signal }, ctx)),
      alternatives: alternatives.map(named),
      market: ctx.market.mode,
    };
  },
});
