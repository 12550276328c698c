import { type Kysely, type Selectable, sql } from "kysely";
import {
  type DeadJobs,
  type JobClaim,
  type JobQueue,
  type JobState,
  type JobStatus,
  MAX_ATTEMPTS,
  type NewJob,
} from "../domain/jobs-port.ts";
import type { Clock } from "../domain/ports.ts";
import { latestEnd } from "../lib/expiry.ts";
import { isPostgres } from "./engine.ts";
import { compare, deleteRows, findRow, insertRows, listRows, type MarketDb, updateRows } from "./queries.ts";
import type { Schema } from "./schema.ts";
import { storeTransaction } from "./transactions.ts";

/** Maximum age of the jobs of a run that was never finished; dead ones are kept for longer. */
const MAX_AGE_MS = 2 * 86_400_000;
const MAX_DEAD_AGE_MS = 30 * 86_400_000;
const MAX_ERROR_LENGTH = 1_000;
const FREE = { owner: null, lease_until: null };

interface JobsDb extends MarketDb {
  /** For what the process with the background work writes. Default: `db`. */
  readonly backgroundDb?: MarketDb["db"];
  readonly clock: Clock;
}

const held = ({ id, token }: JobClaim) => ({ id, token, state: "running" });

/**
 * Ends a job in a transaction that writes its result. Returns false if the job was removed or another process has taken it;
 * then nothing may be written.
 */
export async function endJob(
  tx: Kysely<Schema>,
  claim: JobClaim,
  { result, now }: { readonly result: unknown; readonly now: Date },
): Promise<boolean> {
  const ended = { ...FREE, state: "done", result: JSON.stringify(result), ended_at: now.toISOString() };
  return (await updateRows(tx, "jobs", held(claim), ended)) === 1;
}

/**
 * Ends a job in a transaction with what `write` returns as its result, and returns it. Returns null, without a call of
 * `write`, if the job was removed or another process has taken it.
 */
export async function endJobWith<T>(
  tx: Kysely<Schema>,
  claim: JobClaim,
  { now, write }: { readonly now: Date; readonly write: () => Promise<T> },
): Promise<T | null> {
  if (!(await endJob(tx, claim, { result: null, now }))) return null;
  const result = await write();
  await updateRows(tx, "jobs", { id: claim.id }, { result: JSON.stringify(result) });
  return result;
}

export function jobQueue({ db, backgroundDb = db, market, clock }: JobsDb): JobQueue & DeadJobs {
  const now = () => clock.now();
  const ago = (ms: number) => compare({ "<": new Date(now().getTime() - ms).toISOString() });
  return {
    replace: (kind, run, payloads) =>
      storeTransaction(backgroundDb, async (tx) => {
        const unfinished = ["pending", "running", "done"];
        await deleteRows(tx, "jobs", { market, kind, state: unfinished, added_at: ago(MAX_AGE_MS) });
        await deleteRows(tx, "jobs", { market, kind, state: "dead", added_at: ago(MAX_DEAD_AGE_MS) });
        await deleteRows(tx, "jobs", { market, kind, run });
        const added_at = now().toISOString();
        await insertRows(
          tx,
          "jobs",
          payloads.map((payload) => rowOf({ kind, run, payload }, { market, added_at })),
        );
      }),

    remove: async (kind, run) => void (await deleteRows(backgroundDb, "jobs", { market, kind, run })),

    list: async (kind, run) =>
      (await listRows(db, "jobs", { market, kind, run }, { order: ["id"] })).map(toStatus),

    async take(kind, owner, leaseMs) {
      const at = now().getTime();
      const next = db
        .selectFrom("jobs")
        .select("id")
        .where((is) => is.and({ market, kind }))
        .where("state", "in", ["pending", "running"])
        .where((is) =>
          is.or([
            is("lease_until", "is", null),
            is("lease_until", "<=", at),
            // taken while the clock was ahead
            is("lease_until", ">", latestEnd(at, leaseMs)),
          ]),
        )
        // a job that ends the process that does it is tried after those that were not tried yet
        .orderBy("attempts")
        .orderBy("id")
        .limit(1);
      // read first: an update waits for the write lock of SQLite even if it finds no row
      if ((await next.executeTakeFirst()) === undefined) return null;
      const row = await db
        .updateTable("jobs")
        .set(({ eb }) => ({
          state: "running",
          owner,
          lease_until: at + leaseMs,
          started_at: now().toISOString(),
          token: eb("token", "+", 1),
          attempts: eb("attempts", "+", 1),
        }))
        .where("id", "=", isPostgres(db) ? next.forUpdate().skipLocked() : next)
        .returning(["id", "token", "run", "payload", "attempts"])
        .executeTakeFirst();
      return row === undefined ? null : { ...row, kind, payload: JSON.parse(row.payload) };
    },

    renew: async (claim, leaseMs) =>
      (await updateRows(db, "jobs", held(claim), { lease_until: now().getTime() + leaseMs })) === 1,

    async release(claim) {
      await db
        .updateTable("jobs")
        .set(({ eb }) => ({ ...FREE, state: "pending", attempts: eb("attempts", "-", 1) }))
        .where((is) => is.and(held(claim)))
        .execute();
    },

    async fail(claim, error, { isFinal = false } = {}) {
      await db
        .updateTable("jobs")
        .set({
          ...FREE,
          error: error.slice(0, MAX_ERROR_LENGTH),
          ended_at: now().toISOString(),
          state: isFinal
            ? "dead"
            : sql<string>`CASE WHEN attempts >= ${MAX_ATTEMPTS} THEN 'dead' ELSE 'pending' END`,
        })
        .where((is) => is.and(held(claim)))
        .execute();
    },

    end: (claim, result) => endJob(db, claim, { result, now: now() }),

    dead: async (limit) =>
      (await listRows(db, "jobs", { market, state: "dead" }, { order: ["id desc"], limit })).map(toStatus),

    async findDead(id) {
      const row = await findRow(db, "jobs", { market, id, state: "dead" });
      return row === undefined ? null : toStatus(row);
    },

    retry: (id, after) =>
      storeTransaction(db, async (tx) => {
        const again = { state: "pending", attempts: 0 };
        if ((await updateRows(tx, "jobs", { market, id, state: "dead" }, again)) === 0) return false;
        if (after === null) return true;
        const { kind, run } = after;
        const waiting = await findRow(tx, "jobs", { market, kind, run, state: ["pending", "running"] });
        if (waiting !== undefined) return true;
        await deleteRows(tx, "jobs", { market, kind, run });
        await insertRows(tx, "jobs", [rowOf(after, { market, added_at: now().toISOString() })]);
        return true;
      }),
  };
}

const rowOf = (
  { kind, run, payload }: NewJob,
  added: { readonly market: string; readonly added_at: string },
) => ({
  ...added,
  kind,
  run,
  payload: JSON.stringify(payload),
  state: "pending",
  attempts: 0,
  token: 0,
  result: null,
  error: null,
  started_at: null,
  ended_at: null,
  ...FREE,
});

const toStatus = (row: Selectable<Schema["jobs"]>): JobStatus => ({
  id: row.id,
  kind: row.kind,
  run: row.run,
  payload: JSON.parse(row.payload),
  state: row.state as JobState,
  attempts: row.attempts,
  error: row.error,
  result: row.result === null ? null : JSON.parse(row.result),
  addedAt: row.added_at,
  startedAt: row.started_at,
  endedAt: row.ended_at,
});
