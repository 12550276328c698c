import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { SetupError } from "../lib/setup-error.ts";
import { privateFile } from "./data-dir.ts";

const PATIENCE_MS = 60_000;
const RETRY_MS = 20;

/** Runs the work while no other process runs any on this folder. The system drops the lock of a process that dies. */
export async function withStartLock<T>(
  dataDir: string,
  work: () => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const file = join(dataDir, "start.lock");
  privateFile(file);
  const lock = new Database(file, { timeout: 0 });
  try {
    for (let waited = 0; !acquired(lock); waited += RETRY_MS) {
      if (waited >= patienceMs)
        throw new SetupError(`Another process has been starting on ${dataDir} for too long; end it first`);
      await sleep(RETRY_MS);
    }
    return await work();
  } finally {
    lock.close();
  }
}

function acquired(lock: Database.Database): boolean {
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (cause) {
    if (cause instanceof Database.SqliteError && cause.code === "SQLITE_BUSY") return false;
    throw cause;
  }
}
