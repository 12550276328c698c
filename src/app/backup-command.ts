import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { DEFAULT_MASTER_KEY_FILE } from "../access/vault/master-key.ts";
import { sealWithPassphrase } from "../access/vault/passphrase.ts";
import { masterKey } from "../access/vault/vault.ts";
import type { BackupReport, HookResult, KeyTexts } from "../domain/backups/backups.ts";
import { writeErrorText } from "../lib/file-error.ts";
import { SetupError } from "../lib/setup-error.ts";
import { backUp, backupName, existsError } from "../store/backups/backup.ts";
import { dataVersionOf } from "../store/backups/contents.ts";
import { backupsFolder } from "../store/backups/failure.ts";
import { type SqliteCopy, withSqliteCopy } from "../store/copy/to-sqlite.ts";
import { assertDataDir } from "../store/data-dir.ts";
import { mainFile, recoveryMessage } from "../store/files.ts";
import { findDamage } from "../store/integrity.ts";
import { Database } from "../store/sqlite/database.ts";
import { runBackupHook } from "../store/upkeep/backup-hook.ts";
import type { Config } from "./config.ts";

/** Settings that name the keys of an installation. */
export type KeySettings = Pick<Config, "DATA_DIR" | "MASTER_KEY" | "MASTER_KEY_FILE">;

interface BackupOptions {
  /** File or folder to write to. Default: a new file in the folder `backups` of the data folder. */
  readonly out: string | undefined;
  /** Passphrase that encrypts the keys; null leaves them out. */
  readonly passphrase: string | null;
}

/** Writes a backup of the data folder and of its database, of either engine, also while servers use them. */
export async function backUpInstallation(
  config: Config,
  options: BackupOptions,
): Promise<Omit<BackupReport, "hook">> {
  const { DATA_DIR: dataDir, DATABASE_DIRECT_URL: url = config.DATABASE_URL } = config;
  if (url === undefined) return writeBackup(config, options);
  assertDataDir(dataDir);
  return withSqliteCopy({ url, dataDir, now: new Date() }, (copy) => writeBackup(config, options, copy));
}

/**
 * Writes a backup of the data folder, also while a server uses it. Default copy: the database itself. @throws SetupError if
 * there is no database of SQLite, if it is damaged, if the folder to write to does not exist, or if the master key is not
 * the one of its secrets
 */
export function writeBackup(
  config: Config,
  { out, passphrase }: BackupOptions,
  { file, snapshots }: Partial<SqliteCopy> & Pick<SqliteCopy, "file"> = { file: mainFile(config.DATA_DIR) },
): Omit<BackupReport, "hook"> {
  const { DATA_DIR: dataDir } = config;
  const now = new Date();
  if (!existsSync(file))
    throw new SetupError(
      `There is no database in DATA_DIR ${dataDir}, so nothing to back up; set DATA_DIR to the data folder of the server`,
    );
  const target = out === undefined ? undefined : targetOf(out, now);
  if (target !== undefined && existsSync(target)) throw existsError(target);
  const db = new Database(file);
  try {
    const damage = findDamage(db);
    if (damage !== null) throw new SetupError(recoveryMessage(file, dataDir, now), { cause: damage });
    if (dataVersionOf(db) === null) throw new SetupError(`${file} is not a database of Market Signal`);
    const keys = readKeys(config);
    const sealed = passphrase === null ? null : sealKeys(keys, keyIdIn(db), passphrase);
    const names = Object.keys(keys);
    return {
      ...backUp({ db, dataDir, label: "manual", now, out: target, keys: sealed, snapshots }),
      excluded_key_files: passphrase === null ? names : [],
    };
  } catch (cause) {
    throw writeError(target ?? backupsFolder(dataDir), cause);
  } finally {
    db.close();
  }
}

/**
 * Returns true if there are keys to include in a backup; false also for a database that cannot be backed up. @throws
 * SetupError if the master key is not the one of the secrets
 */
export function hasKeys(config: Config): boolean {
  const file = mainFile(config.DATA_DIR);
  const keys = readKeys(config);
  if (config.DATABASE_URL !== undefined) return Object.keys(keys).length > 0; // compared once the database is copied
  if (!existsSync(file) || !assertKeysOf(file, keys)) return false;
  return Object.keys(keys).length > 0;
}

/** Returns false for a file that cannot be read as a database. @throws SetupError if the keys lack its master key */
function assertKeysOf(file: string, keys: KeyTexts): boolean {
  const db = new Database(file);
  try {
    assertMasterKey(keys, keyIdIn(db));
    return true;
  } catch (cause) {
    if (cause instanceof SetupError) throw cause;
    return false;
  } finally {
    db.close();
  }
}

/** Returns an error of the system as a SetupError that names the file; any other error unchanged. */
function writeError(path: string, cause: unknown): unknown {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : null;
  if (cause instanceof SetupError || code === null) return cause;
  return new SetupError(`The backup ${path} cannot be written: ${writeErrorText(path, cause)}`, { cause });
}

/** Runs the program of BACKUP_HOOK for a backup. Returns null if none is set. */
export async function runHook(
  { BACKUP_HOOK, DATA_DIR: dataDir }: Config,
  file: string,
  signal: AbortSignal,
): Promise<HookResult | null> {
  return BACKUP_HOOK === undefined
    ? null
    : runBackupHook(BACKUP_HOOK, file, { dataDir, now: new Date(), signal });
}

/** Returns the path of the backup. @throws SetupError for a folder that does not exist, as a disk may not be mounted */
function targetOf(out: string, now: Date): string {
  const path = resolve(out);
  if (isFolder(path)) return join(path, backupName("manual", now));
  const isFolderName = /[/\\]$/.test(out) || (extname(path) === "" && !existsSync(path));
  if (isFolderName)
    throw new SetupError(
      `There is no folder ${path}; mount its disk or create it, or name a file that ends in .db, such as ${path}.db`,
    );
  if (!existsSync(dirname(path)))
    throw new SetupError(
      `The backup ${path} cannot be written: the folder ${dirname(path)} does not exist; create it, or mount its disk`,
    );
  return path;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (cause) {
    throw writeError(path, cause);
  }
}

/** Returns the keys of the installation by the name of their default file. */
export function readKeys({ DATA_DIR, MASTER_KEY, MASTER_KEY_FILE: file }: KeySettings): KeyTexts {
  const textOf = (path: string): string | null =>
    existsSync(path) ? readFileSync(path, "utf8").trim() : null;
  const master = MASTER_KEY ?? textOf(file ?? join(DATA_DIR, DEFAULT_MASTER_KEY_FILE));
  return master === null ? {} : { [DEFAULT_MASTER_KEY_FILE]: master };
}

/** Returns the id of the master key of a database; null before the first secret. */
export function keyIdIn(db: Database): string | null {
  const id = db.prepare("SELECT id FROM vault_key").pluck().get();
  return typeof id === "string" ? id : null;
}

/**
 * Returns the keys of the installation, encrypted with a passphrase. `keyId`: id of the master key of the database, null
 * before the first secret. @throws SetupError if that key is missing
 */
export function sealKeys(keys: KeyTexts, keyId: string | null, passphrase: string) {
  assertMasterKey(keys, keyId);
  return { names: Object.keys(keys), sealed: sealWithPassphrase(JSON.stringify(keys), passphrase) };
}

/** @throws SetupError if the master key with that id is not among the keys */
function assertMasterKey(keys: KeyTexts, keyId: string | null): void {
  const master = keys[DEFAULT_MASTER_KEY_FILE];
  if (keyId !== null && (master === undefined || masterKey(master)?.id !== keyId))
    throw new SetupError(
      `The secrets are sealed by the master key ${keyId}, which was not found; set MASTER_KEY_FILE to its path, or leave out --with-keys`,
    );
}
