import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join, relative } from "node:path";
import type { BackupManifest } from "../../domain/backups/backups.ts";
import { AUDIT_HEAD_FILE } from "../audit/audit-head.ts";
import { SETTINGS_FILE } from "../data-dir.ts";
import { Database } from "../sqlite/database.ts";

/** Tables that a backup has in addition to those of the database. */
const MANIFEST_TABLE = "backup_manifest";
const FILES_TABLE = "backup_files";
export const BACKUP_TABLES: readonly string[] = [MANIFEST_TABLE, FILES_TABLE];
/** Size of the parts in which files are stored, bytes. */
const PART_BYTES = 1 << 20;
/** Folder of imported bars in the data folder. */
const BARS_FOLDER = "bars";

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Text of a small file, read before the database is copied. */
export interface FileSnapshot {
  readonly name: string;
  readonly text: string;
}

/** Returns the settings, and the head file of the audit log, which must not be newer than the copy of the database. */
export const readSmallFiles = (dataDir: string): readonly FileSnapshot[] =>
  [AUDIT_HEAD_FILE, SETTINGS_FILE].flatMap((name) => {
    const file = join(dataDir, name);
    return existsSync(file) ? [{ name, text: readFileSync(file, "utf8") }] : [];
  });

export interface ContentOptions {
  readonly dataDir: string;
  readonly snapshots: readonly FileSnapshot[];
  readonly version: string;
  readonly now: Date;
  /** Encrypted keys and the names of their files; null for none. */
  readonly keys: { readonly names: readonly string[]; readonly sealed: string } | null;
}

/** Adds the manifest, the other files of the data folder and the keys to a copy of the database. */
export function addContents(copy: string, { dataDir, snapshots, version, now, keys }: ContentOptions) {
  const db = new Database(copy);
  try {
    db.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
    removeContents(db); // left in a database that was replaced by a backup with cp
    const described = describeDatabase(db);
    db.exec(
      `CREATE TABLE ${MANIFEST_TABLE} (name TEXT PRIMARY KEY, value TEXT NOT NULL);
       CREATE TABLE ${FILES_TABLE} (name TEXT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (name, part))`,
    );
    const files = [
      ...snapshots.map(({ name, text }) => addFile(db, name, [Buffer.from(text)])),
      ...barFiles(dataDir).map((path) => addFile(db, relative(dataDir, path), partsOf(path))),
    ];
    const manifest: BackupManifest = {
      format: 1,
      version,
      created_at: now.toISOString(),
      ...described,
      files,
      keys: [...(keys?.names ?? [])],
    };
    const text = JSON.stringify(manifest);
    const add = db.prepare(`INSERT INTO ${MANIFEST_TABLE} VALUES (?, ?)`);
    add.run("manifest", text);
    if (keys !== null) add.run("keys", keys.sealed);
    add.run("sha256", sha256(text + (keys?.sealed ?? "")));
    db.exec("COMMIT");
    return manifest;
  } finally {
    db.close();
  }
}

function addFile(db: Database, name: string, parts: Iterable<Buffer>): BackupManifest["files"][number] {
  const hash = createHash("sha256");
  const insert = db.prepare(`INSERT INTO ${FILES_TABLE} VALUES (?, ?, ?)`);
  let [part, bytes] = [0, 0];
  for (const content of parts) {
    insert.run(name, part++, content);
    hash.update(content);
    bytes += content.length;
  }
  return { name, bytes, sha256: hash.digest("hex") };
}

function* partsOf(path: string): Generator<Buffer> {
  const handle = openSync(path, "r");
  try {
    for (;;) {
      const part = Buffer.alloc(PART_BYTES);
      const size = readSync(handle, part);
      if (size === 0) return;
      yield part.subarray(0, size);
    }
  } finally {
    closeSync(handle);
  }
}

/** Returns the paths of the imported bars, sorted. */
function barFiles(dataDir: string): readonly string[] {
  const folder = join(dataDir, BARS_FOLDER);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Returns the parts of a file in a backup, in order. */
export function* fileParts(db: Database, name: string): Generator<Uint8Array> {
  const rows = db.prepare<{ bytes: Uint8Array }>(
    `SELECT bytes FROM ${FILES_TABLE} WHERE name = ? ORDER BY part`,
  );
  for (const { bytes } of rows.iterate(name)) yield bytes;
}

/** Returns the texts stored in addition to the database: manifest, its hash and the encrypted keys; null for a plain database. */
export function manifestTexts(db: Database): ReadonlyMap<string, string> | null {
  const table = db.prepare("SELECT 1 FROM sqlite_master WHERE name = ?").get(MANIFEST_TABLE);
  if (table === undefined) return null;
  const rows = db.prepare<{ name: string; value: string }>(`SELECT name, value FROM ${MANIFEST_TABLE}`).all();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** Returns the data version, and the number of rows and the hash of every table. */
export function describeDatabase(
  db: Database,
): Pick<BackupManifest, "data_version" | "schema_sha256" | "tables"> {
  const own = BACKUP_TABLES.map((name) => `'${name}'`).join(", ");
  const objects = db
    .prepare<{ type: string; name: string; sql: string }>(
      `SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name NOT IN (${own}) ORDER BY type, name`,
    )
    .all();
  const names = objects
    .filter(({ type, name }) => type === "table" && !name.startsWith("sqlite_"))
    .map(({ name }) => name);
  return {
    data_version: dataVersionOf(db) ?? "",
    schema_sha256: sha256(JSON.stringify(objects.map(({ type, name, sql }) => [type, name, sql]))),
    tables: Object.fromEntries(names.map((name) => [name, describeTable(db, name)])),
  };
}

/** Returns the name of the newest migration; null for a database of another program. */
export function dataVersionOf(db: Database): string | null {
  if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'kysely_migration'").get() === undefined)
    return null;
  const version = db.prepare("SELECT max(name) FROM kysely_migration").pluck().get();
  return typeof version === "string" ? version : null;
}

/** Hashes the rows of a table in their order, each as the SQL text of its values. */
function describeTable(db: Database, name: string): BackupManifest["tables"][string] {
  const quoted = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`;
  const columns = db.prepare("SELECT name FROM pragma_table_info(?)").pluck().all(name) as string[];
  const row = columns.map((column) => `quote(${quoted(column)})`).join(" || ',' || ");
  const hash = createHash("sha256");
  let rows = 0;
  for (const { text } of db
    .prepare<{ text: string }>(`SELECT ${row} AS text FROM ${quoted(name)} ORDER BY rowid`)
    .iterate()) {
    hash.update(text).update("\n");
    rows++;
  }
  return { rows, sha256: hash.digest("hex") };
}

/** Removes what a backup has in addition to the database. */
export function removeContents(db: Database): void {
  db.exec(BACKUP_TABLES.map((name) => `DROP TABLE IF EXISTS ${name}`).join("; "));
}
