import { rmSync } from "node:fs";
import { type NotedHead, readNote } from "../../domain/audit/audit.ts";
import { AUDIT_HEAD_FILE, auditHeadFile } from "../audit/audit-head.ts";
import { type FileSnapshot, readSmallFiles } from "../backups/contents.ts";
import { stagingFolder } from "../backups/stage.ts";
import { removeChecksum } from "../checksum.ts";
import { countersFile } from "../files.ts";
import { openStore } from "../open-store.ts";
import { Database } from "../sqlite/database.ts";
import { copyRows } from "./copy.ts";
import type { CopySource } from "./side.ts";
import { openSqliteTarget } from "./sqlite-side.ts";

/**
 * Copies all rows into a new SQLite database in an empty folder, which becomes a data folder. Returns the path of the
 * database, and what was copied. `head`: the last entry of the audit log that the folder before it knows.
 */
export async function copyToSqlite(
  source: CopySource,
  folder: string,
  head: NotedHead | null,
  onProgress?: Parameters<typeof copyRows>[2],
) {
  const store = await openStore({ dataDir: folder, clock: { now: () => new Date() } });
  await store.close();
  const { file } = store;
  removeChecksum(file); // of the database without rows
  const target = openSqliteTarget({ file, counters: countersFile(folder) });
  try {
    const copied = await copyRows(source, target, onProgress);
    writeHead(file, folder, head);
    return { file, ...copied };
  } finally {
    await target.close();
  }
}

/**
 * Writes the file of the last entry of the audit log: a folder of PostgreSQL has it of what its own server wrote, if at all,
 * and SQLite takes a missing one for tampering. One that is newer than the log proves that entries are missing.
 */
function writeHead(file: string, folder: string, head: NotedHead | null): void {
  const db = new Database(file, { readonly: true });
  const note = db.prepare("SELECT note FROM audit_head").pluck().get() as string | undefined;
  db.close();
  const stored = note === undefined ? null : readNote(note);
  const newest = stored !== null && stored.seq >= (head?.seq ?? 0) ? stored : head;
  if (newest !== null) auditHeadFile(folder).write(newest);
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
  const settings = readSmallFiles(dataDir).filter(({ name }) => name !== AUDIT_HEAD_FILE);
  const head = auditHeadFile(dataDir).read(); // before the copy, so that it is not newer
  const source = await openPostgresSource(url, { isAlone: false });
  const staged = stagingFolder(dataDir, now, "copy");
  try {
    const { file } = await copyToSqlite(source, staged, head);
    return work({ file, snapshots: [...readSmallFiles(staged), ...settings] });
  } finally {
    rmSync(staged, { recursive: true, force: true });
    await source.close();
  }
}
