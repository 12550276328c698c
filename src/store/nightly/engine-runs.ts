import type { Kysely } from "kysely";
import { z } from "zod";
import { kindOf, type MarketKind } from "../../domain/market/market.ts";
import {
  EngineRow,
  type EngineRun,
  MarketIndexValue,
  RunHead,
  type UniverseName,
} from "../../domain/nightly/engine.ts";
import type { MomentumRanks, RunStatus } from "../../domain/nightly/run-repository-port.ts";
import type { Clock, EngineResult, EngineRuns } from "../../domain/ports.ts";
import { compare, findRow, listRows, type MarketDb } from "../queries.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";

const UNIVERSES_OF = {
  stocks: ["sp500", "all"],
  crypto: ["crypto", "all"],
} as const satisfies Record<MarketKind, readonly UniverseName[]>;
const Members = z.array(z.string());
const Ranks = z.object({ time: z.number(), returns: z.record(z.string(), z.number()) });
/** Maximum number of runs among which the newest of each universe is looked for. */
const MAX_RECENT_RUNS = 12;
/** Maximum age of ranks, from the start of their bar. */
const MAX_RANKS_AGE_MS = 7 * 86_400_000;
/** Maximum number of parsed ranks that are cached. */
const MAX_PARSED_RANKS = 40;

/** The row that describes a run, without the results. */
export type HeadRow = Schema["engine_runs"];

/** Parses the description of a run; null for an invalid row. */
export function headOf({ members, market, run_at, market_index, ...row }: HeadRow): RunHead | null {
  const read = RunHead.safeParse({ ...row, members: readRow(Members, members) });
  return read.success ? read.data : null;
}

/**
 * Creates the reader of one market's finished runs and their results. Ignores invalid rows and runs from the future,
 * written by a clock that was ahead. The newest run of each kind is cached.
 */
export function engineRuns({
  db,
  market,
  clock,
}: MarketDb & {
  readonly clock: Clock;
}): EngineRuns {
  const now = () => clock.now().toISOString();
  const cached = new Map<string, EngineRun>();
  // stored ranks of a run never change
  const parsedRanks = new Map<string, MomentumRanks>();
  return {
    async latest(symbol, timeframe) {
      const past = { market, symbol, timeframe, run_at: compare({ "<=": now() }) };
      const row = await findRow(db, "engine_results", past, { order: ["run_at desc"] });
      if (row === undefined) return null;
      const { run_id, run_at: runAt, score, grade, direction } = row;
      return { run_id, runAt, score, grade, direction: direction as EngineResult["direction"] };
    },
    async newest(timeframe, kind) {
      const found = await findRow(
        db,
        "engine_runs",
        { market, timeframe, universe: UNIVERSES_OF[kind], run_at: compare({ "<=": now() }) },
        { columns: ["run_id"], order: ["run_at desc", "run_id desc"] },
      );
      if (found === undefined) return null;
      const key = `${timeframe}|${kind}`;
      const before = cached.get(key);
      if (before?.run_id === found.run_id) return before;
      const run = await readRun(db, found.run_id, kind);
      if (run !== null) cached.set(key, run);
      return run;
    },
    async unfinished(timeframe, kind) {
      const universe = UNIVERSES_OF[kind];
      const found = await findRow(
        db,
        "engine_runs",
        { market, timeframe, universe, run_at: null, started_at: compare({ "<=": now() }) },
        { columns: ["run_id"], order: ["started_at desc", "run_id desc"] },
      );
      return found === undefined ? null : readRun(db, found.run_id, kind);
    },
    async recent() {
      const runs = (await runStatuses({ db, market }, MAX_RECENT_RUNS)).filter(
        ({ started_at }) => started_at <= now(),
      );
      return [...new Map(runs.toReversed().map((run) => [run.universe, run])).values()].toReversed();
    },
    async ranks(kind, time) {
      const iso = (at: number) => new Date(at).toISOString();
      // a bar closes up to two days after it starts, and a run may be up to a few days later
      const runs = await db
        .selectFrom("engine_runs as run")
        .innerJoin("engine_ranks as ranks", "ranks.run_id", "run.run_id")
        .select(["run.run_id", "run.started_at"])
        .where("run.market", "=", market)
        .where("run.universe", "in", UNIVERSES_OF[kind])
        .where("ranks.kind", "=", kind)
        .where("run.started_at", "<=", now())
        .where("run.as_of", ">=", iso(time - MAX_RANKS_AGE_MS))
        .where("run.as_of", "<=", iso(time + MAX_RANKS_AGE_MS))
        .execute();
      // sorted here, because the index is by another time
      runs.sort((a, b) => Date.parse(b.started_at) - Date.parse(a.started_at));
      let newest: MomentumRanks | null = null;
      for (const { run_id } of runs) {
        const key = `${run_id}|${kind}`;
        const ranks = parsedRanks.get(key) ?? (await readRanks(db, run_id, kind));
        if (ranks === null) continue;
        if (parsedRanks.size >= MAX_PARSED_RANKS) parsedRanks.clear();
        parsedRanks.set(key, ranks);
        if (ranks.time === time) return ranks;
        if (ranks.time < time && ranks.time >= time - MAX_RANKS_AGE_MS && ranks.time > (newest?.time ?? 0))
          newest = ranks;
      }
      return newest;
    },
  };
}

/** Returns the runs of a market, newest first. */
export async function runStatuses({ db, market }: MarketDb, limit: number): Promise<readonly RunStatus[]> {
  const rows = await db
    .selectFrom("engine_runs as run")
    .selectAll("run")
    // a finished run counts results, because its rows may be deleted
    .select(({ selectFrom, case: when }) =>
      when()
        .when("run.run_at", "is", null)
        .then(
          selectFrom("engine_rows as row")
            .select((of) => of.fn.countAll<number>().as("count"))
            .whereRef("row.run_id", "=", "run.run_id"),
        )
        .else(
          selectFrom("engine_results as result")
            .select((of) => of.fn.countAll<number>().as("count"))
            .whereRef("result.run_id", "=", "run.run_id"),
        )
        .end()
        .as("results"),
    )
    .where("run.market", "=", market)
    .orderBy("run.started_at", "desc")
    .limit(limit)
    .execute();
  return rows.flatMap((row) => {
    const head = headOf(row);
    if (head === null) return [];
    const { run_id, universe, timeframe, as_of, started_at, content } = head;
    return [
      {
        run_id,
        universe,
        timeframe,
        as_of,
        started_at,
        content,
        runAt: row.run_at,
        members: head.members.length,
        rows: Number(row.results),
        // a member of a finished run has either a result or a failure
        failures: row.run_at === null ? 0 : head.members.length - Number(row.results),
      },
    ];
  });
}

/** Parses the ranks of a run; null for an invalid row. */
export function ranksIn({ kind, hash, json }: Schema["engine_ranks"]): MomentumRanks | null {
  const ranks = readRow(Ranks, json);
  return ranks === null ? null : { kind: kind as MarketKind, hash, ...ranks };
}

async function readRanks(
  db: Kysely<Schema>,
  run_id: string,
  kind: MarketKind,
): Promise<MomentumRanks | null> {
  const row = await findRow(db, "engine_ranks", { run_id, kind });
  return row === undefined ? null : ranksIn(row);
}

/** Reads the results of a run, ordered by symbol, without invalid rows. */
export async function rowsOf(db: Kysely<Schema>, runId: string): Promise<readonly EngineRow[]> {
  const rows = await listRows(db, "engine_rows", { run_id: runId }, { order: ["symbol"] });
  return rows.map(({ json }) => readRow(EngineRow, json)).filter((row) => row !== null);
}

async function readRun(db: Kysely<Schema>, runId: string, kind: MarketKind): Promise<EngineRun | null> {
  const row = (await findRow(db, "engine_runs", { run_id: runId }))!;
  const head = headOf(row);
  if (head === null) return null;
  const [rows, failures] = await Promise.all([
    rowsOf(db, runId),
    listRows(
      db,
      "engine_failures",
      { run_id: runId },
      { columns: ["symbol", "code", "message"], order: ["symbol"] },
    ),
  ]);
  return {
    ...head,
    runAt: row.run_at,
    rows: rows.filter((result) => kindOf(result) === kind),
    // A failure has no asset class, but only crypto symbols end in -USD.
    failures: failures.filter(({ symbol }) => (kind === "crypto") === symbol.endsWith("-USD")),
    index: row.market_index === null ? null : readRow(MarketIndexValue, row.market_index),
  };
}
