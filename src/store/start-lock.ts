import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SetupError } from "../lib/setup-error.ts";
import { privateFile } from "./data-dir.ts";
import { SqliteError } from "./sqlite/connection.ts";
import { Database } from "./sqlite/database.ts";

const DEFAULT_TIMEOUT_MS = 60_000;
const RETRY_MS = 20;

/**
 * Runs the work under an exclusive lock on the folder. The operating system releases the lock of a dead process.
 * Default timeout: 60 s. @throws SetupError when the lock stays taken
 */
export async function withStartLock<T>(
  dataDir: string,
  work: () => Promise<T>,
  timeoutMs = DEFAULT_TIMEOUT_MS,
): Promise<T> {
  const file = join(dataDir, "start.lock");
  privateFile(file);
  const lock = new Database(file, { timeout: 0 });
  try {
    for (let waited = 0; !tryAcquire(lock); waited += RETRY_MS) {
      if (waited >= timeoutMs)
        throw new SetupError(`Another process is still starting with ${dataDir}; stop it first`);
      await sleep(RETRY_MS);
    }
    return await work();
  } finally {
    lock.close();
  }
}

function tryAcquire(lock: Database): boolean {
  try {
    lock.pragma("journal_mode = MEMORY"); // a journal file could not be written on a full disk
    lock.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (cause) {
    if (cause instanceof SqliteError && cause.code === "SQLITE_BUSY") return false;
    throw cause;
  }
}
