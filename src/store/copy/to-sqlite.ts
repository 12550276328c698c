import { rmSync } from "node:fs";
import { type FileSnapshot, readSmallFiles } from "../backups/contents.ts";
import { stagingFolder } from "../backups/stage.ts";
import { removeChecksum } from "../checksum.ts";
import { countersFile } from "../files.ts";
import { openStore } from "../open-store.ts";
import { copyRows } from "./copy.ts";
import type { CopySource } from "./side.ts";
import { openSqliteTarget } from "./sqlite-side.ts";

/**
 * Copies all rows into a new SQLite database in an empty folder, which becomes a data folder. Returns the path of the
 * database, and what was copied.
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

/** A copy of a PostgreSQL database in SQLite, and the small files of the data folder as read before the copy. */
export interface SqliteCopy {
  readonly file: string;
  readonly snapshots: readonly FileSnapshot[];
}

/**
 * Copies a snapshot of a PostgreSQL database, while servers use it, into a SQLite database that is deleted after the work.
 * Returns the result of the work.
 */
export async function withSqliteCopy<T>(
  { url, dataDir, now }: { readonly url: string; readonly dataDir: string; readonly now: Date },
  work: (copy: SqliteCopy) => T,
): Promise<T> {
  const { openPostgresSource } = await import("./postgres-side.ts");
  const snapshots = readSmallFiles(dataDir);
  const source = await openPostgresSource(url, { isAlone: false });
  const staged = stagingFolder(dataDir, now, "copy");
  try {
    const { file } = await copyToSqlite(source, staged);
    return work({ file, snapshots });
  } finally {
    rmSync(staged, { recursive: true, force: true });
    await source.close();
  }
}
