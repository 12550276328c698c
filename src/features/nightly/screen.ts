import { createHash } from "node:crypto";
import { shownScore } from "../../domain/figures.ts";
import { kindOf, MARKET_KINDS } from "../../domain/market/market.ts";
import type { EngineRow, EngineRun } from "../../domain/nightly/engine.ts";
import type { ScreenRow } from "../../domain/nightly/scan.ts";
import type { Ports } from "../../domain/ports.ts";
import { passesGrade } from "../../domain/signal/signal.ts";
import { ToolError } from "../../kernel/errors.ts";
import { rowConflicts } from "../signal/conflict-fields.ts";
import { withStaleNotes } from "../signal/notes.ts";
import { recordNotes } from "../signal/record-notes.ts";
import { hasRun, hasWholeRun, newestRun, noRunError } from "./newest-run.ts";
import { isStaleRow, runNote, runNotes, runNotesOnRows, servedRow, staleRunNotes } from "./run-notes.ts";
import { highlightsOf } from "./scan.ts";
import { parseScreenRule, type RulePorts, rowsByRule } from "./screen-rules.ts";
import { usualDays } from "./usual-days.ts";
import { waitForRun } from "./wait-for-run.ts";

export interface Filters {
  readonly tier?: ScreenRow["tier"] | undefined;
  readonly bias?: ScreenRow["bias"] | undefined;
  /** A grade, or `>=B` for that grade and better ones. */
  readonly grade?: string | undefined;
  readonly stage?: number | undefined;
  readonly phase?: ScreenRow["phase"] | undefined;
  readonly min_score?: number | undefined;
  readonly sector?: string | undefined;
  readonly asset_class?: ScreenRow["asset_class"] | undefined;
  /** Conditions in the syntax of backtest rules, joined by "and" or by "or". */
  readonly rules?: string | undefined;
}

/** Sort orders; rows with equal values are sorted by symbol. */
export const SORTS = ["score", "score_asc", "setup", "rr", "expected_r", "symbol"] as const;
export type Sort = (typeof SORTS)[number];

interface ScreenRequest {
  readonly filters: Filters;
  readonly sort: Sort;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Returns a page of the newest runs over stocks, funds and crypto. Rejects with NOT_ENOUGH_DATA before the first run,
 * INVALID_INPUT for an invalid cursor or rule, and CONFLICT for a cursor of an older run.
 */
export async function screenRuns(
  { filters, sort, limit, cursor }: ScreenRequest,
  ports: NewestRunPorts & RulePorts & Pick<Ports, "trackRecord">,
) {
  const { clock } = ports;
  const now = clock.now();
  const runs = await newestRuns(ports, filters.asset_class);
  const queryHash = createHash("sha256")
    .update(JSON.stringify([filters, sort]))
    .digest("base64url")
    .slice(0, 8);
  const mark = `${queryHash}|${runsKey(runs)}`;
  const start = cursor === undefined ? 0 : startOf(cursor, mark);
  const { rules } = filters;
  const rule = rules === undefined ? null : parseScreenRule(rules, sectorsOf(runs));
  const dayOf = new Map(
    runs.flatMap((run) => {
      const usual = usualDays(run.rows);
      return run.rows.map((row) => [row.symbol, usual(row)] as const);
    }),
  );
  const passing = runs
    .flatMap((run) => run.rows)
    .map((row) => servedRow(row, now))
    .filter((row) => row.score !== null && passes(row, filters));
  const matches = rule === null ? { rows: passing, notes: [] } : await rowsByRule(rule, passing, ports);
  const rows = matches.rows
    .map((row) => screenRow(row, { usualDay: dayOf.get(row.symbol)!, now }))
    .sort(ORDERS[sort]);
  const end = start + limit;
  const page = rows.slice(start, end);
  return {
    rows: page,
    total: rows.length,
    universe: [...new Set(runs.map(({ universe }) => universe))].join("+"),
    runs: runs.map((run) => runNote(run, now)),
    next: end < rows.length ? Buffer.from(`${end}|${mark}`).toString("base64url") : null,
    ...withStaleNotes(
      [...staleRunNotes(runs, now), ...runNotesOnRows(page, runs, now)],
      [
        ...recordNotes(page, await ports.trackRecord.published("1d")),
        ...runNotes(runs, now),
        ...unknownSectorNotes(filters, runs),
        ...matches.notes,
      ],
    ),
  };
}

const sectorsOf = (runs: readonly EngineRun[]): readonly string[] =>
  [...new Set(runs.flatMap(({ rows }) => rows.flatMap((row) => row.sector ?? [])))].sort();

/** Returns a note on an unknown sector that lists the known ones, since it may be a spelling mistake. */
export function unknownSectorNotes(
  { sector }: Pick<Filters, "sector">,
  runs: readonly EngineRun[],
): readonly string[] {
  const sectors = sectorsOf(runs);
  if (sector === undefined || sectors.some((known) => sameText(known, sector))) return [];
  return [
    `No row of the newest runs is in the requested sector; known sectors: ${sectors.join(", ") || "none"}`,
  ];
}

export const sameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export type NewestRunPorts = Pick<Ports, "engineRuns" | "clock" | "market">;

/** Returns a key that changes with every newer run and with every row of an unfinished one. */
export const runsKey = (runs: readonly EngineRun[]): string =>
  runs.map(({ run_id, runAt, rows }) => (runAt === null ? `${run_id}:${rows.length}` : run_id)).join("+");

const kindsOf = (assetClass: ScreenRow["asset_class"] | undefined) =>
  assetClass === undefined ? MARKET_KINDS : [kindOf({ asset_class: assetClass })];

/** Waits for the rows of `newestRuns` while the first run is in progress, at most 8 s. */
export const waitForRuns = (
  ports: Pick<Ports, "engineRuns">,
  signal: AbortSignal | undefined,
  assetClass?: ScreenRow["asset_class"],
): Promise<void> | undefined =>
  waitForRun(() => hasRun(kindsOf(assetClass), ports), ports.engineRuns.ongoing, signal);

/** Waits for the runs of `wholeRuns` while the first run is in progress, at most 8 s. */
export const waitForWholeRuns = (
  ports: Pick<Ports, "engineRuns">,
  signal: AbortSignal | undefined,
  assetClass?: ScreenRow["asset_class"],
): Promise<void> | undefined =>
  waitForRun(() => hasWholeRun(kindsOf(assetClass), ports), ports.engineRuns.ongoing, signal);

/**
 * Returns `newestRuns` for figures over all members of a run. Rejects with UPSTREAM_UNAVAILABLE while one of them is in
 * progress.
 */
export async function wholeRuns(
  ports: NewestRunPorts,
  assetClass?: ScreenRow["asset_class"],
): Promise<readonly EngineRun[]> {
  const runs = await newestRuns(ports, assetClass);
  const isRunning = (ports.engineRuns.ongoing?.current() ?? null) !== null;
  if (isRunning && runs.some(({ runAt }) => runAt === null))
    throw await noRunError(kindsOf(assetClass), ports);
  return runs;
}

/**
 * Returns the newest runs of the requested asset classes, each once: finished ones, or before the first one the rows
 * computed so far. Rejects with NOT_ENOUGH_DATA while there are none.
 */
export async function newestRuns(
  ports: NewestRunPorts,
  assetClass?: ScreenRow["asset_class"],
): Promise<readonly EngineRun[]> {
  const kinds = kindsOf(assetClass);
  const newest = await Promise.all(kinds.map((kind) => newestRun(kind, ports)));
  const runs = newest.filter((run) => run !== null);
  if (runs.length === 0) throw await noRunError(kinds, ports);
  const [stocks, crypto] = runs;
  if (stocks === undefined || crypto === undefined || stocks.run_id !== crypto.run_id) return runs;
  const rows = [...stocks.rows, ...crypto.rows];
  return [{ ...stocks, rows, failures: [...stocks.failures, ...crypto.failures] }];
}

function startOf(cursor: string, mark: string): number {
  const [, offset, of] = /^(\d{1,6})\|(.+)$/.exec(Buffer.from(cursor, "base64url").toString("utf8")) ?? [];
  if (offset === undefined)
    throw new ToolError("INVALID_INPUT", "The cursor is invalid", {
      hint: "Pass next_cursor of the previous page unchanged, or omit it for the first page.",
    });
  if (of!.split("|")[0] !== mark.split("|")[0])
    throw new ToolError("INVALID_INPUT", "The cursor belongs to other filters or another sort order", {
      hint: "Request the next page with the same filters and sort, or omit the cursor.",
    });
  if (of !== mark)
    throw new ToolError("CONFLICT", "A newer run has finished since the previous page", {
      hint: "Omit the cursor to start with the newest run.",
    });
  return Number(offset);
}

const passes = (row: EngineRow, filters: Filters): boolean =>
  (filters.tier === undefined || row.tier === filters.tier) &&
  (filters.bias === undefined || row.direction === filters.bias) &&
  (filters.grade === undefined || passesGrade(filters.grade, row.grade)) &&
  (filters.stage === undefined || row.stage === filters.stage) &&
  (filters.phase === undefined || row.wyckoff.phase === filters.phase) &&
  (filters.min_score === undefined || shownScore(row.score!) >= filters.min_score) &&
  (filters.sector === undefined || (row.sector !== null && sameText(row.sector, filters.sector))) &&
  (filters.asset_class === undefined || row.asset_class === filters.asset_class);

const screenRow = (
  row: EngineRow,
  { usualDay, now }: { readonly usualDay: string; readonly now: Date },
): ScreenRow => ({
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
    // the stop of a long trade is below its entry
    side: row.stop < row.entry ? "LONG" : "SHORT",
    odds: row.odds,
  },
  ...rowConflicts(row, isStaleRow(row, now)),
  close: row.close,
  as_of: row.as_of,
  other_day:
    row.as_of.slice(0, 10) === usualDay
      ? null
      : `Its bars end at ${row.as_of}; those of most rows end on ${usualDay}`,
  source: row.source,
  venue: row.venue,
});

/** Sorts rows whose direction is WAIT, which have no plan, after all others. */
const byPlan = (a: ScreenRow, b: ScreenRow): number => Number(a.bias === "WAIT") - Number(b.bias === "WAIT");
/** Returns how far a score lies from neutral, in the direction of the plan. */
const strengthOf = ({ overallScore }: ScreenRow): number => Math.abs(overallScore - 50);
/** Returns the expected result of the plan in R; without odds less than any. */
const expectedR = ({ actionCard: { odds } }: ScreenRow): number =>
  odds?.expected_r?.mean ?? Number.NEGATIVE_INFINITY;
const bySymbol = (a: ScreenRow, b: ScreenRow): number => (a.symbol < b.symbol ? -1 : 1);
const ORDERS = {
  score: (a, b) => b.overallScore - a.overallScore || bySymbol(a, b),
  score_asc: (a, b) => a.overallScore - b.overallScore || bySymbol(a, b),
  setup: (a, b) => byPlan(a, b) || strengthOf(b) - strengthOf(a) || bySymbol(a, b),
  rr: (a, b) => byPlan(a, b) || b.actionCard.rr - a.actionCard.rr || bySymbol(a, b),
  expected_r: (a, b) => byPlan(a, b) || expectedR(b) - expectedR(a) || bySymbol(a, b),
  symbol: bySymbol,
} as const satisfies Record<Sort, (a: ScreenRow, b: ScreenRow) => number>;
