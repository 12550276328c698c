import { type Generated, type Migration, sql } from "kysely";
import { column, createTableSql, integer, integerOrNull, table, text, textOrNull } from "../table.ts";

export const JOB_TABLES = {
  /** Parts of background work, each done by one process of the installation. */
  jobs: table("", {
    id: column<Generated<number>>("INTEGER PRIMARY KEY AUTOINCREMENT"),
    market: text,
    kind: text,
    /** Id of the work of which it is a part. */
    run: text,
    /** JSON. */
    payload: text,
    /** pending | running | done | dead. */
    state: text,
    attempts: integer,
    /** Number of times the job was taken; a process writes its result only if it has not grown since. */
    token: integer,
    owner: textOrNull,
    /** Epoch ms. */
    lease_until: integerOrNull,
    /** JSON. */
    result: textOrNull,
    error: textOrNull,
    added_at: text,
    started_at: textOrNull,
    ended_at: textOrNull,
  }),
};

export const jobs: Migration = {
  async up(db) {
    for (const [name, columns] of Object.entries(JOB_TABLES))
      await sql.raw(createTableSql(name, columns)).execute(db);
    await sql.raw("CREATE INDEX jobs_by_state ON jobs (market, kind, state, attempts, id)").execute(db);
    await sql.raw("CREATE INDEX a2a_pushes_due ON a2a_pushes (market, next_at)").execute(db);
    await sql.raw("CREATE INDEX jobs_by_run ON jobs (market, kind, run)").execute(db);
  },
};
