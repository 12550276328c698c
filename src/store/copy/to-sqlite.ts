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

/** A copy of a database of PostgreSQL, and the small files of the data folder as they were before it. */
export interface SqliteCopy {
  readonly file: string;
  readonly snapshots: readonly FileSnapshot[];
}

/**
 * Copies a database of PostgreSQL, as it is at one moment and while servers go on, into one of SQLite that exists for the
 * time of the work.
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
