import { createHash } from "node:crypto";
import type { ScreenRule } from "../../analytics/conditions/screen-rule.ts";
import { kindOf, MARKET_KINDS } from "../../domain/market/market.ts";
import type { EngineRow, EngineRun } from "../../domain/nightly/engine.ts";
import type { Facets, ScreenExtra, ScreenRow } from "../../domain/nightly/scan.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { sideOfLevels } from "../../lib/levels-side.ts";
import { rowConflicts } from "../signal/conflict-fields.ts";
import { withStaleNotes } from "../signal/notes.ts";
import { recordNotes } from "../signal/record-notes.ts";
import { moveFields } from "./move-fields.ts";
import { hasRun, hasWholeRun, newestRun, noRunError } from "./newest-run.ts";
import { withPrices } from "./row-prices.ts";
import { isStaleRow, runNote, runNotes, runNotesOnRows, servedRow, staleRunNotes } from "./run-notes.ts";
import { highlightsOf } from "./scan.ts";
import { type Filters, facetsOf, nearlyPasses, passes, sameText } from "./screen-filters.ts";
import { type Order, rowOrder, type Sort } from "./screen-order.ts";
import { parseScreenRule, type RulePorts, rowsByRule } from "./screen-rules.ts";
import { usualDays } from "./usual-days.ts";
import { waitForRun } from "./wait-for-run.ts";

interface ScreenRequest {
  readonly filters: Filters;
  readonly sort: Sort;
  /** Default: that of the column. */
  readonly order?: Order | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Prices are read for the rows of the page only. Default: none. */
  readonly include?: readonly ScreenExtra[] | undefined;
}

type ScreenPorts = NewestRunPorts & RulePorts & Pick<Ports, "trackRecord" | "quotes">;

/**
 * Returns a page of the newest runs over stocks, funds and crypto. Rejects with NOT_ENOUGH_DATA before the first run,
 * INVALID_INPUT for an invalid cursor or rule, and CONFLICT for a cursor of an older run.
 */
export async function screenRuns(
  { filters, sort, order, limit, cursor, include = [] }: ScreenRequest,
  ports: ScreenPorts,
) {
  const { clock } = ports;
  const now = clock.now();
  const runs = await newestRuns(ports, filters.asset_class);
  const queryHash = createHash("sha256")
    .update(JSON.stringify([filters, sort, order]))
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
    .filter((row) => passes(row, filters));
  const matches = rule === null ? { rows: passing, notes: [] } : await rowsByRule(rule, passing, ports);
  const rows = matches.rows
    .map((row) =>
      screenRow(row, { usualDay: dayOf.get(row.symbol)!, now, withCloses: include.includes("closes") }),
    )
    .sort(rowOrder(sort, order));
  const end = start + limit;
  const page = rows.slice(start, end);
  return {
    rows: include.includes("prices") ? await withPrices(page, ports) : page,
    ...(include.includes("facets") && {
      facets: await countFacets({ filters, runs, rule, matches: matches.rows }, ports),
    }),
    total: rows.length,
    universe: [...new Set(runs.map(({ universe }) => universe))].join("+"),
    runs: runs.map((run) => runNote(run, now)),
    next: end < rows.length ? Buffer.from(`${end}|${mark}`).toString("base64url") : null,
    ...withStaleNotes(
      [...staleRunNotes(runs, now), ...runNotesOnRows(page, runs, now)],
      [
        ...recordNotes(page, await ports.trackRecord.published("1d")),
        ...runNotes(runs, now),
        ...unknownSectorNotes(filters.sector, runs),
        ...matches.notes,
      ],
    ),
  };
}

/** Counts the matching rows, and those that miss one filter, by value. */
async function countFacets(
  {
    filters,
    runs,
    rule,
    matches,
  }: {
    readonly filters: Filters;
    readonly runs: readonly EngineRun[];
    readonly rule: ScreenRule | null;
    readonly matches: readonly EngineRow[];
  },
  ports: ScreenPorts,
): Promise<Facets> {
  const now = ports.clock.now();
  const all = (filters.asset_class ?? []).length === 0 ? runs : await newestRuns(ports);
  const near = all
    .flatMap((run) => run.rows)
    .map((row) => servedRow(row, now))
    .filter((row) => nearlyPasses(row, filters));
  const others = rule === null ? near : (await rowsByRule(rule, near, ports)).rows;
  return facetsOf([...matches, ...others], filters);
}

const sectorsOf = (runs: readonly EngineRun[]): readonly string[] =>
  [...new Set(runs.flatMap(({ rows }) => rows.flatMap((row) => row.sector ?? [])))].sort();

/** Returns a note on unknown sectors that lists the known ones, since it may be a spelling mistake. */
export function unknownSectorNotes(
  requested: readonly string[] | undefined,
  runs: readonly EngineRun[],
): readonly string[] {
  const sectors = sectorsOf(runs);
  const unknown = requested?.filter((sector) => !sectors.some((known) => sameText(known, sector))) ?? [];
  if (unknown.length === 0) return [];
  const name = requested?.length === 1 ? "the requested sector" : `"${unknown.join('", "')}"`;
  return [`No row of the newest runs is in ${name}; known sectors: ${sectors.join(", ") || "none"}`];
}

export type NewestRunPorts = Pick<Ports, "engineRuns" | "clock" | "market">;

/** Returns a key that changes with every newer run and with every row of an unfinished one. */
export const runsKey = (runs: readonly EngineRun[]): string =>
  runs.map(({ run_id, runAt, rows }) => (runAt === null ? `${run_id}:${rows.length}` : run_id)).join("+");

/** Asset classes of the runs that are read. Default: all. */
type AssetClasses = readonly ScreenRow["asset_class"][] | undefined;

const kindsOf = (assetClasses: AssetClasses) =>
  MARKET_KINDS.filter(
    (kind) =>
      assetClasses === undefined ||
      assetClasses.length === 0 ||
      assetClasses.some((asset_class) => kindOf({ asset_class }) === kind),
  );

/** Waits for the rows of `newestRuns` while the first run is in progress, at most 8 s. */
export const waitForRuns = (
  ports: Pick<Ports, "engineRuns">,
  signal: AbortSignal | undefined,
  assetClasses?: AssetClasses,
): Promise<void> | undefined =>
  waitForRun(() => hasRun(kindsOf(assetClasses), ports), ports.engineRuns.ongoing, signal);

/** Waits for the runs of `wholeRuns` while the first run is in progress, at most 8 s. */
export const waitForWholeRuns = (
  ports: Pick<Ports, "engineRuns">,
  signal: AbortSignal | undefined,
  assetClasses?: AssetClasses,
): Promise<void> | undefined =>
  waitForRun(() => hasWholeRun(kindsOf(assetClasses), ports), ports.engineRuns.ongoing, signal);

/**
 * Returns `newestRuns` for figures over all members of a run. Rejects with UPSTREAM_UNAVAILABLE while one of them is in
 * progress.
 */
export async function wholeRuns(
  ports: NewestRunPorts,
  assetClasses?: AssetClasses,
): Promise<readonly EngineRun[]> {
  const runs = await newestRuns(ports, assetClasses);
  const isRunning = (ports.engineRuns.ongoing?.current() ?? null) !== null;
  if (isRunning && runs.some(({ runAt }) => runAt === null))
    throw await noRunError(kindsOf(assetClasses), ports);
  return runs;
}

/**
 * Returns the newest runs of the requested asset classes, each once: finished ones, or before the first one the rows
 * computed so far. Rejects with NOT_ENOUGH_DATA while there are none.
 */
export async function newestRuns(
  ports: NewestRunPorts,
  assetClasses?: AssetClasses,
): Promise<readonly EngineRun[]> {
  const kinds = kindsOf(assetClasses);
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

const screenRow = (
  row: EngineRow,
  {
    usualDay,
    now,
    withCloses,
  }: { readonly usualDay: string; readonly now: Date; readonly withCloses: boolean },
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
    side: sideOfLevels(row.stop, row.targets[0]!),
    odds: row.odds,
  },
  ...rowConflicts(row, isStaleRow(row, now)),
  close: row.close,
  ...moveFields(row, { withCloses }),
  as_of: row.as_of,
  other_day:
    row.as_of.slice(0, 10) === usualDay
      ? null
      : `Its bars end at ${row.as_of}; those of most rows end on ${usualDay}`,
  source: row.source,
  venue: row.venue,
});
