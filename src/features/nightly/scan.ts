import { worseEdge } from "../../analytics/levels/side.ts";
import { recentMoves } from "../../analytics/moves.ts";
import { MIN_SCORE_BARS } from "../../analytics/score/verdict.ts";
import type { EventRisk } from "../../domain/earnings/calendar.ts";
import type { Timeframe } from "../../domain/market/bars.ts";
import type { Highlight, ScanError, ScanRow } from "../../domain/nightly/scan.ts";
import type { Ports } from "../../domain/ports.ts";
import type { WyckoffEventRow } from "../../domain/signal/structure.ts";
import { asToolError, isCallError, ToolError } from "../../kernel/errors.ts";
import type { Progress } from "../../kernel/tool.ts";
import { forEachConcurrent } from "../../lib/concurrency.ts";
import { startEventRisk } from "../earnings/event-risk.ts";
import { barNotes } from "../signal/bar-notes.ts";
import { conflictFields } from "../signal/conflict-fields.ts";
import { servedSignal } from "../signal/logged.ts";
import { servedTier } from "../signal/notes.ts";
import { type Picture, type PicturePorts, pictureOf } from "../signal/picture.ts";
import { listOdds } from "../signal/signal-odds.ts";
import { moveFields } from "./move-fields.ts";

/** Symbols computed concurrently; providers of live prices are shared with other requests. */
const MAX_CONCURRENT = 4;
const HIGHLIGHTED_EVENTS: ReadonlySet<string> = new Set(["SPRING", "UTAD", "LPS", "LPSY"]);

interface ScanRequest {
  /** As the caller wrote them. */
  readonly symbols: readonly string[];
  readonly timeframe: Timeframe;
  readonly signal: AbortSignal;
  readonly progress: (step: Progress) => void;
  /** true adds the last closes to each row. Default: false. */
  readonly withCloses?: boolean;
}

interface Scan {
  /** One row per instrument, strongest score first. */
  readonly rows: readonly ScanRow[];
  /** Errors in the order of the request. */
  readonly errors: readonly ScanError[];
  /** Names of instruments that an earlier name already requested. */
  readonly repeated: readonly string[];
  /** Notes on the bars of a row: rows left out, gaps, suspected splits. */
  readonly notesOn: (symbol: string) => readonly string[];
}

/**
 * Computes the signals of several symbols; each failed symbol has its own error. Rejects with UPSTREAM_UNAVAILABLE when
 * no symbol could be read because the providers are unavailable, so that an outage is not mistaken for an empty result.
 */
export async function runScan(
  { symbols, timeframe, signal, progress, withCloses = false }: ScanRequest,
  ports: PicturePorts & Pick<Ports, "signalLog" | "earnings" | "marketDays">,
): Promise<Scan> {
  const { requested, repeated } = distinct(symbols, ports);
  const rows: ScanRow[] = [];
  const notes = new Map<string, readonly string[]>();
  const failures = new Map<number, ToolError>();
  let done = 0;
  await forEachConcurrent(MAX_CONCURRENT, requested.entries(), async ([index, symbol]) => {
    try {
      const ahead = startEventRisk({ symbol, signal }, ports);
      const picture = await pictureOf({ symbol, timeframe, signal }, ports);
      const row = rowOf(picture, await ahead(picture), withCloses);
      rows.push(row);
      notes.set(row.symbol, barNotes(picture.series));
      ports.signalLog.record(servedSignal(picture));
    } catch (thrown) {
      const error = asToolError(thrown);
      if (isCallError(error)) throw error;
      if (error.code === "INTERNAL") throw thrown;
      failures.set(index, error);
    }
    progress({ done: ++done, total: requested.length, message: symbol });
  });
  const errors = [...failures].sort(([a], [b]) => a - b);
  const unavailable = errors.find(([, { code }]) => code === "UPSTREAM_UNAVAILABLE");
  if (unavailable !== undefined && failures.size === requested.length) throw unavailable[1];
  return {
    rows: rows.sort((a, b) => b.score - a.score || (a.symbol < b.symbol ? -1 : 1)),
    errors: errors.map(([index, error]) => errorRow(requested[index]!, error)),
    repeated,
    notesOn: (symbol) => notes.get(symbol) ?? [],
  };
}

/**
 * Returns each instrument once, under its first name in the request. Unknown names are included, so that each gets its
 * own error.
 */
function distinct(symbols: readonly string[], { symbols: directory }: Pick<PicturePorts, "symbols">) {
  const seen = new Set<string>();
  const requested: string[] = [];
  const repeated: string[] = [];
  for (const text of symbols) {
    const key = directory.find(text)?.instrument.symbol ?? text.toUpperCase();
    if (seen.has(key)) repeated.push(text);
    else requested.push(text);
    seen.add(key);
  }
  return { requested, repeated };
}

/** Maps a picture to a row. @throws ToolError NOT_ENOUGH_DATA without a score */
function rowOf(picture: Picture, risk: EventRisk, withCloses: boolean): ScanRow {
  const { resolution, consensus, structure, series, decidedAt } = picture;
  const { symbol, name, asset_class } = resolution.instrument;
  const { levels, score, bars: available } = consensus;
  if (score === null)
    throw new ToolError("NOT_ENOUGH_DATA", `No score for ${symbol}: ${consensus.reason}`, {
      hint: "get_signal returns the available parts; another timeframe may have more data.",
      data: { symbol, ...(available < MIN_SCORE_BARS && { available }) },
    });
  return {
    symbol,
    name,
    asset_class,
    tier: servedTier(picture),
    bias: consensus.direction,
    score,
    grade: consensus.grade,
    entry: worseEdge(levels),
    stop: levels.stop,
    target: levels.targets[0]!,
    rr: levels.reward_to_risk,
    levels_basis: consensus.levels_basis,
    ...conflictFields(picture, { risk }),
    side: levels.side,
    odds: listOdds(picture.odds.odds),
    close: consensus.close,
    ...moveFields({ close: consensus.close, moves: recentMoves(picture.input.bars) }, { withCloses }),
    as_of: decidedAt,
    phase: structure.wyckoff.phase,
    highlights: highlightsOf(structure.wyckoff),
    source: series.source,
    venue: series.venue,
  };
}

interface StoredEvents {
  readonly events: readonly Pick<WyckoffEventRow, "type" | "date" | "price" | "status">[];
}

/** Lists the valid springs, UTADs and last points of support or supply of a block, oldest first. */
export const highlightsOf = ({ events }: StoredEvents): Highlight[] =>
  events.flatMap(({ type, date, price, status }) =>
    HIGHLIGHTED_EVENTS.has(type) && status !== "void" ? [{ type, date, price, status }] : [],
  );

function errorRow(symbol: string, { code, message, hint, data }: ToolError): ScanError {
  const available = typeof data?.available === "number" ? data.available : null;
  // a scan lists scored symbols only, and a score needs more bars than levels do
  const required = available === null || available >= MIN_SCORE_BARS ? null : MIN_SCORE_BARS;
  return { symbol, code, message, hint: hint ?? null, available, required };
}
