import { z } from "zod";
import { edgeDecision } from "../src/analytics/decisions/edge.ts";
import { PassRequest, passAnswer } from "../src/domain/agents/agent-pass.ts";
import { Iso } from "../src/domain/answers.ts";
import { Score } from "../src/domain/figures.ts";
import { Actionability, EdgeType } from "../src/domain/prediction-markets/edge.ts";
import { formatPass } from "../src/features/agents/pass.text.ts";
import type { SymbolAnalysis } from "../src/features/agents/pass.ts";
import { runPass, toAnalysisOutcomes } from "../src/features/agents/pass-run.ts";
import { staleAnswerReason } from "../src/features/agents/pass-stale.ts";
import { defineAgent } from "../src/kernel/agent.ts";
import type { OutputOf } from "../src/kernel/tool.ts";
import { detectEdge } from "../tools/detect-edge.ts";
import { PASS_TOOLS, passActions } from "./pass-actions.ts";

const percent = z.number().nullable();
const Figures = z.object({
  type: EdgeType.nullable().describe("null with null_reason"),
  actionability: Actionability,
  score: Score.nullable().describe("0-100, 0 if FAIR; net of half the spread and costs"),
  market_probability: percent.describe("Probability by prediction markets, percent"),
  news_probability: percent.describe("Probability by news, percent"),
  divergence: percent.describe("news_probability minus market_probability, percentage points"),
  null_reason: z.string().nullable().describe("Why there is no verdict"),
  market_source: z.string().nullable(),
  market_as_of: Iso.nullable(),
  news_source: z.string().nullable(),
  news_as_of: Iso.nullable(),
  stale: z.boolean().describe("true: a provider does not respond; its last known response is used"),
  as_of: Iso.describe("Time of the analysis; no later data was used"),
});
type Figures = z.infer<typeof Figures>;

/**
 * Runs one pass of the edge agent: buys what prediction markets price below the news, and sells what they price above
 * it.
 */
export const runEdgeAgent = defineAgent({
  name: "run_edge_agent",
  title: "Run edge detection agent",
  description:
    "Runs one pass of the edge detection agent (edge agent) over 1-20 tickers: buys what detect_edge calls UNDERPRICED, sells holdings it calls OVERPRICED: full size at HIGH actionability, half at MEDIUM (paper only). Use it to trade mispricing between news and prediction markets. Default: a dry run; with dry_run false it places orders on paper, live ones as tickets. The analysis alone is detect_edge.",
  topics: [
    "edge agent",
    "edge detection agent",
    "trade the mispricing",
    "buy underpriced",
    "sell overpriced",
  ],
  uses: [detectEdge, ...PASS_TOOLS],
  route: "POST /api/v1/agents/edge-detection",
  cli: { command: "edge-agent", positionals: ["symbols"] },
  schedulable: "edge_detection",
  deadlineMs: 180_000,
  input: z.object({
    ...PassRequest,
    symbols: PassRequest.symbols.describe(
      "1 to 20. It trades the stock or coin, never a prediction market contract.",
    ),
  }),
  output: passAnswer(Figures),
  examples: [
    { ask: "What would the edge agent do with Apple and bitcoin?", input: { symbols: ["AAPL", "BTC-USD"] } },
  ],
  terminal: formatPass,

  async run(request, steps) {
    const outcomes = await steps.each(
      detectEdge,
      request.symbols.map((symbol) => ({ symbol })),
    );
    const result = await runPass(
      { ...request, agent: "edge_detection", timeframe: "1d" },
      toAnalysisOutcomes(request.symbols, outcomes, analyze),
      passActions(steps),
    );
    return { agent: "edge_detection", ...result, market: steps.market };
  },
});

function analyze(answer: OutputOf<typeof detectEdge>): SymbolAnalysis<Figures> {
  const { symbol, asset_class, type, actionability, score, divergence, null_reason, as_of } = answer;
  const { marketProbability, newsSentiment, markets, news, alternatives } = answer;
  const edge = { type, actionability, marketProbability, newsSentiment, divergence };
  const sides = { market_probability: marketProbability, news_probability: newsSentiment, divergence };
  return {
    symbol,
    asset_class,
    others: alternatives,
    stale:
      staleAnswerReason("prediction markets", markets.stale) ??
      staleAnswerReason("news providers", news.stale),
    figures: {
      type,
      actionability,
      score,
      ...sides,
      null_reason,
      market_source: markets.source,
      market_as_of: markets.as_of,
      news_source: news.source,
      news_as_of: news.as_of,
      stale: markets.stale || news.stale,
      as_of,
    },
    decide: (holds) => edgeDecision({ ...edge, nullReason: null_reason, holds }),
  };
}
