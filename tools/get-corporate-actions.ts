import { z } from "zod";
import { Iso, MarketMode, Success, SymbolText, timeRange } from "../src/domain/answers.ts";
import { DividendRow, SplitRow } from "../src/domain/market/actions-answer.ts";
import { AssetClass } from "../src/domain/market/market.ts";
import { BarsProvenance, ProvenanceDetail, provenanceOf } from "../src/domain/market/provenance.ts";
import { formatCorporateActions } from "../src/features/signal/corporate-actions.text.ts";
import { readCorporateActions } from "../src/features/signal/corporate-actions.ts";
import { defineTool } from "../src/kernel/tool.ts";

const times = timeRange("ex-date or split, at most ten years ago");

/** Returns the splits and cash dividends of one stock or fund. */
export const getCorporateActions = defineTool({
  name: "get_corporate_actions",
  title: "Get corporate actions",
  description:
    "Returns the corporate actions of one stock or fund: stock splits and reverse splits with their ratio, and cash dividends with ex-date and amount per share, over up to ten years. Use it for dividend history, dividend dates, or when shares were split. Earnings reports are in get_earnings, bars in get_history.",
  topics: [
    "dividend",
    "dividend history",
    "dividend per share",
    "stock split",
    "reverse split",
    "split history",
    "split ratio",
    "corporate actions",
  ],
  toolset: "fundamentals",
  plan: "individual",
  effect: "read",
  route: "GET /api/v1/corporate-actions/:symbol",
  cli: { command: "actions" },
  needs: ["symbols", "bars", "clock", "market", "answers"],
  input: z.object({
    symbol: SymbolText,
    years: z
      .number()
      .int()
      .min(1)
      .max(10)
      .optional()
      .describe("Number of years back, at most 10. Default: 2. Alternative to from."),
    from: times.from,
    to: times.to,
    provenance: ProvenanceDetail,
  }),
  output: z.object({
    ok: Success,
    symbol: z.string(),
    asset_class: AssetClass,
    from: z.iso.date().nullable().describe("First day covered; null without bars"),
    as_of: Iso.nullable().describe("Close up to which they are known"),
    splits: z.array(SplitRow).nullable().describe("Newest first; null if not known"),
    dividends: z.array(DividendRow).nullable().describe("Newest first; null if not known"),
    notes: z.array(z.string()).describe("What is missing, and why"),
    source: z.string(),
    provenance: BarsProvenance,
    market: MarketMode,
  }),
  examples: [
    { ask: "Which dividends did Apple pay?", input: { symbol: "AAPL" } },
    { ask: "Has Nvidia split its shares within five years?", input: { symbol: "NVDA", years: 5 } },
  ],
  terminal: formatCorporateActions,

  async handler({ symbol, provenance, ...request }, { symbols, bars, clock, market, signal }) {
    const { instrument } = symbols.resolve(symbol);
    const now = clock.now();
    const { series, from, splits, dividends, notes, understood } = await readCorporateActions(
      { instrument, ...request, now, signal },
      bars,
    );
    const {
      check: _,
      comparison: __,
      converted: ___,
      ...origin
    } = provenanceOf(
      series,
      {
        as_of: series.as_of ?? now.toISOString(),
        delay_minutes: null,
        adjustment: series.adjustment,
        now,
      },
      provenance,
    );
    return {
      symbol: instrument.symbol,
      asset_class: instrument.asset_class,
      from,
      as_of: series.as_of,
      splits,
      dividends,
      notes,
      source: series.source,
      provenance: origin,
      market: market.mode,
      ...understood,
    };
  },
});
