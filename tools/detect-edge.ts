import { z } from "zod";
import {
  Alternatives,
  AsOf,
  Iso,
  MarketMode,
  named,
  outsideTextNotice,
  Success,
  SymbolText,
} from "../src/domain/answers.ts";
import { Percent } from "../src/domain/figures.ts";
import { AssetClass } from "../src/domain/market/market.ts";
import {
  Actionability,
  EDGE_OUTSIDE_TEXT,
  EdgeBands,
  EdgeMarket,
  EdgeNews,
  EdgeTrack,
  EdgeType,
} from "../src/domain/prediction-markets/edge.ts";
import { formatEdge } from "../src/features/prediction-markets/edge.text.ts";
import { edgeBands, edgeMarket, edgeNews } from "../src/features/prediction-markets/edge-answer.ts";
import {
  formatReasoning,
  formatRecommendation,
  missingReason,
} from "../src/features/prediction-markets/edge-reasoning.ts";
import { readBothSides } from "../src/features/prediction-markets/edge-sides.ts";
import { edgeTrack } from "../src/features/prediction-markets/edge-track.ts";
import { parsePastTime } from "../src/features/signal/past-time.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { rounded } from "../src/lib/rounded.ts";

const FullPercent = Percent.min(0).max(100).nullable();

/** Compares news with prediction markets on one instrument and returns the inputs of both sides. */
export const detectEdge = defineTool({
  name: "detect_edge",
  title: "Detect edge",
  description:
    "Compares the betting odds of the crowd on prediction markets (Polymarket, Kalshi) with the tone of the news on one US stock, ETF or crypto pair: UNDERPRICED, OVERPRICED or FAIR, with both probabilities, the gap, actionability and reasoning. Use it for mispricing, odds out of line with the press, or where bettors and headlines disagree. One verdict is in get_enhanced_signal.",
  topics: [
    "edge",
    "mispricing",
    "underpriced",
    "overpriced odds",
    "odds versus news",
    "bettors versus headlines",
    "actionability",
    "market probability",
    "news-odds divergence",
  ],
  toolset: "prediction",
  plan: "pro",
  effect: "read",
  route: "GET /api/edge-detection",
  http: { names: { symbol: "sym" } },
  cli: { command: "edge" },
  needs: ["symbols", "contracts", "contractHistory", "bars", "quotes", "news", "cache", "clock", "market"],
  input: z.strictObject({ symbol: SymbolText, as_of: AsOf.optional() }),
  output: z.object({
    ok: Success,
    symbol: z.string(),
    asset_class: AssetClass,
    type: EdgeType.nullable().describe(
      "UNDERPRICED: markets give a lower probability than news; null with null_reason",
    ),
    score: z
      .number()
      .min(0)
      .max(100)
      .nullable()
      .describe("0 if FAIR; net of half the spread and 3 points of costs"),
    actionability: Actionability.describe(
      "By bands; NONE if FAIR or if there is no verdict. reasoning says what caps it",
    ),
    bands: EdgeBands,
    marketProbability: FullPercent.describe(
      "Probability of markets.question at liquid real-money venues, percent",
    ),
    newsSentiment: FullPercent.describe(
      "Probability of the same question by news, percent; markets.neutral_probability if news is neutral",
    ),
    divergence: Percent.nullable().describe("newsSentiment minus marketProbability, percentage points"),
    recommendation: z.string(),
    reasoning: z.array(z.string()).describe("Derivation of each figure, with the formula"),
    null_reason: z.string().nullable().describe("Why there is no verdict; otherwise null"),
    markets: EdgeMarket,
    news: EdgeNews,
    track: EdgeTrack,
    outside_text: outsideTextNotice(EDGE_OUTSIDE_TEXT),
    as_of: Iso.describe("No input is later than this time, except bands, which are constant"),
    market: MarketMode,
    alternatives: Alternatives,
  }),
  examples: [
    { ask: "Is there an edge between news and prediction markets on Apple?", input: { symbol: "AAPL" } },
    {
      ask: "Were the odds on bitcoin off at the end of June 2025?",
      input: { symbol: "BTC-USD", as_of: "2025-06-30" },
    },
  ],
  tasks: ["edge_detection"],
  terminal: (result, paint) => formatEdge(result, paint).join("\n"),

  async handler({ symbol, as_of }, ctx) {
    const { signal } = ctx;
    const now = ctx.clock.now();
    const at = as_of === undefined ? now.getTime() : parsePastTime(as_of, now);
    const asOf = at < now.getTime() ? at : undefined;
    const { instrument, alternatives } = ctx.symbols.resolve(symbol);
    if (asOf === undefined) ctx.contractHistory.requestSnapshot(instrument);
    const [sides, track] = await Promise.all([
      readBothSides(instrument, { now: at, asOf, signal }, ctx),
      edgeTrack(instrument, { at }, ctx),
    ]);
    const missing = missingReason(sides);
    const { edge, marketProbability, newsSentiment } = sides;
    return {
      symbol: instrument.symbol,
      asset_class: instrument.asset_class,
      type: edge?.type ?? null,
      score: edge === null ? null : rounded(edge.score, 1),
      actionability: edge?.actionability ?? ("NONE" as const),
      bands: edgeBands(ctx.market.id),
      marketProbability,
      newsSentiment,
      divergence: edge === null ? null : rounded(edge.divergence, 2),
      recommendation: formatRecommendation(sides, missing),
      reasoning: formatReasoning(sides),
      null_reason: missing,
      markets: edgeMarket(sides),
      news: edgeNews(sides),
      track,
      as_of: new Date(at).toISOString(),
      market: ctx.market.mode,
      alternatives: alternatives.map(named),
    };
  },
});
