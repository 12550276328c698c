import { existsSync } from "node:fs";
import { SetupError } from "../lib/setup-error.ts";
import { shellQuoted } from "../lib/shell-quote.ts";
import { SqliteError } from "./sqlite/connection.ts";
import { Database } from "./sqlite/database.ts";

/** What the server of a data folder says about itself. */
export interface RunningServer {
  readonly version: string;
  readonly url: string;
}

/** Returns true if another connection has the database open. A damaged or missing one counts as not open. */
export function isOpenElsewhere(file: string): boolean {
  if (!existsSync(file)) return false;
  const db = new Database(file, { timeout: 0 });
  try {
    db.pragma("locking_mode = EXCLUSIVE");
    db.exec("BEGIN EXCLUSIVE; ROLLBACK");
    return false;
  } catch (cause) {
    return cause instanceof SqliteError && cause.code.startsWith("SQLITE_BUSY");
  } finally {
    db.close();
  }
}

/**
 * Refuses to migrate the data of a process that uses them: it could not start again. `counters` is the database that each
 * process opens after its migrations. @throws SetupError with what to stop
 */
export async function assertMigratable(
  counters: string,
  dataDir: string,
  findServer: () => Promise<RunningServer | null>,
): Promise<void> {
  const server = await findServer();
  if (server !== null)
    throw new SetupError(
      `Version ${server.version} of the server runs on this folder (${server.url}), and this version would change its data; stop it, then start this version`,
    );
  if (isOpenElsewhere(counters))
    throw new SetupError(
      `Another process uses DATA_DIR ${dataDir}, and this version would change its data; stop it, then start this version. It is listed by: fuser -v ${shellQuoted(counters)}`,
    );
}
