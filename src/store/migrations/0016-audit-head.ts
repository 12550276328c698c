import { type Migration, sql } from "kysely";
import { column, createTableSql, table, text } from "../table.ts";

export const AUDIT_HEAD_TABLES = {
  /** Newest entry of the audit log, written with it. */
  audit_head: table("", {
    one: column<number>("INTEGER PRIMARY KEY CHECK (one = 1)"),
    /** `<seq>:<mac>:<code>`. */
    note: text,
  }),
};

export const auditHead: Migration = {
  async up(db) {
    for (const [name, columns] of Object.entries(AUDIT_HEAD_TABLES))
      await sql.raw(createTableSql(name, columns)).execute(db);
  },
};
