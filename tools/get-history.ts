import { z } from "zod";
import {
  Alternatives,
  AsOf,
  Detail,
  Figure,
  Iso,
  intBetween,
  NextCursor,
  named,
  Success,
  SymbolText,
  timeRange,
} from "../src/domain/answers.ts";
import { BarTimeframe, BarTimeframeText, sliceBars } from "../src/domain/market/bars.ts";
import { IndexNote, QuotedClass } from "../src/domain/market/market.ts";
import { describeOmittedRows } from "../src/domain/market/omitted-rows.ts";
import {
  BarsProvenance,
  formatProvenance,
  ProvenanceDetail,
  provenanceOf,
} from "../src/domain/market/provenance.ts";
import { BarRow, barRow, newestFirst } from "../src/domain/rows.ts";
import { formatTable } from "../src/domain/table.text.ts";
import { nextPageLine } from "../src/domain/terminal.ts";
import { findIndex, requireDailyLevels, withoutVolume } from "../src/features/indices/find-index.ts";
import { barsWithin, noBarsReason } from "../src/features/signal/bars-within.ts";
import { barSession, requireExtendedHours, volumeNote } from "../src/features/signal/extended-hours.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Default number of bars. */
const DEFAULT_LIMIT = { concise: 30, full: 100 } as const;
/** Maximum number of bars with detail concise: keeps the response under 10,000 tokens. */
const MAX_CONCISE_LIMIT = 380;

/** A bar, of an index without volume; with extended hours also the part of the day in which it starts. */
const SessionBarRow = BarRow.extend({
  volume: Figure,
  session: z
    .enum(["pre", "regular", "post"])
    .nullable()
    .optional()
    .describe("With extended_hours: part of the trading day in which the bar starts"),
});

/** Returns closed OHLCV bars, newest first, with their provider; the unfinished bar is separate. */
export const getHistory = defineTool({
  name: "get_history",
  title: "Get price history",
  description:
    "Returns past price bars of one US stock, ETF, crypto pair or index, newest first: open, high, low, close and volume (OHLCV candles), weekly to 1-minute. Use it to download raw historical data for own calculations: closing prices of past dates, weeks or months, the last 100 days. The price now is in get_quote, a picture in render_chart.",
  topics: [
    "price history",
    "historical prices",
    "historical data",
    "past closes",
    "closing prices",
    "daily bars",
    "intraday bars",
    "ohlcv",
    "pre-market bars",
    "after-hours bars",
  ],
  toolset: "market",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/history/:symbol",
  cli: { command: "history" },
  needs: ["symbols", "bars", "indices", "clock", "answers"],
  input: z.object({
    symbol: SymbolText,
    timeframe: BarTimeframeText.default("1d"),
    limit: intBetween(1, 500)
      .optional()
      .describe(
        `Default: ${DEFAULT_LIMIT.full}, with from 500. With detail concise: ${DEFAULT_LIMIT.concise}, at most ${MAX_CONCISE_LIMIT}.`,
      ),
    ...timeRange("bar"),
    as_of: AsOf.optional(),
    extended_hours: z.boolean().default(false).describe("true: with pre-market and after-hours"),
    detail: Detail,
    provenance: ProvenanceDetail,
  }),
  output: z.object({
    ok: Success,
    symbol: z.string(),
    tf: BarTimeframe,
    bars: z.array(SessionBarRow).describe("Closed bars, newest first"),
    count: z.number().int(),
    next_as_of: Iso.nullable().describe("Pass as `as_of` to get older bars; null if there are none"),
    next_cursor: NextCursor,
    forming: SessionBarRow.nullable().describe("The unfinished bar, which is not in `bars`"),
    asset_class: QuotedClass,
    venue: z.string(),
    source: z.string().describe("Provider that supplied the bars; `sample` is simulated"),
    adjustment: z.string().describe("Price adjustment: raw, split, total_return or unknown"),
    data_as_of: Iso.describe("Close time of the newest closed bar"),
    omitted: z.string().nullable().describe("Rows left out of these bars, and why"),
    reason: z.string().nullable().describe("Why there are no bars"),
    volume_note: z
      .string()
      .nullable()
      .optional()
      .describe("With extended_hours: whether volumes outside the regular session are unknown"),
    index_note: IndexNote,
    provenance: BarsProvenance,
    alternatives: Alternatives,
  }),
  examples: [
    { ask: "Show Apple's last ten daily candles", input: { symbol: "AAPL", limit: 10 } },
    {
      ask: "Daily bars of SPY as known at the end of June 2025",
      input: { symbol: "SPY", limit: 5, as_of: "2025-06-30" },
    },
    {
      ask: "Apple's daily closes of June 2025",
      input: { symbol: "AAPL", from: "2025-06-01", to: "2025-06-30" },
    },
  ],
  terminal({ symbol, tf, bars, source, adjustment, data_as_of, provenance, ...answer }, paint) {
    const { omitted, reason, volume_note, index_note, next_cursor } = answer;
    const figures = ["datetime", "open", "high", "low", "close", "volume"] as const;
    const columns = bars.some(({ session }) => session !== undefined)
      ? ([...figures, "session"] as const)
      : figures;
    const lines = formatTable(
      bars,
      columns.map((head) => ({ head, cell: (bar) => String(bar[head] ?? "none") })),
      paint,
    );
    return [
      `${paint("bold", `${symbol} ${tf}`)} ${paint("dim", `${source}, ${adjustment}, closed ${data_as_of}`)}`,
      ...formatProvenance(provenance).map((line) => paint(provenance.stale ? "yellow" : "dim", line)),
      ...lines,
      ...[reason, omitted, volume_note ?? null, index_note ?? null].flatMap((note) =>
        note === null ? [] : [paint("yellow", note)],
      ),
      ...nextPageLine(next_cursor, paint),
    ].join("\n");
  },

  async handler(
    { symbol, timeframe, limit, extended_hours: extendedHours, detail = "full", provenance, ...times },
    { symbols, bars, indices, clock, signal },
  ) {
    const index = findIndex(symbol, { symbols, indices });
    const resolution = index?.resolution ?? symbols.resolve(symbol);
    const { instrument, alternatives } = resolution;
    if (index !== null) requireDailyLevels(instrument, timeframe);
    if (extendedHours) requireExtendedHours(instrument, timeframe);
    const max = detail === "concise" ? MAX_CONCISE_LIMIT : 500;
    const page = Math.min(limit ?? (times.from === undefined ? DEFAULT_LIMIT[detail] : max), max);
    const request = { ...times, timeframe, limit: page, extendedHours, signal };
    const ports = { symbols: index?.symbols ?? symbols, bars: index === null ? bars : indices.bars, clock };
    const within = await barsWithin(resolution, request, ports);
    const { series, first, hasOlder, range } = within;
    const shown = sliceBars(series.bars, first);
    const { length } = shown.time;
    const isShown = (time: number) =>
      time <= range.pageEnd && time >= (hasOlder ? shown.time[0]! : (range.from ?? Number.NEGATIVE_INFINITY));
    const shownRow = (row: BarRow) => ({
      ...row,
      ...(index !== null && { volume: null }),
      ...(extendedHours && { session: barSession(Date.parse(row.datetime)) }),
    });
    const { forming } = series;
    const source = provenanceOf(
      series,
      { as_of: series.as_of, delay_minutes: null, adjustment: series.adjustment, now: clock.now() },
      provenance,
    );
    return {
      symbol: instrument.symbol,
      tf: timeframe,
      bars: newestFirst(shown).map(shownRow),
      count: length,
      next_as_of: hasOlder ? new Date(shown.time[0]!).toISOString() : null,
      next_cursor: within.nextCursor,
      forming:
        forming === null || range.position !== null || !isShown(forming.time)
          ? null
          : shownRow(barRow(forming, timeframe)),
      asset_class: index === null ? instrument.asset_class : ("index" as const),
      venue: series.venue,
      source: series.source,
      adjustment: series.adjustment,
      data_as_of: series.as_of,
      omitted: describeOmittedRows(
        (series.omitted ?? []).filter(({ time }) => isShown(time)),
        timeframe,
      ),
      reason: length > 0 ? null : noBarsReason(instrument.symbol, timeframe, series.bars.time.at(-1)),
      ...(extendedHours && { volume_note: volumeNote(shown) }),
      ...(index !== null && { index_note: index.note }),
      provenance: index === null ? source : withoutVolume(source),
      alternatives: alternatives.map(named),
      ...range.notes,
    };
  },
});
