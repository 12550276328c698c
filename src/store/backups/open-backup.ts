import { createHash } from "node:crypto";
import { closeSync, constants, openSync, readSync, statSync } from "node:fs";
import { BackupManifest } from "../../domain/backups/backups.ts";
import { readErrorText } from "../../lib/file-error.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { findDamage } from "../integrity.ts";
import { SqliteError } from "../sqlite/connection.ts";
import { Database } from "../sqlite/database.ts";
import { dataVersionOf, describeDatabase, fileParts, manifestTexts, sha256 } from "./contents.ts";

const SQLITE_HEADER = "SQLite format 3\0";

/** A backup whose contents were verified. */
export interface OpenedBackup {
  readonly file: string;
  readonly bytes: number;
  /** Manifest; for a plain copy of a database, which has none, what the copy contains at present. */
  readonly manifest: Omit<BackupManifest, "version" | "created_at"> &
    Partial<Pick<BackupManifest, "version" | "created_at">>;
  /** False for a plain copy of a database, made by another program or an earlier version. */
  readonly hasManifest: boolean;
  /** Encrypted keys; null without keys. */
  readonly sealedKeys: string | null;
}

/**
 * Opens a backup and compares every table and file with the manifest. @throws SetupError in one sentence if the file is
 * missing, damaged or no backup
 */
export function openBackup(file: string): OpenedBackup {
  if (headerOf(file) !== SQLITE_HEADER) throw foreignError(file);
  return readingBackup(file, (db) => {
    const texts = manifestTexts(db);
    if (texts === null && dataVersionOf(db) === null) throw foreignError(file);
    const damage = findDamage(db);
    if (damage !== null) throw damagedError(file, "its integrity check fails", damage);
    const described = describeDatabase(db);
    const opened = { file, bytes: statSync(file).size };
    if (texts === null)
      return {
        ...opened,
        manifest: { format: 1, ...described, files: [], keys: [] },
        hasManifest: false,
        sealedKeys: null,
      };
    const manifest = readManifest(file, texts);
    const fault = findDifference(db, manifest, described);
    if (fault !== null) throw damagedError(file, fault);
    return { ...opened, manifest, hasManifest: true, sealedKeys: texts.get("keys") ?? null };
  });
}

/** Returns the data version of a backup without verifying its contents; null if it cannot be read. */
export function backupDataVersion(file: string): string | null {
  try {
    return readingBackup(file, dataVersionOf);
  } catch {
    return null;
  }
}

/** Runs the work on a read-only connection. @throws SetupError if SQLite finds the file damaged */
export function readingBackup<T>(file: string, work: (db: Database) => T): T {
  try {
    const db = new Database(file, { readonly: true });
    try {
      return work(db);
    } finally {
      db.close();
    }
  } catch (cause) {
    if (cause instanceof SqliteError) throw damagedError(file, "it cannot be read", cause);
    throw cause;
  }
}

function readManifest(file: string, texts: ReadonlyMap<string, string>): BackupManifest {
  const text = texts.get("manifest") ?? "";
  if (sha256(text + (texts.get("keys") ?? "")) !== texts.get("sha256"))
    throw damagedError(file, "its manifest was changed");
  const read = BackupManifest.safeParse(JSON.parse(text));
  if (!read.success)
    throw new SetupError(
      `The backup ${file} was written by a newer version of Market Signal; install that version to restore it`,
    );
  return read.data;
}

/** Returns how the contents differ from the manifest; null if they are the same. */
function findDifference(
  db: Database,
  manifest: BackupManifest,
  described: ReturnType<typeof describeDatabase>,
): string | null {
  const names = new Set([...Object.keys(manifest.tables), ...Object.keys(described.tables)]);
  for (const name of names)
    if (manifest.tables[name]?.sha256 !== described.tables[name]?.sha256)
      return `the rows of its table ${name} differ from its manifest`;
  if (manifest.schema_sha256 !== described.schema_sha256) return "its tables differ from its manifest";
  for (const { name, sha256: expected } of manifest.files) {
    const hash = createHash("sha256");
    for (const part of fileParts(db, name)) hash.update(part);
    if (hash.digest("hex") !== expected) return `its file ${name} differs from its manifest`;
  }
  return null;
}

/** Returns the first bytes of a file. @throws SetupError in one sentence that says why it cannot be read */
function headerOf(file: string): string {
  const header = Buffer.alloc(SQLITE_HEADER.length);
  let handle: number | null = null;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK); // a pipe would wait for a writer
    readSync(handle, header);
    return header.toString("latin1");
  } catch (cause) {
    throw new SetupError(`The backup ${file} cannot be read: ${readErrorText(file, cause)}`, { cause });
  } finally {
    if (handle !== null) closeSync(handle);
  }
}

const foreignError = (file: string): SetupError => new SetupError(`${file} is not a backup of Market Signal`);

const damagedError = (file: string, fault: string, cause?: unknown): SetupError =>
  new SetupError(`The backup ${file} is damaged: ${fault}; restore another one`, { cause });
