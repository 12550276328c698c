import { z } from "zod";
import { ComputedPrice, IndicatorFigure, Percent, Price, Ratio, Score } from "../figures.ts";
import { ElliottBlock, WyckoffBlock } from "./structure.ts";

const Moment = z.string().describe("Bar start: date, or ISO 8601 UTC");

/** One candle or chart pattern of the last bars. */
export const PatternRow = z.object({
  id: z.string(),
  name: z.string(),
  direction: z.enum(["bullish", "bearish", "neutral"]),
  definition: z.string().describe("Criteria; A is the 14-bar average true range"),
  source: z.string().describe("Author of the definition"),
  from: Moment.describe("First bar of the pattern"),
  confirmed_at: Moment.describe("Bar at whose close the pattern was complete"),
  level: ComputedPrice.nullable().describe(
    "Price whose crossing confirmed it; null for candlestick patterns",
  ),
  void_price: ComputedPrice.nullable().describe(
    "A close beyond it invalidates the pattern; null without direction",
  ),
  status: z.enum(["valid", "void"]),
  void_at: Moment.nullable().describe("Bar that closed beyond void_price"),
});
export type PatternRow = z.infer<typeof PatternRow>;

/** The technical figures of an analysis; `reasons` gives the reason for each null. */
export const Technicals = z.object({
  rsi: Score.nullable().describe("RSI, 14 bars, Wilder"),
  macd_cross: z
    .enum(["bullish", "bearish", "none"])
    .nullable()
    .describe("Side of the MACD (12, 26, 9) relative to its signal line; none: equal"),
  macd_cross_at: Moment.nullable().describe("Bar of the latest crossing"),
  stage: z.number().int().nullable().describe("Weinstein: 1 basing, 2 advancing, 3 topping, 4 declining"),
  above_30wma: z.boolean().nullable().describe("true: the close is above the 30-week average"),
  average_30w: ComputedPrice.nullable().describe("Mean close of the 30 completed weeks before the bar's own"),
  distance_30w_percent: Percent.nullable().describe("Distance of the close from that average, percent"),
  atr: ComputedPrice.nullable().describe("Average true range, 14 bars, in USD"),
  atr_percent: Percent.nullable().describe("Average true range in percent of the close"),
  volatility_percentile: Percent.nullable().describe(
    "0-100: rank of atr_percent among the last 252 bars, 365 for crypto",
  ),
  year_low: Price.nullable().describe("Lowest low of a year of daily bars"),
  year_high: Price.nullable(),
  year_position: Percent.nullable().describe("0 at that low, 100 at that high"),
  volume_ratio: Ratio.nullable().describe("Volume of the last bar over the mean of the 50 before"),
  indicators: z
    .record(z.string(), IndicatorFigure.nullable())
    .describe("Every other indicator by its name in backtest rules, default parameters; null in its warm-up"),
  reasons: z.record(z.string(), z.string()).describe("Reason for each null figure, by field name"),
});
export type Technicals = z.infer<typeof Technicals>;

export const Analysis = z.object({
  summary: z.string(),
  patterns: z.array(z.string()).describe("Names of the valid patterns of the last 5 bars"),
  sentiment: z.string().describe("Names its basis; without news it says so"),
  catalysts: z.array(z.string()).describe("Known dated events; catalysts_reason explains an empty list"),
  catalysts_reason: z.string().nullable(),
  risks: z.array(z.string()).describe("Each with its figures"),
  technicals: Technicals,
  pattern_details: z.array(PatternRow),
  wyckoff: WyckoffBlock,
  elliott: ElliottBlock,
});
export type Analysis = z.infer<typeof Analysis>;
