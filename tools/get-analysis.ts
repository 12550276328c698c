import { z } from "zod";
import {
  Alternatives,
  AsOf,
  Caveats,
  Iso,
  named,
  StaleNotes,
  Success,
  SymbolText,
} from "../src/domain/answers.ts";
import { EventRisk } from "../src/domain/earnings/calendar.ts";
import { Score } from "../src/domain/figures.ts";
import { Timeframe, TimeframeText } from "../src/domain/market/bars.ts";
import { ProvenanceDetail } from "../src/domain/market/provenance.ts";
import { ChartedAnswerFields } from "../src/domain/pictured.ts";
import { Analysis } from "../src/domain/signal/analysis.ts";
import { Direction, Grade, PlanLevels } from "../src/domain/signal/signal.ts";
import { startEventRisk } from "../src/features/earnings/event-risk.ts";
import { formatAnalysis } from "../src/features/signal/analysis.text.ts";
import { analysisOf } from "../src/features/signal/analysis.ts";
import { barNotes } from "../src/features/signal/bar-notes.ts";
import { readCatalysts } from "../src/features/signal/catalysts.ts";
import { agedBars, lateBarNotes, staleBarNotes, withStaleNotes } from "../src/features/signal/notes.ts";
import { provenanceFields } from "../src/features/signal/origins.ts";
import { PICTURE_PORTS } from "../src/features/signal/picture.ts";
import { pricedPictureOf } from "../src/features/signal/price.ts";
import { planLevels } from "../src/features/signal/signal-block.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { viewBarsInput } from "../src/lib/view-bars.ts";

/**
 * Returns a technical analysis of one symbol in words and figures: patterns, sentiment, catalysts, risks and
 * technicals.
 */
export const getAnalysis = defineTool({
  name: "get_analysis",
  title: "Get technical analysis",
  description:
    "Writes a technical analysis of one US stock, ETF or crypto pair in words: trend, momentum, candlestick and chart patterns, Weinstein stage, levels, sentiment, catalysts and risks. Use it for a readable technical report, write-up, commentary or analyst note in full sentences. A verdict is in get_signal, an image in render_chart.",
  topics: [
    "technical analysis",
    "chart pattern",
    "candlestick pattern",
    "elliott wave",
    "fibonacci",
    "wyckoff",
    "wyckoff phase",
    "wyckoff spring",
    "utad",
    "last point of support",
    "weinstein stage",
    "which stage",
    "support and resistance",
    "52-week high",
  ],
  toolset: "signal",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/analysis",
  http: { names: { symbol: "sym" } },
  cli: { command: "analysis" },
  view: {
    name: "signal",
    calls: ["get_history"],
    firstCall: ({ symbol, timeframe, bars }) => ({
      name: "get_history",
      input: viewBarsInput({ symbol, timeframe, decidedAt: bars.as_of }),
    }),
  },
  needs: [...PICTURE_PORTS, "quotes", "earnings", "marketDays", "answers"],
  input: z.object({
    symbol: SymbolText,
    timeframe: TimeframeText.default("1d"),
    as_of: AsOf.optional(),
    provenance: ProvenanceDetail,
  }),
  output: z.object({
    ok: Success,
    symbol: z.string(),
    timeframe: Timeframe,
    analysis: Analysis,
    direction: Direction.describe("Same verdict as get_signal on the same bars"),
    score: Score.nullable().describe("0-100, 50 neutral"),
    grade: Grade.nullable(),
    levels: PlanLevels,
    event_risk: EventRisk,
    ...ChartedAnswerFields,
    data_as_of: Iso.describe("Time of the price, or close time of the decision bar without a price"),
    model_version: z.string(),
    notes: Caveats,
    stale_notes: StaleNotes,
    alternatives: Alternatives,
  }),
  examples: [
    { ask: "Analyse Apple: patterns, risks and technicals", input: { symbol: "AAPL" } },
    {
      ask: "Which patterns does bitcoin show on the 4-hour chart?",
      input: { symbol: "BTC-USD", timeframe: "4h" },
    },
  ],
  terminal: formatAnalysis,

  async handler({ symbol, timeframe, as_of, provenance }, ctx) {
    const ahead = startEventRisk({ symbol, as_of, signal: ctx.signal }, ctx);
    const picture = await pricedPictureOf({ symbol, timeframe, as_of, signal: ctx.signal }, ctx);
    const { resolution, consensus, price, decidedAt } = picture;
    const request = { at: Date.parse(decidedAt), signal: ctx.signal };
    const catalysts = await readCatalysts(resolution.instrument, request, ctx);
    const event_risk = await ahead(picture);
    const now = ctx.clock.now();
    return {
      symbol: resolution.instrument.symbol,
      timeframe,
      analysis: analysisOf(picture, catalysts, event_risk),
      direction: consensus.direction,
      score: consensus.score,
      grade: consensus.grade,
      levels: planLevels(consensus),
      event_risk,
      ...provenanceFields(picture, { market: ctx.market, now, detail: provenance }),
      data_as_of: price.as_of ?? decidedAt,
      model_version: consensus.model_version,
      ...withStaleNotes(staleBarNotes(agedBars(picture)), [
        ...lateBarNotes(picture, now),
        ...barNotes(picture.series),
      ]),
      alternatives: resolution.alternatives.map(named),
    };
  },
});
