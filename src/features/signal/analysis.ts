import { definitionOf } from "../../analytics/patterns/definitions.ts";
import { type PatternFound, RECENT_BARS, readPatterns } from "../../analytics/patterns/patterns.ts";
import type { EventRisk } from "../../domain/earnings/calendar.ts";
import type { Bars } from "../../domain/market/bars.ts";
import { barLabel } from "../../domain/market/bars.ts";
import { type Analysis, type PatternRow, Technicals } from "../../domain/signal/analysis.ts";
import { formatGrade } from "../../domain/signal/grade.text.ts";
import { formatScore } from "../../domain/signal/score.text.ts";
import { formatPrice } from "../../lib/format-price.ts";
import { formatUpcomingEarnings } from "../earnings/event-risk.text.ts";
import type { Catalysts } from "./catalysts.ts";
import type { PricedPicture } from "./price.ts";
import { formatStage, risksOf } from "./risks.ts";
import { technicalsOf } from "./technicals.ts";

/**
 * Returns the patterns, sentiment, risks and technical figures of a picture. Apart from the current price, it uses
 * nothing later than the decision bar.
 */
export function analysisOf(picture: PricedPicture, catalysts: Catalysts, eventRisk: EventRisk): Analysis {
  const { series, resolution } = picture;
  const { bars } = series;
  // as the answer shows them, so that sentences and texts print the same figures
  const technicals = Technicals.parse(technicalsOf(bars, resolution.instrument.asset_class));
  const details = readPatterns(bars).map((found) => rowOf(found, bars));
  const validNames = details.filter(({ status }) => status === "valid").map(({ name }) => name);
  const patterns = [...new Set(validNames)];
  const dated = [...catalysts.lines, ...formatUpcomingEarnings(eventRisk)];
  return {
    summary: summaryOf(picture, technicals, patterns),
    patterns,
    sentiment: sentimentOf(picture),
    catalysts: dated,
    catalysts_reason: dated.length === 0 ? catalysts.reason : null,
    risks: risksOf(picture, technicals, details),
    technicals,
    pattern_details: details,
    ...picture.structure,
  };
}

function rowOf({ id, from, confirmedAt, level, voidPrice, voidAt }: PatternFound, bars: Bars): PatternRow {
  const { name, direction, definition, source } = definitionOf(id);
  return {
    id,
    name,
    direction,
    definition,
    source,
    from: barLabel(bars.time[from]!, bars.timeframe),
    confirmed_at: barLabel(bars.time[confirmedAt]!, bars.timeframe),
    level,
    void_price: voidPrice,
    status: voidAt === null ? "valid" : "void",
    void_at: voidAt === null ? null : barLabel(bars.time[voidAt]!, bars.timeframe),
  };
}

/**
 * Describes sentiment: bullish or bearish if the signed score is at least 0.25 from zero, plus news sentiment if
 * available.
 */
function sentimentOf({ consensus }: PricedPicture): string {
  const { s, score, reason } = consensus;
  const technical =
    s === null || score === null
      ? `technical: unavailable (${reason})`
      : `technical: ${s >= 0.25 ? "bullish" : s <= -0.25 ? "bearish" : "neutral"} (score ${formatScore(score)} of 100)`;
  const news = consensus.drivers.find(({ id }) => id === "n_sent");
  return news === undefined || news.value === null
    ? `${technical}; news is not included (${news?.reason ?? "no news was read"})`
    : `${technical}; news: ${news.value.toFixed(2)} on a scale of -1 to 1`;
}

function summaryOf(
  { consensus, resolution, timeframe, series, decidedAt }: PricedPicture,
  technicals: Technicals,
  patterns: readonly string[],
): string {
  const { direction, score, reason, levels, close } = consensus;
  const { rsi, macd_cross, stage, average_30w, distance_30w_percent } = technicals;
  const verdict =
    score === null ? "no score" : `${formatGrade(consensus)}, score ${formatScore(score)} of 100`;
  const why = reason === null ? "" : ` ${reason}.`;
  const average =
    average_30w === null || distance_30w_percent === null
      ? `The close is ${formatPrice(close)}; there is no 30-week average yet`
      : `The close ${formatPrice(close)} is ${Math.abs(distance_30w_percent).toFixed(1)}% ${close >= average_30w ? "above" : "below"} its 30-week average ${formatPrice(average_30w)}`;
  const momentum = [
    ...(stage === null ? [] : [`Weinstein ${formatStage(stage)}`]),
    ...(rsi === null ? [] : [`RSI ${rsi.toFixed(1)}`]),
    ...(macd_cross === null ? [] : [`MACD ${macd_cross}`]),
  ];
  const found =
    patterns.length === 0
      ? `No valid pattern was completed in the last ${RECENT_BARS} bars`
      : `Patterns of the last ${RECENT_BARS} bars: ${patterns.join(", ")}`;
  const plan = `${levels.side} ${consensus.levels_basis === "watch" ? "levels for watching only" : "plan"}: stop ${formatPrice(levels.stop)}, first target ${formatPrice(levels.targets[0]!)}`;
  return `${resolution.instrument.symbol}: ${direction}, ${verdict}, on ${series.bars.close.length} ${timeframe} bars to ${decidedAt}.${why} ${[average, ...momentum].join("; ")}. ${found}. ${plan}.`;
}
