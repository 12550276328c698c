import { z } from "zod";
import { BUY_AT, predictionNewsDecision } from "../src/analytics/decisions/prediction-news.ts";
import { PassRequest, passAnswer } from "../src/domain/agents/agent-pass.ts";
import { Iso } from "../src/domain/answers.ts";
import { Percent, Price, Score } from "../src/domain/figures.ts";
import { TimeframeText } from "../src/domain/market/bars.ts";
import { formatPass } from "../src/features/agents/pass.text.ts";
import type { SymbolAnalysis } from "../src/features/agents/pass.ts";
import { runPass, toAnalysisOutcomes } from "../src/features/agents/pass-run.ts";
import { defineAgent } from "../src/kernel/agent.ts";
import type { OutputOf } from "../src/kernel/tool.ts";
import { getEnhancedSignal } from "../tools/get-enhanced-signal.ts";
import { PASS_TOOLS, passActions } from "./pass-actions.ts";

const provenanceFields = {
  reason: z.string().nullable().describe("Why the value is unknown; otherwise null"),
  source: z.string().nullable(),
  as_of: Iso.nullable().describe("Time of its newest data"),
  stale: z.boolean().describe("true: last known response, treated as unknown"),
};
const Figures = z.object({
  technical: z.object({ score: Score.nullable().describe("0-100, 50 neutral"), ...provenanceFields }),
  markets: z.object({
    market_probability: z
      .number()
      .nullable()
      .describe("Probability by prediction markets of reaching the level, percent"),
    level: Price.nullable().describe("US dollars"),
    by: Iso.nullable(),
    ...provenanceFields,
  }),
  news: z.object({
    positive_publishers: z
      .number()
      .nullable()
      .describe("Number of publishers that were first with a bullish story in the last 7 days"),
    ...provenanceFields,
  }),
  conditions: z
    .array(
      z.object({
        condition: z.enum(["technical", "markets", "publishers"]),
        passed: z.boolean(),
        value: Percent.nullable(),
        needed: z.number().describe("Minimum value that passes"),
      }),
    )
    .describe(
      "Conditions of a purchase; all three are required. A position is sold when the technical score or the probability is known and below 50.",
    ),
});
type Figures = z.infer<typeof Figures>;
type EnhancedAnswer = OutputOf<typeof getEnhancedSignal>;
type EnhancedPart = EnhancedAnswer["technical"] | EnhancedAnswer["markets"] | EnhancedAnswer["news"];

/**
 * Runs one pass of the prediction and news agent: buys where chart, prediction markets and news agree, and
 * sells where chart or markets turn.
 */
export const runPredictionNewsAgent = defineAgent({
  name: "run_prediction_news_agent",
  title: "Run prediction and news agent",
  description: `Runs one pass of the prediction and news agent over 1-20 tickers: buys where the technical score is ${BUY_AT.technical} or more, prediction markets ${BUY_AT.markets} % or more and ${BUY_AT.publishers} publishers have bullish news. Use it for automated trading on news plus odds. Default: a dry run; with dry_run false it places orders on paper, live ones as tickets. run_edge_agent trades mispricing.`,
  topics: [
    "prediction news agent",
    "prediction-plus-news agent",
    "news and odds bot",
    "headline bot",
    "bullish publishers",
  ],
  uses: [getEnhancedSignal, ...PASS_TOOLS],
  route: "POST /api/v1/agents/prediction-news",
  cli: { command: "prediction-news", positionals: ["symbols"] },
  schedulable: "prediction_news",
  deadlineMs: 180_000,
  input: z.object({
    ...PassRequest,
    timeframe: TimeframeText.default("1d").describe("Timeframe of the technical score"),
  }),
  output: passAnswer(Figures),
  examples: [
    {
      ask: "Would the prediction and news agent buy Nvidia, and what is missing?",
      input: { symbols: ["NVDA"] },
    },
  ],
  terminal: formatPass,

  async run({ timeframe, ...request }, steps) {
    const outcomes = await steps.each(
      getEnhancedSignal,
      request.symbols.map((symbol) => ({ symbol, timeframe })),
    );
    const result = await runPass(
      { ...request, agent: "prediction_news", timeframe },
      toAnalysisOutcomes(request.symbols, outcomes, analyze),
      passActions(steps),
    );
    return { agent: "prediction_news", ...result, market: steps.market };
  },
});

function analyze(answer: EnhancedAnswer): SymbolAnalysis<Figures> {
  const { technical, markets, news, symbol, asset_class, alternatives } = answer;
  const currentValue = (value: number | null, { stale, reason, as_of }: EnhancedPart) =>
    stale ? { value: null, reason: `last known ${value ?? "nothing"}, of ${as_of}` } : { value, reason };
  const chart = currentValue(technical.score, technical);
  const odds = currentValue(markets.market_probability, markets);
  const press = currentValue(news.positive_publishers, news);
  const values = {
    technical: chart.value,
    technicalReason: chart.reason,
    markets: odds.value,
    marketsReason: odds.reason,
    publishers: press.value,
    publishersReason: press.reason,
  };
  const provenance = ({ reason, source, as_of, stale }: EnhancedPart) => ({ reason, source, as_of, stale });
  const { conditions } = predictionNewsDecision({ ...values, holds: false });
  return {
    symbol,
    asset_class,
    others: alternatives,
    figures: {
      technical: { score: technical.score, ...provenance(technical) },
      markets: {
        market_probability: markets.market_probability,
        level: markets.level,
        by: markets.by,
        ...provenance(markets),
      },
      news: { positive_publishers: news.positive_publishers, ...provenance(news) },
      conditions: conditions.map(({ text: _, ...rest }) => rest),
    },
    decide: (holds) => predictionNewsDecision({ ...values, holds }),
  };
}
