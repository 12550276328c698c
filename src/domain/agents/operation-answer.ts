import { z } from "zod";
import { Iso, MarketMode, StaleNotes } from "../answers.ts";
import { Percent, Price, Score } from "../figures.ts";
import { Timeframe } from "../market/bars.ts";
import { PriceSource } from "../market/market.ts";
import { NewsRow, Sentiment } from "../news/news.ts";
import { ScanError } from "../nightly/scan.ts";
import { outsideText } from "../outside-text.ts";
import { ContractRow } from "../prediction-markets/contracts.ts";
import { Actionability, EdgeType } from "../prediction-markets/edge.ts";
import { Direction, Grade, Tier, TradeLevels } from "../signal/signal.ts";

/** Notice on text written by publishers and venues. */
export const OPERATION_OUTSIDE_TEXT = outsideText("title, publisher, question, outcome and url");

/** Summary of a signal: verdict, levels and price. */
export const SignalLine = z.object({
  direction: Direction,
  tier: Tier,
  score: Score.nullable().describe("0-100, 50 neutral; null with null_reason"),
  grade: Grade.nullable(),
  null_reason: z.string().nullable().describe("Why there is no score and no grade"),
  ...TradeLevels,
  price: Price.nullable(),
  price_source: z
    .enum([...PriceSource.options, "decision_bar"])
    .nullable()
    .describe("decision_bar: close of the decision bar, not a live price; null without a price"),
  reasons: z.array(z.string()).optional().describe("The strongest drivers, with detail full"),
});

const StoryLine = NewsRow.pick({ title: true, publisher: true, published_at: true, url: true }).extend({
  sentiment: Sentiment.shape.label,
  tone: Sentiment.shape.tone,
  relevance: NewsRow.shape.relevance,
});

const ContractLine = ContractRow.pick({
  venue: true,
  question: true,
  outcome: true,
  probability: true,
  probability_basis: true,
  volume_total: true,
  volume_unit: true,
  close_time: true,
  url: true,
}).extend({
  probability_unit: z
    .literal("0-1")
    .describe("Unit of probability, as priced by venues: a fraction from 0 to 1"),
});

const FullPercent = Percent.min(0).max(100).nullable();
const EdgeLine = z.object({
  type: EdgeType.nullable().describe("null with null_reason"),
  score: Score.nullable().describe("0-100 net of costs, 0 at FAIR"),
  actionability: Actionability,
  market_probability: FullPercent.describe("Probability of the question at the venues, percent"),
  news_probability: FullPercent.describe("Probability of the question according to news, percent"),
  probability_unit: z
    .literal("percent")
    .describe("Unit of both probabilities; divergence is in percentage points"),
  divergence: Percent.nullable().describe("news_probability minus market_probability, percentage points"),
  question: z.string().nullable().describe("Outside text: the question that both probabilities refer to"),
  by: Iso.nullable().describe("When the question is resolved"),
  null_reason: z.string().nullable().describe("Why there is no verdict"),
});

/** One result of any operation: instrument, provider, time, and the one block for its kind. */
export const OperationRow = z.object({
  symbol: z.string().nullable().describe("null: not about a single instrument"),
  source: z.string().nullable().describe("Provider of the figures; `sample` is simulated"),
  as_of: Iso.describe("No figure of the row is later"),
  signal: SignalLine.optional().describe("For signal, batch and top"),
  story: StoryLine.optional().describe("For news"),
  contract: ContractLine.optional().describe("For markets"),
  edge: EdgeLine.optional().describe("For edge"),
});
export type OperationRow = z.infer<typeof OperationRow>;

/** Output shared by all operations; `results` holds the fields of the operation's kind. */
export const operationAnswer = <const Names extends readonly [string, ...string[]]>(operations: Names) =>
  z.object({
    ok: z.literal(true),
    operation: z.enum(operations),
    symbol: z.string().nullable().describe("Canonical form of the requested symbol"),
    symbols: z
      .array(z.string())
      .describe("Canonical symbols of the results; a symbol without a result as requested"),
    timeframe: Timeframe.nullable().describe("Bar length of the signals; null without signals"),
    count: z.number().int().describe("Results returned"),
    results: z.array(OperationRow),
    errors: z.array(ScanError).describe("Symbols without a result, and why"),
    summary: z.string().describe("One-sentence summary written from the figures"),
    notes: z.array(z.string()).describe("Caveats for using the result"),
    stale_notes: StaleNotes,
    outside_text: z
      .literal(OPERATION_OUTSIDE_TEXT)
      .optional()
      .describe("How to treat text written by others"),
    provenance: z.object({
      tools: z.array(z.string()).describe("Tools that supplied the result"),
      sources: z.array(z.string()).describe("Providers of the figures, each once"),
      runs: z
        .array(z.object({ run_id: z.string(), universe: z.string(), run_at: Iso.nullable() }))
        .describe("Nightly runs read"),
    }),
    as_of: Iso.nullable().describe("No figure is later; null without figures"),
    market: MarketMode,
  });
export type OperationAnswer = z.infer<ReturnType<typeof operationAnswer>>;
