import { z } from "zod";
import {
  Alternatives,
  AsOf,
  Detail,
  Iso,
  intBetween,
  named,
  Success,
  SymbolText,
} from "../src/domain/answers.ts";
import { BarTimeframe, BarTimeframeText, sliceBars } from "../src/domain/market/bars.ts";
import { AssetClass } from "../src/domain/market/market.ts";
import { describeOmittedRows } from "../src/domain/market/omitted-rows.ts";
import {
  BarsProvenance,
  formatProvenance,
  ProvenanceDetail,
  provenanceOf,
} from "../src/domain/market/provenance.ts";
import { BarRow, barRow, newestFirst } from "../src/domain/rows.ts";
import { closedBars } from "../src/features/signal/closed-bars.ts";
import { barSession, requireExtendedHours, volumeNote } from "../src/features/signal/extended-hours.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { alignedTable } from "../src/lib/aligned-table.ts";

/** Default number of bars. */
const DEFAULT_LIMIT = { concise: 30, full: 100 } as const;
/** Maximum number of bars with detail concise: keeps the response under 10,000 tokens. */
const MAX_CONCISE_LIMIT = 380;

/** A bar; with extended hours also the part of the day in which it starts. */
const SessionBarRow = BarRow.extend({
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
    "Returns past price bars of one US stock, ETF or crypto pair, newest first: open, high, low, close and volume (OHLCV candles), weekly to 1-minute, up to 500 rows. Use it to download raw historical data for your own calculations: closing prices of past dates, weeks or months, the last 100 trading days. The price now is in get_quote, a picture in render_chart.",
  toolset: "market",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/history/:symbol",
  cli: { command: "history" },
  needs: ["symbols", "bars", "clock", "answers"],
  input: z.object({
    symbol: SymbolText,
    timeframe: BarTimeframeText.default("1d"),
    limit: intBetween(1, 500)
      .optional()
      .describe(
        `Newest bars. Default: ${DEFAULT_LIMIT.full}. With detail concise: ${DEFAULT_LIMIT.concise}, at most ${MAX_CONCISE_LIMIT}.`,
      ),
    as_of: AsOf.optional(),
    extended_hours: z
      .boolean()
      .default(false)
      .describe("true: with pre-market and after-hours of stocks and ETFs"),
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
    forming: SessionBarRow.nullable().describe("The unfinished bar, which is not in `bars`"),
    asset_class: AssetClass,
    venue: z.string(),
    source: z.string().describe("Provider that supplied the bars; `sample` is simulated"),
    adjustment: z.string().describe("Price adjustment: raw, split, total_return or unknown"),
    data_as_of: Iso.describe("Close time of the newest closed bar"),
    omitted: z.string().nullable().describe("Rows left out of these bars, and why"),
    volume_note: z
      .string()
      .nullable()
      .optional()
      .describe("With extended_hours: whether volumes outside the regular session are unknown"),
    provenance: BarsProvenance,
    alternatives: Alternatives,
  }),
  examples: [
    { ask: "Show Apple's last ten daily candles", input: { symbol: "AAPL", limit: 10 } },
    {
      ask: "Daily bars of SPY as known at the end of June 2025",
      input: { symbol: "SPY", limit: 5, as_of: "2025-06-30" },
    },
  ],
  terminal({ symbol, tf, bars, source, adjustment, data_as_of, provenance, omitted, volume_note }, paint) {
    const figures = ["datetime", "open", "high", "low", "close", "volume"] as const;
    const columns = bars.some(({ session }) => session !== undefined)
      ? ([...figures, "session"] as const)
      : figures;
    const lines = alignedTable([columns, ...bars.map((bar) => columns.map((column) => String(bar[column])))]);
    return [
      `${paint("bold", `${symbol} ${tf}`)} ${paint("dim", `${source}, ${adjustment}, closed ${data_as_of}`)}`,
      ...formatProvenance(provenance).map((line) => paint(provenance.stale ? "yellow" : "dim", line)),
      ...lines,
      ...[omitted, volume_note ?? null].flatMap((note) => (note === null ? [] : [paint("yellow", note)])),
    ].join("\n");
  },

  async handler(
    { symbol, timeframe, limit, as_of, extended_hours: extendedHours, detail = "full", provenance },
    { symbols, bars, clock, signal },
  ) {
    const resolution = symbols.resolve(symbol);
    const { instrument, alternatives } = resolution;
    if (extendedHours) requireExtendedHours(instrument, timeframe);
    const page = Math.min(limit ?? DEFAULT_LIMIT[detail], detail === "concise" ? MAX_CONCISE_LIMIT : 500);
    // requests one extra bar to find out if older ones exist
    const request = { timeframe, limit: page + 1, as_of, extendedHours, signal };
    const series = await closedBars(resolution, request, { symbols, bars, clock });
    const available = series.bars.time.length;
    const shown = sliceBars(series.bars, Math.max(0, available - page));
    const withSession = (row: BarRow) =>
      extendedHours ? { ...row, session: barSession(Date.parse(row.datetime)) } : row;
    return {
      symbol: instrument.symbol,
      tf: timeframe,
      bars: newestFirst(shown).map(withSession),
      count: shown.time.length,
      next_as_of: shown.time.length < available ? new Date(shown.time[0]!).toISOString() : null,
      forming: series.forming === null ? null : withSession(barRow(series.forming, timeframe)),
      asset_class: instrument.asset_class,
      venue: series.venue,
      source: series.source,
      adjustment: series.adjustment,
      data_as_of: series.as_of,
      omitted: describeOmittedRows(
        (series.omitted ?? []).filter(
          ({ time }) => shown.time.length === available || time >= shown.time[0]!,
        ),
        timeframe,
      ),
      ...(extendedHours && { volume_note: volumeNote(shown) }),
      provenance: provenanceOf(
        series,
        { as_of: series.as_of, delay_minutes: null, adjustment: series.adjustment, now: clock.now() },
        provenance,
      ),
      alternatives: alternatives.map(named),
    };
  },
});
