import { z } from "zod";
import { chartAltText } from "../src/charts/chart.text.ts";
import { chartSvg } from "../src/charts/chart.ts";
import { priceText } from "../src/charts/figures.ts";
import { pngTask } from "../src/charts/png-task.ts";
import {
  Alternatives,
  AsOf,
  Caveats,
  Iso,
  intBetween,
  MarketMode,
  named,
  StaleNotes,
  Success,
  SymbolText,
} from "../src/domain/answers.ts";
import { Price, Score } from "../src/domain/figures.ts";
import { BarTimeframe, BarTimeframeText, barLabel, sliceBars } from "../src/domain/market/bars.ts";
import { AssetClass, SAMPLE_LABEL } from "../src/domain/market/market.ts";
import { Media } from "../src/domain/media.ts";
import { RangeBand, SignalOdds } from "../src/domain/odds/odds.ts";
import { formatGrade } from "../src/domain/signal/grade.text.ts";
import { formatScore } from "../src/domain/signal/score.text.ts";
import { Direction, Grade, PlanLevels } from "../src/domain/signal/signal.ts";
import { barNotes } from "../src/features/signal/bar-notes.ts";
import { readChartData } from "../src/features/signal/chart.ts";
import { splitNotes, staleBarNotes, withStaleNotes } from "../src/features/signal/notes.ts";
import { requestedTime } from "../src/features/signal/past-time.ts";
import { PICTURE_PORTS } from "../src/features/signal/picture.ts";
import { rangeTask } from "../src/features/signal/range-task.ts";
import { planLevels } from "../src/features/signal/signal-block.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Draws a candlestick chart of one symbol with moving averages and the levels of its signal, from closed bars only. */
export const renderChart = defineTool({
  name: "render_chart",
  title: "Render chart",
  description:
    "Draws a candlestick chart of one US stock, ETF or crypto pair as a picture (PNG): daily or hourly candles over months, volume, averages, levels, range ahead. Use it to plot or visualize price action, or for a graph or image to post. Bars as numbers are in get_history, the verdict in get_signal.",
  topics: [
    "price chart",
    "candlestick chart",
    "show the chart",
    "chart image",
    "plot",
    "graph",
    "png",
    "screenshot",
  ],
  toolset: "signal",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/chart/:symbol",
  cli: { command: "chart", everyday: "Draws candles, levels and the range ahead as a picture." },
  view: { name: "signal", calls: ["get_history"] },
  needs: [...PICTURE_PORTS, "answers"],
  input: z.object({
    symbol: SymbolText,
    timeframe: BarTimeframeText.default("1d"),
    bars: intBetween(20, 250).default(120).describe("Closed bars"),
    as_of: AsOf.optional(),
    levels: z.boolean().default(true).describe("true: draw entry, stop and targets"),
    range: z.boolean().default(true).describe("true: range and odds"),
  }),
  output: z.object({
    ok: Success,
    symbol: z.string(),
    timeframe: BarTimeframe,
    bars: z.number().int().describe("Closed bars drawn"),
    from: z
      .string()
      .describe("Start of the first bar drawn: a date for daily and weekly bars, else ISO 8601 UTC"),
    to: z.string().describe("Start of the last bar drawn"),
    last_close: Price,
    direction: Direction.nullable().describe("null if no levels are drawn: see levels_reason"),
    reason: z.string().nullable().describe("Why the direction is WAIT"),
    score: Score.nullable().describe("0-100; null without a score"),
    grade: Grade.nullable(),
    levels: PlanLevels.nullable().describe("Levels drawn; the same as in get_signal"),
    levels_reason: z.string().nullable().describe("Why no levels are drawn"),
    odds: SignalOdds.nullable().describe("Odds of the levels drawn; null without levels or range"),
    range: z.array(RangeBand).nullable().describe("Range of the close that is drawn after the last bar"),
    range_reason: z.string().nullable().describe("Why no range is drawn"),
    notes: Caveats,
    stale_notes: StaleNotes,
    asset_class: AssetClass,
    venue: z.string(),
    source: z.string().describe("Provider of the bars; `sample` is simulated"),
    adjustment: z.string().describe("Price adjustment: raw, split, total_return or unknown"),
    market: MarketMode,
    data_as_of: Iso.describe("Close time of the last bar drawn; no input is later"),
    alternatives: Alternatives,
    media: Media.extend({ mime: z.literal("image/png") }),
  }),
  examples: [
    { ask: "Show me Apple's chart", input: { symbol: "AAPL" } },
    { ask: "Draw bitcoin on the 4-hour chart", input: { symbol: "BTC-USD", timeframe: "4h" } },
    {
      ask: "What did the chart of SPY look like at the end of 2025, with candles only?",
      input: { symbol: "SPY", bars: 60, as_of: "2025-12-31", levels: false },
    },
  ],
  terminal({ symbol, timeframe, direction, levels_reason, range_reason, media, ...facts }, paint) {
    const colour = { LONG: "green", SHORT: "red", WAIT: "yellow" } as const;
    const verdict = direction === null ? "" : `  ${paint(colour[direction], paint("bold", direction))}`;
    const from = `${facts.source} (${facts.venue}), adjustment ${facts.adjustment}, closed ${facts.data_as_of}`;
    const { first, others } = splitNotes(facts);
    return [
      ...first.map((note) => paint("yellow", note)),
      `${paint("bold", symbol)}  ${timeframe}${verdict}  ${priceText(facts.last_close)}`,
      `  ${media.alt}`,
      ...(facts.reason === null ? [] : [`  ${facts.reason}`]),
      ...(levels_reason === null ? [] : [`  ${levels_reason}`]),
      ...(range_reason === null ? [] : [`  ${range_reason}`]),
      ...others.map((note) => `  ${paint("yellow", note)}`),
      `  ${paint("dim", from)}`,
    ].join("\n");
  },

  async handler({ symbol, timeframe, bars: wanted, as_of, levels, range: hasRange }, ctx) {
    const { clock, compute, market, signal } = ctx;
    const { resolution, series, decidedAt, consensus, levels_reason, oddsBars, signalOdds } =
      await readChartData({ symbol, timeframe, as_of, levels, signal }, ctx);
    const { instrument, alternatives } = resolution;
    const at = requestedTime(as_of, clock.now());
    const { source, venue, adjustment } = series;
    const drawn = sliceBars(series.bars, Math.max(0, series.bars.time.length - wanted));
    const { length } = drawn.time;
    const verdict = consensus?.direction ?? null;
    const plan = consensus === null ? null : { ...consensus.levels, basis: consensus.levels_basis };
    const { range, range_reason } = hasRange
      ? await compute.run(
          rangeTask,
          { bars: oddsBars, symbol: instrument.symbol, assetClass: instrument.asset_class },
          { signal },
        )
      : { range: null, range_reason: "The range was not requested." };
    const odds = range === null ? null : signalOdds;
    const svg = chartSvg({
      symbol: instrument.symbol,
      name: instrument.name,
      source,
      venue,
      verdict,
      plan,
      range,
      odds,
      levels: null,
      closedAt: decidedAt,
      bars: series.bars,
      shown: length,
      summary:
        consensus === null || consensus.score === null
          ? ""
          : `${consensus.grade === null ? "" : `${formatGrade(consensus)}, `}score ${formatScore(consensus.score)}`,
      simulated: market.mode === "sample" ? SAMPLE_LABEL : null,
    });
    const { base64 } = await compute.run(pngTask, { svg }, { signal });
    return {
      symbol: instrument.symbol,
      timeframe,
      bars: length,
      from: barLabel(drawn.time[0]!, timeframe),
      to: barLabel(drawn.time[length - 1]!, timeframe),
      last_close: drawn.close[length - 1]!,
      direction: verdict,
      reason: consensus?.reason ?? null,
      score: consensus?.score ?? null,
      grade: consensus?.grade ?? null,
      levels: consensus === null ? null : planLevels(consensus),
      levels_reason,
      odds,
      range: range && [...range],
      range_reason,
      ...withStaleNotes(
        staleBarNotes({ closed: decidedAt, at, timeframe, asset_class: instrument.asset_class }),
        barNotes(series),
      ),
      asset_class: instrument.asset_class,
      venue,
      source,
      adjustment,
      market: market.mode,
      data_as_of: decidedAt,
      alternatives: alternatives.map(named),
      media: {
        mime: "image/png" as const,
        base64,
        alt: chartAltText({
          symbol: instrument.symbol,
          bars: drawn,
          verdict,
          plan,
          odds,
          range,
          isSimulated: market.mode === "sample",
        }),
      },
    };
  },
});
