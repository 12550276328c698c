import { type Kysely, sql } from "kysely";
import type pg from "pg";
import type { DatabaseProbe } from "../../domain/operation-port.ts";
import type { Clock } from "../../domain/ports.ts";
import type { Schema } from "../schema.ts";
import type { Changes } from "./changes.ts";

interface ProbeDeps {
  readonly db: Kysely<Schema>;
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly changes: Changes;
}

/** Queries the time of the database over a connection of the pool that calls use too. Rejects if it does not answer. */
export async function probePostgres({ db, pool, clock, changes }: ProbeDeps): Promise<DatabaseProbe> {
  const sentAt = clock.now().getTime();
  const { rows } = await sql<{
    ms: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`.execute(db);
  const offset = (sentAt + clock.now().getTime()) / 2 - rows[0]!.ms;
  const version = changes.version();
  return {
    clock_offset_ms: Math.round(offset),
    connections: { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount },
    // a version differs from itself only while the listener is lost
    is_listening: changes.version() === version,
  };
}
