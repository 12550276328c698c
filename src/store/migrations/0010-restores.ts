import { type Migration, sql } from "kysely";
import { createTableSql, integer, owned, table, text } from "../table.ts";

export const RESTORE_TABLES = {
  /** Backups from which this database was restored. */
  restores: table("PRIMARY KEY (restored_at)", {
    restored_at: text,
    /** Name of the file. */
    backup: text,
    /** Facts for the audit log, as JSON. */
    about: text,
    /** 1 once the audit log has an entry for it. */
    is_logged: integer,
  }),
  /** Live connections that accept no order until their broker was reconciled after a restore. */
  unreconciled_connections: table("PRIMARY KEY (account, market, connection)", {
    ...owned,
    connection: text,
    /** Time of the backup: orders since then may be missing. */
    since: text,
  }),
};

export const restores: Migration = {
  async up(db) {
    for (const [name, columns] of Object.entries(RESTORE_TABLES))
      await sql.raw(createTableSql(name, columns)).execute(db);
  },
};
