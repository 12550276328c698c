import { z } from "zod";
import {
  Alternatives,
  Iso,
  MarketMode,
  named,
  outsideTextNotice,
  StockText,
  Success,
} from "../src/domain/answers.ts";
import { EarningsCard, REPORT_OUTSIDE_TEXT } from "../src/domain/earnings/earnings.ts";
import { AssetClass } from "../src/domain/market/market.ts";
import { formatEarnings } from "../src/features/earnings/earnings.text.ts";
import { readEarnings } from "../src/features/earnings/earnings.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Returns the newest quarterly report of one company, compared with expectations. */
export const getEarnings = defineTool({
  name: "get_earnings",
  title: "Get earnings signal",
  description:
    "Returns the quarterly earnings of one US stock, actual against expected: EPS and revenue beat or miss of the consensus estimates, surprise in percent, a score from STRONG_MISS to STRONG_BEAT, earlier quarters. Use it for the latest reported or published results, whether they were better or worse than the forecast that analysts expected. Dates to come are in get_calendar.",
  topics: [
    "eps surprise",
    "earnings surprise",
    "beat or miss",
    "beat earnings",
    "strong beat",
    "consensus estimates",
    "quarterly results",
    "company guidance",
    "adjusted ebitda",
    "segment results",
    "kpi deltas",
  ],
  toolset: "fundamentals",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/earnings",
  cli: { command: "earnings" },
  needs: ["symbols", "earnings", "bars", "clock", "market"],
  input: z.object({ symbol: StockText }),
  output: z.object({
    ok: Success,
    ...EarningsCard.shape,
    outside_text: outsideTextNotice(REPORT_OUTSIDE_TEXT),
    asset_class: AssetClass,
    missing: z
      .array(z.object({ field: z.string(), reason: z.string() }))
      .describe("Fields without a value, and why"),
    notes: z.array(z.string()).describe("Accounting notes"),
    provenance: z.object({
      as_of: Iso.nullable(),
      stale: z.boolean().describe("true: cached data, because no provider responds"),
      coverage: z.array(z.string()).describe("Missing data, and why"),
    }),
    alternatives: Alternatives,
    market: MarketMode,
  }),
  examples: [
    { ask: "Did Apple beat earnings?", input: { symbol: "AAPL" } },
    { ask: "How was Nvidia's last quarter?", input: { symbol: "NVDA" } },
  ],
  tasks: ["earnings"],
  terminal: formatEarnings,

  async handler({ symbol }, ctx) {
    const { instrument, alternatives } = ctx.symbols.resolve(symbol);
    const { card, missing, notes, answer } = await readEarnings(instrument, { signal: ctx.signal }, ctx);
    return {
      ...card,
      asset_class: instrument.asset_class,
      missing,
      notes,
      provenance: { as_of: answer.asOf, stale: answer.stale, coverage: [...answer.coverage] },
      alternatives: alternatives.map(named),
      market: ctx.market.mode,
    };
  },
});
