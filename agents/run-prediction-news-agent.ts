import { z } from "zod";
import { BUY_AT, predictionNewsDecision } from "../src/analytics/decisions/prediction-news.ts";
import { PassRequest, passAnswer } from "../src/domain/agents/agent-pass.ts";
import { Iso } from "../src/domain/answers.ts";
import { Timeframe } from "../src/domain/market/bars.ts";
import { formatPass } from "../src/features/agents/pass.text.ts";
import type { SymbolAnalysis } from "../src/features/agents/pass.ts";
import { runPass, toAnalysisOutcomes } from "../src/features/agents/pass-run.ts";
import { defineAgent } from "../src/kernel/agent.ts";
import type { OutputOf } from "../src/kernel/tool.ts";
import { getEnhancedSignal } from "../tools/get-enhanced-signal.ts";
import { PASS_TOOLS, passActions } from "./pass-actions.ts";

const provenanceFields = {
  reason: z.string().nullable().describe("Why it is not known; null where it is"),
  source: z.string().nullable(),
  as_of: Iso.nullable().describe("When the newest of what it read was so"),
  stale: z.boolean().describe("true: this is the last known answer, which counts as not known"),
};
const Figures = z.object({
  technical: z.object({ score: z.number().nullable().describe("0-100, 50 neutral"), ...provenanceFields }),
  markets: z.object({
    probability: z.number().nullable().describe("Percent that venues give the level"),
    level: z.number().nullable().describe("US dollars"),
    by: Iso.nullable(),
    ...provenanceFields,
  }),
  news: z.object({
    positive_publishers: z
      .number()
      .nullable()
      .describe("Different publishers first with a bullish story of the last 7 days"),
    ...provenanceFields,
  }),
  conditions: z
    .array(
      z.object({
        condition: z.enum(["technical", "markets", "publishers"]),
        passed: z.boolean(),
        value: z.number().nullable(),
        needed: z.number().describe("From this on it passes"),
      }),
    )
    .describe("Of a purchase: all three are needed"),
});
type Figures = z.infer<typeof Figures>;
type EnhancedAnswer = OutputOf<typeof getEnhancedSignal>;
type EnhancedPart = EnhancedAnswer["technical"] | EnhancedAnswer["markets"] | EnhancedAnswer["news"];

/** The prediction and news agent: one pass that buys where chart, odds and press agree, and sells where one of the first two turns. */
export const runPredictionNewsAgent = defineAgent({
  name: "run_prediction_news_agent",
  title: "Run prediction and news agent",
  description: `Runs one pass of the prediction and news agent over 1-20 tickers: buys where the technical score is ${BUY_AT.technical} or more, prediction markets ${BUY_AT.markets} % or more and ${BUY_AT.publishers} publishers have bullish news. Use it for automated trading on news and odds together. Default: a dry run; with dry_run false it places orders on paper, live ones as tickets. run_edge_agent trades the gaps.`,
  uses: [getEnhancedSignal, ...PASS_TOOLS],
  route: "POST /api/v1/agents/prediction-news",
  cli: { command: "prediction-news", positionals: ["symbols"] },
  schedulable: "prediction_news",
  deadlineMs: 180_000,
  input: z.object({ ...PassRequest, timeframe: Timeframe.default("1d").describe("Of the technical score") }),
  output: passAnswer(Figures),
  examples: [
    {
      ask: "Would the prediction and news agent buy Nvidia, and what is missing?",
      input: { symbols: ["NVDA"] },
    },
  ],
  terminal: formatPass,

  async run({ timeframe, ...asked }, steps) {
    const outcomes = await steps.each(
      getEnhancedSignal,
      asked.symbols.map((sym) => ({ sym, timeframe })),
    );
    const told = await runPass(
      { ...asked, agent: "prediction_news", timeframe },
      toAnalysisOutcomes(asked.symbols, outcomes, analyze),
      passActions(steps),
    );
    return { success: true as const, agent: "prediction_news", ...told, market: steps.market };
  },
});

function analyze(answer: EnhancedAnswer): SymbolAnalysis<Figures> {
  const { technical, markets, news, symbol, asset_class, alternatives } = answer;
  const now = (value: number | null, { stale, reason, as_of }: EnhancedPart) =>
    stale ? { value: null, reason: `last known ${value ?? "nothing"}, of ${as_of}` } : { value, reason };
  const chart = now(technical.score, technical);
  const odds = now(markets.probability, markets);
  const press = now(news.positive_publishers, news);
  const reading = {
    technical: chart.value,
    technicalReason: chart.reason,
    markets: odds.value,
    marketsReason: odds.reason,
    publishers: press.value,
    publishersReason: press.reason,
  };
  const of = ({ reason, source, as_of, stale }: EnhancedPart) => ({ reason, source, as_of, stale });
  const { conditions } = predictionNewsDecision({ ...reading, holds: false });
  return {
    symbol,
    asset_class,
    others: alternatives,
    figures: {
      technical: { score: technical.score, ...of(technical) },
      markets: {
        probability: markets.probability,
        level: markets.level,
        by: markets.by,
        ...of(markets),
      },
      news: { positive_publishers: news.positive_publishers, ...of(news) },
      conditions: conditions.map(({ text: _, ...rest }) => rest),
    },
    decide: (holds) => predictionNewsDecision({ ...reading, holds }),
  };
}
