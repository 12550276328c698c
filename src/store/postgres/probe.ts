import type { Kysely } from "kysely";
import type pg from "pg";
import type { DatabaseProbe } from "../../domain/operation-port.ts";
import type { Clock } from "../../domain/ports.ts";
import type { Schema } from "../schema.ts";
import type { Changes } from "./changes.ts";
import { measureClock } from "./server-clock.ts";

interface ProbeDeps {
  readonly db: Kysely<Schema>;
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly changes: Changes;
}

/** Queries the time of the database over a connection of the pool that calls use too. Rejects if it does not answer. */
export async function probePostgres({ db, pool, clock, changes }: ProbeDeps): Promise<DatabaseProbe> {
  const { ahead } = await measureClock(db, clock);
  const version = changes.version();
  return {
    clock_offset_ms: -Math.round(ahead),
    connections: { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount },
    // a version differs from itself only while the listener is lost
    is_listening: changes.version() === version,
  };
}
