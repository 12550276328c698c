import { removeChecksum } from "../checksum.ts";
import { countersFile } from "../files.ts";
import { openStore } from "../open-store.ts";
import { copyRows } from "./copy.ts";
import type { CopySource } from "./side.ts";
import { openSqliteTarget } from "./sqlite-side.ts";

/**
 * Copies all rows into a new database of SQLite in an empty folder, which becomes a data folder. Returns its path, and what
 * was copied.
 */
export async function copyToSqlite(
  source: CopySource,
  folder: string,
  onProgress?: Parameters<typeof copyRows>[2],
) {
  const store = await openStore({ dataDir: folder, clock: { now: () => new Date() } });
  await store.close();
  const { file } = store;
  removeChecksum(file); // of the database without rows
  const target = openSqliteTarget({ file, counters: countersFile(folder) });
  try {
    return { file, ...(await copyRows(source, target, onProgress)) };
  } finally {
    await target.close();
  }
}
