import { z } from "zod";
import {
  Alternatives,
  AsOf,
  Caveats,
  Detail,
  Iso,
  intBetween,
  NextCursor,
  named,
  Success,
  SymbolText,
  timeRange,
} from "../src/domain/answers.ts";
import { BarTimeframe, BarTimeframeText, barLabel } from "../src/domain/market/bars.ts";
import { AssetClass } from "../src/domain/market/market.ts";
import { BarsProvenance, ProvenanceDetail, provenanceOf } from "../src/domain/market/provenance.ts";
import { joinedBy } from "../src/domain/recognisers/field-kinds.ts";
import { barNotes } from "../src/features/signal/bar-notes.ts";
import { barsWithin, noBarsReason } from "../src/features/signal/bars-within.ts";
import { formatIndicators } from "../src/features/signal/indicator-series.text.ts";
import {
  indicatorColumns,
  parseIndicators,
  valueOrNull,
  warmUpBars,
} from "../src/features/signal/indicator-series.ts";
import { defineTool } from "../src/kernel/tool.ts";

const DEFAULT_LIMIT = { concise: 20, full: 100 } as const;
/** Maximum number of bars with detail concise: keeps the response under 10,000 tokens. */
const MAX_CONCISE_LIMIT = 150;

/** Returns technical indicators at each closed bar, newest first. */
export const getIndicators = defineTool({
  name: "get_indicators",
  title: "Get indicators",
  description:
    "Returns the numbers of technical indicators at each closed bar of one US stock, ETF or crypto pair, newest first: RSI, MACD, moving averages (200-day), Bollinger bands, ATR, ADX, stochastic and others, with your parameters. Use it to read or compute with a series of indicator values. A readable interpretation is in get_analysis, prices alone in get_history.",
  topics: [
    "indicator values",
    "rsi",
    "macd",
    "rsi value",
    "macd value",
    "macd histogram",
    "50-day average",
    "200-day average",
    "bollinger bands",
    "average true range",
    "adx",
    "stochastic",
    "ichimoku",
    "vwap",
  ],
  toolset: "signal",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/indicators/:symbol",
  listed: false,
  cli: { command: "indicators", positionals: ["symbol", "indicators"] },
  needs: ["symbols", "bars", "clock", "answers"],
  input: z.object({
    symbol: SymbolText,
    indicators: joinedBy(z.string().trim().min(1).max(200), ", ")
      .default("rsi(14), macd(12,26,9)")
      .describe("Separated by commas, parameters in parentheses: rsi(14), sma(50), macd"),
    timeframe: BarTimeframeText.default("1d"),
    limit: intBetween(1, 500)
      .optional()
      .describe(
        `Number of newest bars. Default: ${DEFAULT_LIMIT.full}, with from 500. With detail concise: ${DEFAULT_LIMIT.concise}, at most ${MAX_CONCISE_LIMIT}.`,
      ),
    ...timeRange("bar"),
    as_of: AsOf.optional(),
    detail: Detail,
    provenance: ProvenanceDetail,
  }),
  output: z.object({
    ok: Success,
    symbol: z.string(),
    timeframe: BarTimeframe,
    columns: z.array(z.string()).describe("Name of each value of a row, with its parameters"),
    rows: z
      .array(
        z.object({
          datetime: z
            .string()
            .describe("Bar start: a date for daily bars, the Monday of weekly bars, else ISO 8601 UTC"),
          close: z.number(),
          values: z
            .array(z.number().nullable())
            .describe("In the order of `columns`; null until enough bars are known, or if not defined there"),
        }),
      )
      .describe("Closed bars, newest first"),
    count: z.number().int(),
    next_cursor: NextCursor,
    bars_read: z.number().int().describe("Closed bars from which the values are computed"),
    asset_class: AssetClass,
    venue: z.string(),
    source: z.string().describe("Provider that supplied the bars; `sample` is simulated"),
    data_as_of: Iso.describe("Close time of the newest closed bar"),
    notes: Caveats,
    provenance: BarsProvenance,
    alternatives: Alternatives,
  }),
  examples: [
    { ask: "Show Apple's RSI and MACD of the last ten days", input: { symbol: "AAPL", limit: 10 } },
    {
      ask: "The 50- and 200-day averages of SPY at the end of June 2025",
      input: { symbol: "SPY", indicators: "sma(50), sma(200)", limit: 1, as_of: "2025-06-30" },
    },
  ],
  terminal: formatIndicators,

  async handler(
    { symbol, indicators, timeframe, limit, detail = "full", provenance, ...times },
    { symbols, bars, clock, signal },
  ) {
    const requested = parseIndicators(indicators, timeframe);
    const max = detail === "concise" ? MAX_CONCISE_LIMIT : 500;
    const shown = Math.min(limit ?? (times.from === undefined ? DEFAULT_LIMIT[detail] : max), max);
    const resolution = symbols.resolve(symbol);
    const { instrument, alternatives } = resolution;
    const settled = times.from !== undefined || times.cursor !== undefined;
    const warmUp = warmUpBars(requested, { settled });
    const request = { ...times, timeframe, limit: shown, warmUp, signal };
    const within = await barsWithin(resolution, request, { symbols, bars, clock });
    const { series, first, range } = within;
    const { time, close } = series.bars;
    const columns = indicatorColumns(requested, series.bars);
    const rows = [];
    for (let bar = time.length - 1; bar >= first; bar--)
      rows.push({
        datetime: barLabel(time[bar]!, timeframe),
        close: close[bar]!,
        values: columns.map(({ values }) => valueOrNull(values[bar]!)),
      });
    return {
      symbol: instrument.symbol,
      timeframe,
      columns: columns.map(({ name }) => name),
      rows,
      count: rows.length,
      next_cursor: within.nextCursor,
      bars_read: time.length,
      asset_class: instrument.asset_class,
      venue: series.venue,
      source: series.source,
      data_as_of: series.as_of,
      notes: [
        ...(rows.length > 0 ? [] : [noBarsReason(instrument.symbol, timeframe, time.at(-1))]),
        ...barNotes(series),
      ],
      provenance: provenanceOf(
        series,
        { as_of: series.as_of, delay_minutes: null, adjustment: series.adjustment, now: clock.now() },
        provenance,
      ),
      alternatives: alternatives.map(named),
      ...range.notes,
    };
  },
});
