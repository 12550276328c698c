import { z } from "zod";
import {
  Alternatives,
  AsOf,
  Caveats,
  Iso,
  MarketMode,
  named,
  StaleNotes,
  Success,
  SymbolText,
} from "../src/domain/answers.ts";
import { Score } from "../src/domain/figures.ts";
import { Timeframe, TimeframeText } from "../src/domain/market/bars.ts";
import { AssetClass } from "../src/domain/market/market.ts";
import { AgreementRow, MarketsPart, NewsPart, TechnicalPart } from "../src/domain/signal/enhanced.ts";
import { Direction } from "../src/domain/signal/signal.ts";
import { readBothSides } from "../src/features/prediction-markets/edge-sides.ts";
import { barNotes } from "../src/features/signal/bar-notes.ts";
import { formatEnhanced, formatReasons, missingReason } from "../src/features/signal/enhanced.text.ts";
import { enhancedOf } from "../src/features/signal/enhanced-parts.ts";
import { servedSignal } from "../src/features/signal/logged.ts";
import { agedBars, staleBarNotes, withStaleNotes } from "../src/features/signal/notes.ts";
import { parsePastTime } from "../src/features/signal/past-time.ts";
import { PICTURE_PORTS, pictureOf } from "../src/features/signal/picture.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { rounded } from "../src/lib/rounded.ts";

/** Returns one score from technicals, prediction markets and news, and how far they agree. */
export const getEnhancedSignal = defineTool({
  name: "get_enhanced_signal",
  title: "Get enhanced signal",
  description:
    "Returns one composite signal and score of one US stock, ETF or crypto pair that merges technicals (chart, indicators), prediction-market odds (bettors) and news sentiment (headlines) into one verdict, 0-100, with weights, agreement and all three parts. Use it for one combined call from all sources, or whether technical view, odds and news agree. detect_edge compares only odds and news.",
  topics: [
    "enhanced signal",
    "composite signal",
    "combined signal",
    "blended score",
    "holistic signal",
    "technicals, odds and news",
  ],
  toolset: "prediction",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/enhanced-signal",
  http: { names: { symbol: "sym" } },
  cli: { command: "enhanced" },
  needs: [...PICTURE_PORTS, "quotes", "signalLog"],
  input: z.object({ symbol: SymbolText, timeframe: TimeframeText.default("1d"), as_of: AsOf.optional() }),
  output: z.object({
    ok: Success,
    symbol: z.string(),
    asset_class: AssetClass,
    timeframe: Timeframe.describe("Timeframe of the technical part"),
    direction: Direction.describe("LONG at a score of 62.5 or more, SHORT at 37.5 or less"),
    score: Score.min(0).max(100).nullable().describe("0-100, 50 neutral; null with null_reason"),
    null_reason: z.string().nullable(),
    agreement: AgreementRow.nullable().describe("null with fewer than two parts"),
    technical: TechnicalPart,
    markets: MarketsPart,
    news: NewsPart,
    reasons: z.array(z.string()),
    notes: Caveats,
    stale_notes: StaleNotes,
    as_of: Iso.describe("No input is later than this time: as_of, or else the time of the newest part"),
    market: MarketMode,
    alternatives: Alternatives,
  }),
  examples: [
    { ask: "Do technicals, prediction markets and news agree on Nvidia?", input: { symbol: "NVDA" } },
    { ask: "Combined 4-hour signal on bitcoin", input: { symbol: "BTC-USD", timeframe: "4h" } },
  ],
  terminal: (result, paint) => formatEnhanced(result, paint).join("\n"),

  async handler({ symbol, timeframe, as_of }, ctx) {
    const { signal } = ctx;
    const now = ctx.clock.now();
    const at = as_of === undefined ? now.getTime() : parsePastTime(as_of, now);
    const asOf = at < now.getTime() ? at : undefined;
    const picture = await pictureOf({ symbol, timeframe, as_of, signal }, ctx);
    const { instrument, alternatives } = picture.resolution;
    const sides = await readBothSides(instrument, { now: at, asOf, signal }, ctx);
    ctx.signalLog.record(servedSignal(picture));
    const enhanced = enhancedOf(picture, sides);
    const { composite, technical, markets, news } = enhanced;
    const { agreement, score } = composite;
    return {
      symbol: instrument.symbol,
      asset_class: instrument.asset_class,
      timeframe,
      direction: composite.direction,
      score: score === null ? null : rounded(score, 2),
      null_reason: score === null ? missingReason(enhanced) : null,
      agreement: agreement === null ? null : { ...agreement, share: rounded(agreement.share, 4) },
      technical,
      markets,
      news,
      reasons: formatReasons(enhanced),
      ...withStaleNotes(staleBarNotes(agedBars(picture)), barNotes(picture.series)),
      as_of: as_of === undefined ? latestOf(enhanced, at) : new Date(at).toISOString(),
      market: ctx.market.mode,
      alternatives: alternatives.map(named),
    };
  },
});

/** Returns the time of the newest part, ISO 8601; `at` (epoch ms) if no part has a time. */
function latestOf({ technical, markets, news }: ReturnType<typeof enhancedOf>, at: number): string {
  const times = [technical, markets, news].flatMap((part) =>
    part.as_of === null ? [] : Date.parse(part.as_of),
  );
  return new Date(times.length === 0 ? at : Math.max(...times)).toISOString();
}
