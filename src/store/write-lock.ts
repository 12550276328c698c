import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../domain/ports.ts";
import { SetupError } from "../lib/setup-error.ts";
import { shellQuoted } from "../lib/shell-quote.ts";
import { SqliteError } from "./sqlite/connection.ts";
import type { Database } from "./sqlite/database.ts";

const DEFAULT_TIMEOUT_MS = 10_000;
const RETRY_MS = 50;

/**
 * Executes statements that begin with BEGIN IMMEDIATE. Waits while another process holds the write lock, and logs that
 * once. Default timeout: 10 s. @throws SetupError that says how to find the other process when the lock stays taken
 */
export async function execWhenUnlocked(
  db: Database,
  statements: string,
  log: Log | undefined,
  timeoutMs = DEFAULT_TIMEOUT_MS,
): Promise<void> {
  const file = db.name;
  for (let waited = 0; !tryExec(db, statements); waited += RETRY_MS) {
    if (waited === 0) log?.warn("database_locked", { file, waits_s: timeoutMs / 1_000 });
    if (waited >= timeoutMs)
      throw new SetupError(
        `Another process has held the write lock of ${file} for ${timeoutMs / 1_000} s. Find it with fuser -v ${shellQuoted(file)} or lsof ${shellQuoted(file)}, end it, then start again`,
      );
    await sleep(RETRY_MS);
  }
}

function tryExec(db: Database, statements: string): boolean {
  try {
    db.exec(statements);
    return true;
  } catch (cause) {
    if (cause instanceof SqliteError && cause.code === "SQLITE_BUSY") return false;
    throw cause;
  }
}
