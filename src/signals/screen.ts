import { createHash } from "node:crypto";
import type { EngineRow, EngineRun } from "../domain/engine.ts";
import type { RunNote, ScreenRow } from "../domain/scan.ts";
import { ToolError } from "../kernel/errors.ts";
import type { Clock, EngineRuns } from "../ports/index.ts";
import { isFresh } from "./fresh-result.ts";
import { highlightsOf } from "./scan.ts";

export interface Filters {
  readonly tier?: ScreenRow["tier"] | undefined;
  readonly bias?: ScreenRow["bias"] | undefined;
  readonly grade?: ScreenRow["grade"] | undefined;
  readonly stage?: number | undefined;
  readonly phase?: ScreenRow["phase"] | undefined;
  readonly min_score?: number | undefined;
  readonly sector?: string | undefined;
  readonly asset_class?: ScreenRow["asset_class"] | undefined;
}

/** How lines may be ordered; ties go by symbol. */
export const SORTS = ["score", "score_asc", "rr", "symbol"] as const;
export type Sort = (typeof SORTS)[number];

export interface ScreenRequest {
  readonly filters: Filters;
  readonly sort: Sort;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface Screened {
  readonly rows: readonly ScreenRow[];
  /** Lines that pass the filters, on all pages. */
  readonly total: number;
  readonly universe: string;
  readonly runs: readonly RunNote[];
  readonly next: string | null;
  readonly notes: readonly string[];
}

/**
 * A page of the newest runs over stocks and funds and over crypto. Rejects with NOT_ENOUGH_DATA before the first
 * run, with INVALID_INPUT for a cursor that is none, and with CONFLICT for one of runs that are not the newest any more.
 */
export async function screenOf(
  { filters, sort, limit, cursor }: ScreenRequest,
  { engineRuns, clock }: { readonly engineRuns: EngineRuns; readonly clock: Clock },
): Promise<Screened> {
  const runs = await newestRuns(engineRuns, filters.asset_class);
  const asked = createHash("sha256")
    .update(JSON.stringify([filters, sort]))
    .digest("base64url")
    .slice(0, 8);
  const mark = `${asked}|${runs.map(({ run_id }) => run_id).join("+")}`;
  const start = cursor === undefined ? 0 : startOf(cursor, mark);
  const rows = runs
    .flatMap((run) => run.rows)
    .filter((row) => row.score !== null && passes(row, filters))
    .map(screenRow)
    .sort(ORDERS[sort]);
  const end = start + limit;
  const notes = runs.map((run) => runNote(run, clock.now()));
  return {
    rows: rows.slice(start, end),
    total: rows.length,
    universe: [...new Set(runs.map(({ universe }) => universe))].join("+"),
    runs: notes,
    next: end < rows.length ? Buffer.from(`${end}|${mark}`).toString("base64url") : null,
    notes: [...runNotes(notes, clock.now()), ...unheardOf(filters, runs)],
  };
}

/** A sector of no line is told, with those there are: it may be another spelling. */
function unheardOf({ sector }: Filters, runs: readonly EngineRun[]): readonly string[] {
  const sectors = [...new Set(runs.flatMap(({ rows }) => rows.flatMap((row) => row.sector ?? [])))].sort();
  if (sector === undefined || sectors.some((one) => sameText(one, sector))) return [];
  return [`No line of the newest runs is of the sector asked for; their sectors: ${sectors.join(", ") || "none"}`];
}

const sameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The newest runs of the kinds that are asked about, each once. */
export async function newestRuns(
  engineRuns: EngineRuns,
  assetClass?: ScreenRow["asset_class"],
): Promise<readonly EngineRun[]> {
  const kinds = (["stocks", "crypto"] as const).filter(
    (kind) => assetClass === undefined || (assetClass === "crypto") === (kind === "crypto"),
  );
  const runs = (await Promise.all(kinds.map((kind) => engineRuns.newest("1d", kind)))).filter(
    (run) => run !== null,
  );
  if (runs.length === 0)
    throw new ToolError("NOT_ENOUGH_DATA", `No nightly run${over(assetClass)} has finished yet`, {
      hint: "`market-signal engine run --universe all` makes one now, if this market holds any; scan_symbols needs none.",
    });
  const [stocks, crypto] = runs;
  if (stocks === undefined || crypto === undefined || stocks.run_id !== crypto.run_id) return runs;
  return [
    {
      ...stocks,
      rows: [...stocks.rows, ...crypto.rows],
      failures: [...stocks.failures, ...crypto.failures],
    },
  ];
}

const over = (assetClass: ScreenRow["asset_class"] | undefined): string =>
  assetClass === undefined ? "" : assetClass === "crypto" ? " over crypto" : " over stocks and funds";

/** What a run is, beside its lines. */
export const runNote = (run: EngineRun, now: Date): RunNote => ({
  run_id: run.run_id,
  universe: run.universe,
  universe_hash: run.universe_hash,
  runAt: run.runAt,
  as_of: run.as_of,
  bars_as_of:
    run.rows
      .map(({ as_of }) => as_of)
      .sort()
      .at(-1) ?? null,
  members: run.members.length,
  failed: run.failures.length,
  unscored: run.rows.filter(({ score }) => score === null).length,
  stale: !isFresh(run, now),
  source: [...new Set(run.rows.map(({ source }) => source))].sort().join(", "),
});

const OLD_MS = 5 * 86_400_000;

/** What to know of runs before using what they found. */
export const runNotes = (runs: readonly RunNote[], now: Date): string[] =>
  runs.flatMap(({ universe, runAt, bars_as_of, stale }) => [
    ...(stale ? [`The newest run over ${universe} is of ${runAt}, more than a day ago`] : []),
    ...(bars_as_of !== null && now.getTime() - Date.parse(bars_as_of) > OLD_MS
      ? [`The newest bars of the run over ${universe} closed at ${bars_as_of}: it describes that day`]
      : []),
    ...(universe === "sp500" ? [SP500] : []),
  ]);

const SP500 =
  "sp500 means the large US stocks this program knows, or outside live prices every stock and fund this market holds; it is not the index of that name";

function startOf(cursor: string, mark: string): number {
  const [, offset, of] = /^(\d{1,6})\|(.+)$/.exec(Buffer.from(cursor, "base64url").toString("utf8")) ?? [];
  if (offset === undefined)
    throw new ToolError("INVALID_INPUT", "The cursor is none that this server gave", {
      hint: "Pass next_cursor of the page before as it is, or leave it out for the first page.",
    });
  if (of!.split("|")[0] !== mark.split("|")[0])
    throw new ToolError("INVALID_INPUT", "The cursor is of a list with other filters or another order", {
      hint: "Ask for the next page with the same filters and sort, or leave the cursor out.",
    });
  if (of !== mark)
    throw new ToolError("CONFLICT", "A newer run has finished since the page before", {
      hint: "Leave the cursor out to begin with the newest run.",
    });
  return Number(offset);
}

const passes = (row: EngineRow, filters: Filters): boolean =>
  (filters.tier === undefined || row.tier === filters.tier) &&
  (filters.bias === undefined || row.direction === filters.bias) &&
  (filters.grade === undefined || row.grade === filters.grade) &&
  (filters.stage === undefined || row.stage === filters.stage) &&
  (filters.phase === undefined || row.wyckoff.phase === filters.phase) &&
  (filters.min_score === undefined || row.score! >= filters.min_score) &&
  (filters.sector === undefined || (row.sector !== null && sameText(row.sector, filters.sector))) &&
  (filters.asset_class === undefined || row.asset_class === filters.asset_class);

const screenRow = (row: EngineRow): ScreenRow => ({
  symbol: row.symbol,
  name: row.name,
  asset_class: row.asset_class,
  sector: row.sector,
  tier: row.tier,
  bias: row.direction,
  overallScore: row.score!,
  grade: row.grade,
  stage: row.stage,
  phase: row.wyckoff.phase,
  highlights: highlightsOf(row.wyckoff),
  wave: row.elliott.label,
  actionCard: {
    entry: row.entry,
    stop: row.stop,
    target: row.targets[0]!,
    rr: row.rr,
    levels_basis: row.levels_basis,
  },
  close: row.close,
  as_of: row.as_of,
  source: row.source,
  venue: row.venue,
});

const bySymbol = (a: ScreenRow, b: ScreenRow): number => (a.symbol < b.symbol ? -1 : 1);
const ORDERS = {
  score: (a, b) => b.overallScore - a.overallScore || bySymbol(a, b),
  score_asc: (a, b) => a.overallScore - b.overallScore || bySymbol(a, b),
  rr: (a, b) => b.actionCard.rr - a.actionCard.rr || bySymbol(a, b),
  symbol: bySymbol,
} as const satisfies Record<Sort, (a: ScreenRow, b: ScreenRow) => number>;
