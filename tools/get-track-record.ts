import { z } from "zod";
import { effectiveCount } from "../src/analytics/track/interval.ts";
import { TIME_EXIT } from "../src/analytics/track/outcome.ts";
import { Detail, Iso, MarketMode, Success, SymbolText } from "../src/domain/answers.ts";
import { AssetClass } from "../src/domain/market/market.ts";
import { JudgedBucket, OddsRow } from "../src/domain/odds/odds-record.ts";
import { DirectionText, Grade } from "../src/domain/signal/signal.ts";
import { CheckRecordRow } from "../src/domain/track-record/check-record.ts";
import {
  HORIZONS,
  ROverBase,
  ShownTrackRow,
  shownTrackRow,
  type TrackRow,
} from "../src/domain/track-record/track.ts";
import { checkSentences } from "../src/features/track-record/check-record.text.ts";
import { selectChecks } from "../src/features/track-record/check-rows.ts";
import { selectBuckets } from "../src/features/track-record/odds-buckets.ts";
import { bucketSentences, oddsReason, oddsSentence } from "../src/features/track-record/odds-record.text.ts";
import { selectOddsRows } from "../src/features/track-record/odds-rows.ts";
import {
  noSymbolRecord,
  symbolRecords,
  symbolSentences,
} from "../src/features/track-record/symbol-record.ts";
import { formatTrackRecord, trackNotes } from "../src/features/track-record/track-record.text.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Maximum number of rows with detail concise: keeps the response under 2,000 tokens. */
const MAX_CONCISE_ROWS = 10;
/** Maximum number of buckets of odds with detail concise. */
const MAX_CONCISE_BUCKETS = 5;
const NO_RECORD = { signals: 0, from: null, until: null, computed_at: null, model_version: null };

/** Returns the outcomes of past signals over fixed universes. */
export const getTrackRecord = defineTool({
  name: "get_track_record",
  title: "Get track record",
  description:
    "Returns the track record of past signals: how accurate our published calls were after 5, 20 and 60 bars (days), by grade, direction, stocks against crypto: hit rate (win rate), base rate, excess return; whether stated odds held. Use it for signal accuracy: how earlier calls or recommendations have done or turned out, how often they were right and made money. The signal itself is in get_signal.",
  topics: [
    "track record",
    "signal accuracy",
    "how accurate",
    "hit rate",
    "base rate",
    "past signals",
    "signal win rate",
    "excess return",
  ],
  toolset: "signal",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/track-record",
  cli: { command: "record", positionals: ["symbol"] },
  needs: ["trackRecord", "checkedOrders", "symbols", "clock", "market"],
  input: z.object({
    symbol: SymbolText.optional().describe("Only this symbol"),
    grade: Grade.optional(),
    direction: DirectionText.optional().describe("Only this direction"),
    asset_class: AssetClass.optional().describe("Only this class"),
    horizon: z.literal(HORIZONS).optional().describe("Bars: 5, 20 or 60"),
    min_n_eff: z.number().min(0).optional().describe("Minimum n_eff of a row"),
    detail: Detail,
  }),
  output: z.object({
    ok: Success,
    summary: z.array(z.string()).describe("The record in sentences"),
    rows: z.array(ShownTrackRow),
    count: z.number().int(),
    r_over_base: z
      .array(ROverBase)
      .describe("R of trades less the R of the same plan at every close of the same symbols"),
    odds: z.object({
      forecasts: z
        .number()
        .int()
        .describe("Stored odds with an outcome, of served, nightly and replayed signals and of get_odds"),
      from: Iso.nullable(),
      until: Iso.nullable(),
      rows: z.array(OddsRow).describe("Concise: daily bars, all asset classes, horizon 20 unless requested"),
      buckets: z.array(JudgedBucket),
      reason: z.string().nullable().describe("Why there are no rows"),
    }),
    checks: z.object({
      orders: z.number().int().describe("Of check_order, with an outcome"),
      from: Iso.nullable(),
      until: Iso.nullable(),
      rows: z.array(CheckRecordRow),
      reason: z.string().nullable().describe("Why there are no rows"),
    }),
    signals: z.number().int().describe("Number of signals with an outcome"),
    from: Iso.nullable().describe("Time of the first signal"),
    until: Iso.nullable(),
    computed_at: Iso.nullable(),
    model_version: z.string().nullable(),
    reason: z.string().nullable().describe("Why there are no rows"),
    notes: z.array(z.string()),
    market: MarketMode,
    source: z.string().describe("Provider of the bars behind signals and outcomes; `sample` is simulated"),
  }),
  examples: [
    { ask: "How good were past signals?", input: { horizon: 20 } },
    {
      ask: "What came of A+ longs in crypto?",
      input: { grade: "A+", direction: "LONG", asset_class: "crypto" },
    },
  ],
  terminal: formatTrackRecord,
  view: { name: "odds", calls: ["get_track_record"] },

  async handler({ symbol, grade, direction, asset_class, horizon, min_n_eff, detail }, ctx) {
    const { trackRecord, market } = ctx;
    const concise = detail === "concise";
    const name = symbol === undefined ? null : ctx.symbols.resolve(symbol).instrument.symbol;
    const { record, odds } =
      name === null
        ? { record: await trackRecord.published("1d"), odds: await trackRecord.odds() }
        : await symbolRecords(name, { trackRecord, now: ctx.clock.now() });
    // default with detail concise: only trades, at the maximum holding period
    const isShort = concise && direction === undefined && horizon === undefined;
    const wanted = (row: TrackRow) =>
      (!isShort || (row.direction !== "WAIT" && row.horizon === 20)) &&
      (grade === undefined || row.grade === grade) &&
      (direction === undefined || row.direction === direction) &&
      (asset_class === undefined || row.asset_class === asset_class) &&
      (horizon === undefined || row.horizon === horizon) &&
      (min_n_eff === undefined || row.n_eff >= min_n_eff);
    const matching = (record?.rows ?? []).filter(wanted);
    const rows = isShort ? withMostOutcomes(matching) : matching;
    const isCompared = (row: ROverBase) =>
      (grade === undefined ? !isShort || row.grade === null : row.grade === grade) &&
      (direction === undefined || row.direction === direction) &&
      (asset_class === undefined || row.asset_class === asset_class) &&
      (min_n_eff === undefined || effectiveCount(row.n, TIME_EXIT) >= min_n_eff);
    const overBase = (record?.r_over_base ?? []).filter(isCompared);
    const oddsRows = selectOddsRows(odds, { asset_class, horizon, min_n_eff, concise });
    const checks = selectChecks(name === null ? await ctx.checkedOrders.published() : null, {
      symbol: name,
      asset_class,
      direction,
      concise,
    });
    const forecasts = odds?.forecasts ?? 0;
    const judged = selectBuckets(odds, { asset_class, horizon, direction });
    const range = oddsSentence(oddsRows);
    return {
      ...(record ?? NO_RECORD),
      summary: [
        ...(name === null ? [] : symbolSentences(name, matching)),
        ...(range === null ? [] : [range]),
        ...bucketSentences(judged),
        ...checkSentences(checks),
      ],
      rows: rows.map(shownTrackRow),
      count: rows.length,
      r_over_base: overBase,
      odds: {
        forecasts,
        from: odds?.from ?? null,
        until: odds?.until ?? null,
        rows: oddsRows,
        buckets: concise ? judged.outside.slice(0, MAX_CONCISE_BUCKETS) : [...judged.buckets],
        reason: oddsReason(oddsRows, forecasts),
      },
      checks,
      ...trackNotes(record, {
        rows: rows.length,
        omitted: matching.length - rows.length,
        short: isShort,
        market: market.mode,
      }),
      ...(name !== null && record === null && { reason: noSymbolRecord(name) }),
      market: market.mode,
      source: market.mode,
    };
  },
});

/** Returns the rows with the most effective outcomes, in their order. */
function withMostOutcomes(rows: readonly TrackRow[]): readonly TrackRow[] {
  const most = new Set(rows.toSorted((a, b) => b.n_eff - a.n_eff).slice(0, MAX_CONCISE_ROWS));
  return rows.filter((row) => most.has(row));
}
