import { type Kysely, sql, type Transaction } from "kysely";
import type { EngineRow } from "../../domain/nightly/engine.ts";
import type { RunRepository } from "../../domain/nightly/run-repository-port.ts";
import { jsonText } from "../engine.ts";
import { endJob } from "../jobs.ts";
import {
  compare,
  deleteRows,
  findRow,
  insertMissing,
  insertRows,
  listRows,
  type MarketDb,
  updateRows,
} from "../queries.ts";
import type { Schema } from "../schema.ts";
import { recordTransaction, storeTransaction } from "../transactions.ts";
import { headOf, ranksIn, rowsOf, runStatuses } from "./engine-runs.ts";

/** Number of finished runs per universe and timeframe whose rows stay stored. */
const MAX_FINISHED_RUNS = 30;
/** Maximum number of interrupted runs considered for resuming. */
const MAX_STOPPED_RUNS = 50;
/** Maximum age of an interrupted run that may be resumed. */
const MAX_STOPPED_AGE_MS = 7 * 86_400_000;

/**
 * Creates the repository of one market's engine runs. Rows survive a crash and count as results only after the run is
 * finished. `backgroundDb`: for what only the process writes that began the run. Default: `db`.
 */
export const runRepository = ({
  db,
  backgroundDb = db,
  market,
}: MarketDb & { readonly backgroundDb?: MarketDb["db"] }): RunRepository => ({
  async begin(head) {
    const row = { ...head, market, members: JSON.stringify(head.members), run_at: null, market_index: null };
    await insertRows(backgroundDb, "engine_runs", [row]);
  },

  async open(run_id) {
    const row = await findRow(db, "engine_runs", { market, run_id, run_at: null });
    return row === undefined ? null : headOf(row);
  },

  async unfinished({ universe, universe_hash, timeframe, model_version }) {
    const run = { market, universe, universe_hash, timeframe, model_version, run_at: null };
    const row = await findRow(db, "engine_runs", run, { order: ["started_at desc"] });
    return row === undefined ? null : headOf(row);
  },

  async stopped({ model_version }) {
    const page = { order: ["started_at desc"], limit: MAX_STOPPED_RUNS } as const;
    const rows = await listRows(db, "engine_runs", { market, model_version, run_at: null }, page);
    return rows.flatMap((row) => headOf(row) ?? []);
  },

  async ranks(runId) {
    const rows = await listRows(db, "engine_ranks", { run_id: runId }, { order: ["kind", "hash"] });
    return rows.flatMap((row) => ranksIn(row) ?? []);
  },

  async saveRanks(runId, ranks) {
    const rows = ranks.map(({ kind, hash, time, returns }) => ({
      run_id: runId,
      kind,
      hash,
      json: JSON.stringify({ time, returns }),
    }));
    await insertMissing(backgroundDb, "engine_ranks", rows);
  },

  async computedSymbols(runId) {
    return new Set((await finalRows(db, runId)).map(({ symbol }) => symbol));
  },

  rows: (runId) => finalRows(db, runId),

  write: (runId, rows, end) =>
    recordTransaction(db, async (tx) => {
      if (end !== undefined && !(await endJob(tx, end.claim, end))) return false;
      const symbols = rows.map(({ symbol }) => symbol);
      await deleteEarlyRows(tx, runId).where("symbol", "in", symbols).execute();
      await insertMissing(
        tx,
        "engine_rows",
        rows.map((row) => columnsOf(runId, row)),
      );
      return true;
    }),

  async writeEarly(runId, rows, index) {
    await storeTransaction(backgroundDb, async (tx) => {
      await insertMissing(
        tx,
        "engine_rows",
        rows.map((row) => columnsOf(runId, { ...row, early: true })),
      );
      const market_index = index === null ? null : JSON.stringify(index);
      await updateRows(tx, "engine_runs", { run_id: runId, market, run_at: null }, { market_index });
    });
  },

  async finish(runId, { runAt, failures, index }) {
    await storeTransaction(backgroundDb, async (tx) => {
      const done = await tx
        .updateTable("engine_runs")
        .set({ run_at: runAt, market_index: index === null ? null : JSON.stringify(index) })
        .where("run_id", "=", runId)
        .where("market", "=", market)
        .where("run_at", "is", null)
        .returning(["universe", "timeframe"])
        .executeTakeFirst();
      if (done === undefined) return;
      await deleteEarlyRows(tx, runId).execute();
      await tx
        .insertInto("engine_results")
        .columns(["run_id", "run_at", "market", "symbol", "timeframe", "score", "grade", "direction"])
        .expression((from) =>
          from
            .selectFrom("engine_rows as row")
            .innerJoin("engine_runs as run", "run.run_id", "row.run_id")
            .select(["row.run_id", "run.run_at", "run.market", "row.symbol", "run.timeframe"])
            .select(["row.score", "row.grade", "row.direction"])
            .where("row.run_id", "=", runId)
            .$castTo<Schema["engine_results"]>(),
        )
        .execute();
      await insertRows(
        tx,
        "engine_failures",
        failures.map((failure) => ({ run_id: runId, ...failure })),
      );
      await prune(tx, { ...done, market, now: Date.parse(runAt) });
    });
  },

  status: (limit) => runStatuses({ db, market }, limit),
});

async function finalRows(db: Kysely<Schema>, runId: string): Promise<readonly EngineRow[]> {
  return (await rowsOf(db, runId)).filter(({ early }) => early === undefined);
}

const deleteEarlyRows = (tx: Transaction<Schema>, runId: string) =>
  tx
    .deleteFrom("engine_rows")
    .where("run_id", "=", runId)
    .where(sql<boolean>`${jsonText(tx, "json", "early")} in ('1', 'true')`);

const columnsOf = (runId: string, row: EngineRow): Schema["engine_rows"] => ({
  run_id: runId,
  symbol: row.symbol,
  score: row.score,
  grade: row.grade,
  direction: row.direction,
  json: JSON.stringify(row),
});

/**
 * Deletes the rows, failures and ranks of old finished runs, whose results per symbol stay, and deletes old interrupted
 * runs.
 */
async function prune(
  tx: Transaction<Schema>,
  run: {
    readonly market: string;
    readonly universe: string;
    readonly timeframe: string;
    readonly now: number;
  },
): Promise<void> {
  const { now, ...ofUniverse } = run;
  const columns = ["run_id"] as const;
  const past = await listRows(
    tx,
    "engine_runs",
    { ...ofUniverse, run_at: compare({ "!=": null }) },
    { columns, order: ["run_at desc"], offset: MAX_FINISHED_RUNS, limit: MAX_FINISHED_RUNS },
  );
  const stopped = new Date(now - MAX_STOPPED_AGE_MS).toISOString();
  const unfinished = { ...ofUniverse, run_at: null, started_at: compare({ "<": stopped }) };
  const unfinishedIds = (await listRows(tx, "engine_runs", unfinished, { columns })).map(
    ({ run_id }) => run_id,
  );
  const run_id = [...past.map((finished) => finished.run_id), ...unfinishedIds];
  for (const table of ["engine_rows", "engine_failures", "engine_ranks"] as const)
    await deleteRows(tx, table, { run_id });
  await deleteRows(tx, "engine_runs", { run_id: unfinishedIds });
}
