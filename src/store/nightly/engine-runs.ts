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
import type { MomentumRanks } from "../../domain/nightly/run-repository-port.ts";
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
    async ranks(kind, time) {
      const iso = (at: number) => new Date(at).toISOString();
      // a bar closes up to two days after it starts, and a run may be up to a few days later
      const runs = await db
        .selectFrom("engine_runs as run")
        .innerJoin("engine_ranks as ranks", "ranks.run_id", "run.run_id")
        .select("run.run_id")
        .where("run.market", "=", market)
        .where("run.universe", "in", UNIVERSES_OF[kind])
        .where("ranks.kind", "=", kind)
        .where("run.started_at", "<=", now())
        .where("run.as_of", ">=", iso(time - MAX_RANKS_AGE_MS))
        .where("run.as_of", "<=", iso(time + MAX_RANKS_AGE_MS))
        .orderBy("run.started_at", "desc")
        .execute();
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

/** Parses the ranks of a run; null for an invalid row. */
export function ranksIn({ kind, hash, said }: Schema["engine_ranks"]): MomentumRanks | null {
  const ranks = readRow(Ranks, said);
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
  return rows.map(({ said }) => readRow(EngineRow, said)).filter((row) => row !== null);
}

async function readRun(db: Kysely<Schema>, runId: string, kind: MarketKind): Promise<EngineRun | null> {
  const row = (await findRow(db, "engine_runs", { run_id: runId }))!;
  const head = headOf(row);
  if (head === null || row.run_at === null) return null;
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
