import { z } from "zod";
import {
  Alternatives,
  AsOf,
  Caveats,
  Detail,
  Iso,
  intBetween,
  MarketMode,
  NextCursor,
  named,
  Success,
  SymbolText,
  timeRange,
} from "../src/domain/answers.ts";
import { Timeframe, TimeframeText } from "../src/domain/market/bars.ts";
import { AssetClass } from "../src/domain/market/market.ts";
import { judgedBy } from "../src/domain/recognisers/field-kinds.ts";
import { HistoryRow, HistorySummary } from "../src/domain/signal/signal-history.ts";
import { barNotes } from "../src/features/signal/bar-notes.ts";
import { noBarsReason } from "../src/features/signal/bars-within.ts";
import { PICTURE_PORTS } from "../src/features/signal/picture.ts";
import { formatSignalHistory } from "../src/features/signal/signal-history.text.ts";
import {
  changesOf,
  conciseHistoryRow,
  historySummary,
  readSignalHistory,
} from "../src/features/signal/signal-history.ts";
import { defineTool } from "../src/kernel/tool.ts";

const DEFAULT_LIMIT = { concise: 15, full: 60 } as const;
/** Maximum number of bars with detail concise: keeps the response under 10,000 tokens. */
const MAX_LIMIT = { concise: 60, full: 250 } as const;

/** Returns the signals of past bars of one symbol, and what happened after each. */
export const getSignalHistory = defineTool({
  name: "get_signal_history",
  title: "Get signal history",
  description:
    "Returns the signal history of one US stock, ETF or crypto pair by date: each verdict with its grade, score and levels, newest first, and whether entry, stop and target were reached within 20 bars. Use it for earlier verdicts: what the signal said on a past day and whether it was right. The signal now is in get_signal, the record of all symbols in get_track_record.",
  topics: [
    "signal history",
    "signals of past days",
    "signals by date",
    "what the signal said",
    "whether the signal was right",
    "verdicts by date",
    "earlier verdicts",
  ],
  toolset: "signal",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/signals/:symbol/history",
  listed: "toolset",
  cli: { command: "signal-history" },
  needs: [...PICTURE_PORTS, "answers"],
  deadlineMs: 60_000,
  input: z.object({
    symbol: SymbolText,
    timeframe: TimeframeText.default("1d"),
    limit: intBetween(1, MAX_LIMIT.full)
      .optional()
      .describe(
        `Bars. Default: ${DEFAULT_LIMIT.full}, with from ${MAX_LIMIT.full}. With detail concise: ${DEFAULT_LIMIT.concise}, at most ${MAX_LIMIT.concise}.`,
      ),
    ...timeRange("bar"),
    as_of: judgedBy(AsOf.optional()),
    changes: z.boolean().default(false).describe("true: only bars on which direction or grade changed"),
    detail: Detail,
  }),
  output: z.object({
    ok: Success,
    symbol: z.string(),
    timeframe: Timeframe,
    rows: z.array(HistoryRow).describe("Newest first"),
    count: z.number().int(),
    summary: HistorySummary.describe("Of the bars of this page, also with changes"),
    next_cursor: NextCursor,
    reason: z.string().nullable().describe("Why there are no rows"),
    asset_class: AssetClass,
    venue: z.string(),
    source: z.string().describe("Provider of the bars; `sample` is simulated"),
    market: MarketMode,
    data_as_of: Iso.describe("Close of the newest bar that outcomes use; no input is later"),
    notes: Caveats,
    alternatives: Alternatives,
  }),
  examples: [
    { ask: "What did the signal on Apple say in the last weeks?", input: { symbol: "AAPL", limit: 15 } },
    {
      ask: "What did it say about SPY on 1 October 2025, and was it right?",
      input: { symbol: "SPY", from: "2025-10-01", to: "2025-10-01" },
    },
    {
      ask: "When did the 4-hour signal on bitcoin change?",
      input: { symbol: "BTC-USD", timeframe: "4h", limit: 30, changes: true },
    },
  ],
  terminal: formatSignalHistory,

  async handler({ symbol, timeframe, limit, changes, detail = "full", ...times }, ctx) {
    const { signal, progress } = ctx;
    const resolution = ctx.symbols.resolve(symbol);
    const { instrument, alternatives } = resolution;
    const max = MAX_LIMIT[detail];
    const page = Math.min(limit ?? (times.from === undefined ? DEFAULT_LIMIT[detail] : max), max);
    const request = { ...times, timeframe, limit: page, signal, progress };
    const history = await readSignalHistory(resolution, request, ctx);
    const { series, range } = history;
    const shown = changes ? changesOf(history.rows) : history.rows;
    const rows = detail === "full" ? shown : shown.map(conciseHistoryRow);
    return {
      symbol: instrument.symbol,
      timeframe,
      rows: [...rows],
      count: rows.length,
      summary: historySummary(history.rows),
      next_cursor: history.nextCursor,
      reason: rows.length > 0 ? null : noBarsReason(instrument.symbol, timeframe, series.bars.time.at(-1)),
      asset_class: instrument.asset_class,
      venue: series.venue,
      source: series.source,
      market: ctx.market.mode,
      data_as_of: series.as_of,
      notes: [...history.notes, ...barNotes(series)],
      alternatives: alternatives.map(named),
      ...range.notes,
    };
  },
});
