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
import type { Clock, EngineResult, EngineRuns } from "../../domain/ports.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";

const UNIVERSES_OF = {
  stocks: ["sp500", "all"],
  crypto: ["crypto", "all"],
} as const satisfies Record<MarketKind, readonly UniverseName[]>;
const Members = z.array(z.string());

/** A run's row without its results. */
export type HeadRow = Schema["engine_runs"];

/** What a run is of; null where its row is spoiled. */
export function headOf({ members, market, run_at, market_index, ...row }: HeadRow): RunHead | null {
  const read = RunHead.safeParse({ ...row, members: readRow(Members, members) });
  return read.success ? read.data : null;
}

/**
 * Finished runs and their results; one market never sees another's, and a row of another shape is passed over, as is a run
 * of a time to come, which a clock that was ahead has written. The newest run of each kind is read once and kept.
 */
export function engineRuns({
  db,
  market,
  clock,
}: {
  readonly db: Kysely<Schema>;
  readonly market: string;
  readonly clock: Clock;
}): EngineRuns {
  const now = () => clock.now().toISOString();
  const kept = new Map<string, EngineRun>();
  return {
    async latest(symbol, timeframe) {
      const row = await db
        .selectFrom("engine_results")
        .select(["run_id", "run_at as runAt", "score", "grade", "direction"])
        .where("market", "=", market)
        .where("symbol", "=", symbol)
        .where("timeframe", "=", timeframe)
        .where("run_at", "<=", now())
        .orderBy("run_at", "desc")
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? null : { ...row, direction: row.direction as EngineResult["direction"] };
    },
    async newest(timeframe, kind) {
      const found = await db
        .selectFrom("engine_runs")
        .select(["run_id", "run_at"])
        .where("market", "=", market)
        .where("timeframe", "=", timeframe)
        .where("universe", "in", UNIVERSES_OF[kind])
        .where("run_at", "<=", now())
        .orderBy("run_at", "desc")
        .orderBy("run_id", "desc")
        .limit(1)
        .executeTakeFirst();
      if (found === undefined) return null;
      const key = `${timeframe}|${kind}`;
      const before = kept.get(key);
      if (before?.run_id === found.run_id) return before;
      const run = await readRun(db, found.run_id, kind);
      if (run !== null) kept.set(key, run);
      return run;
    },
  };
}

/** What a run found, by symbol, without rows of another shape. */
export async function rowsOf(db: Kysely<Schema>, runId: string): Promise<readonly EngineRow[]> {
  const rows = await db
    .selectFrom("engine_rows")
    .select("said")
    .where("run_id", "=", runId)
    .orderBy("symbol")
    .execute();
  return rows.map(({ said }) => readRow(EngineRow, said)).filter((one) => one !== null);
}

async function readRun(db: Kysely<Schema>, runId: string, kind: MarketKind): Promise<EngineRun | null> {
  const row = await db
    .selectFrom("engine_runs")
    .selectAll()
    .where("run_id", "=", runId)
    .executeTakeFirstOrThrow();
  const head = headOf(row);
  if (head === null || row.run_at === null) return null;
  const [rows, failures] = await Promise.all([
    rowsOf(db, runId),
    db
      .selectFrom("engine_failures")
      .select(["symbol", "code", "message"])
      .where("run_id", "=", runId)
      .orderBy("symbol")
      .execute(),
  ]);
  return {
    ...head,
    runAt: row.run_at,
    rows: rows.filter((one) => kindOf(one) === kind),
    // of a failure the symbol alone is kept: a coin's is a pair
    failures: failures.filter(({ symbol }) => (kind === "crypto") === symbol.endsWith("-USD")),
    index: row.market_index === null ? null : readRow(MarketIndexValue, row.market_index),
  };
}
