import { type Migration, sql } from "kysely";
import { column, createTableSql, integer, owned, table, text } from "../table.ts";

export const REPLICA_TABLES = {
  /** Newest entry of the audit log, written with it. */
  audit_head: table("", {
    one: column<number>("INTEGER PRIMARY KEY CHECK (one = 1)"),
    /** `<seq>:<mac>:<code>`. */
    note: text,
  }),
  /** A2A tasks that a process runs for longer than a second, or to which one of them replies. */
  a2a_running: table("", {
    task: column<string>("TEXT NOT NULL PRIMARY KEY"),
    account: text,
    /** Random id of the process. */
    process: text,
    /** End of the lease, epoch ms. */
    until: integer,
  }),
  /** Notifications of A2A tasks that are not delivered yet. Their bodies are made from the stored task. */
  a2a_pushes: table("", {
    id: column<string>("TEXT NOT NULL PRIMARY KEY"),
    ...owned,
    task: text,
    config: text,
    /** What happened: `state <state>`, `artifact <id>` or `question <message id>`. */
    event: text,
    /** Time at which another process may send it, epoch ms. */
    next_at: integer,
    attempts: integer,
    created_at: text,
  }),
  /** Settings of MCP clients by session, for those of revisions with sessions. */
  client_sessions: table("PRIMARY KEY (account, session)", {
    account: text,
    session: text,
    /** Settings as JSON. */
    settings: text,
    changed_at: text,
  }),
};

export const replicas: Migration = {
  async up(db) {
    for (const [name, columns] of Object.entries(REPLICA_TABLES))
      await sql.raw(createTableSql(name, columns)).execute(db);
    await sql
      .raw("CREATE INDEX client_sessions_by_change ON client_sessions (account, changed_at)")
      .execute(db);
  },
};
