import { SqliteError } from "./sqlite/connection.ts";
import { Database } from "./sqlite/database.ts";

/** Returns the result of the integrity check; null when the database is intact. */
export function findDamage(db: Database): unknown {
  try {
    const found = db.pragma("integrity_check(1)", { simple: true });
    return found === "ok" ? null : found;
  } catch (cause) {
    if (cause instanceof SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(cause.code)) return cause;
    throw cause;
  }
}

/** Returns the result of the integrity check of a file, read anew from the disk; null when it is intact. */
export function findFileDamage(file: string): unknown {
  const db = new Database(file);
  try {
    return findDamage(db);
  } finally {
    db.close();
  }
}
