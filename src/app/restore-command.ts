import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { DEFAULT_MASTER_KEY_FILE } from "../access/vault/master-key.ts";
import { openWithPassphrase } from "../access/vault/passphrase.ts";
import { masterKey } from "../access/vault/vault.ts";
import type { KeyTexts, RestoreReport } from "../domain/backups/backups.ts";
import { SetupError } from "../lib/setup-error.ts";
import { auditHeadFile } from "../store/audit/audit-head.ts";
import { markRestored, previewChanges, previewConnections } from "../store/backups/mark-restored.ts";
import { type OpenedBackup, openBackup, readingBackup } from "../store/backups/open-backup.ts";
import {
  assertNotInUse,
  contentEntries,
  replaceContent,
  stageBackup,
  stagingFolder,
} from "../store/backups/stage.ts";
import { openSqliteSource } from "../store/copy/sqlite-side.ts";
import { dataDirError, prepareDataDir, SETTINGS_FILE } from "../store/data-dir.ts";
import { countersFile, mainFile } from "../store/files.ts";
import { MIGRATIONS } from "../store/migrations/index.ts";
import { keyIdIn, readKeys } from "./backup-command.ts";
import type { Config } from "./config.ts";
import { openInstallation } from "./installation.ts";
import { noteDatabase } from "./open-database.ts";
import { logRestores } from "./restored.ts";

export interface RestoreOptions {
  readonly file: string;
  /** Moves the content of the data folder aside first. */
  readonly replace: boolean;
  readonly dryRun: boolean;
  /** Returns the passphrase of the keys in the backup. Called only if they are needed. */
  readonly passphrase: () => Promise<string>;
}

/**
 * Restores a backup into the data folder or, with `dryRun`, only says what it contains and would change. @throws
 * SetupError if the backup is damaged, foreign or newer, or if the folder or the database of DATABASE_URL is in use or not
 * empty
 */
export async function restoreBackup(config: Config, options: RestoreOptions): Promise<RestoreReport> {
  const { DATA_DIR: dataDir, DATABASE_URL, DATABASE_DIRECT_URL: url = DATABASE_URL } = config;
  const { replace, dryRun } = options;
  const backup = openBackup(options.file);
  assertReadableVersion(backup);
  const seen = readingBackup(backup.file, (db) => ({
    keyId: keyIdIn(db),
    connections: previewConnections(db),
    changes: previewChanges(db),
  }));
  const old = contentEntries(dataDir);
  const keys = await chooseKeys(config, backup, seen.keyId, options);
  const report = {
    file: backup.file,
    bytes: backup.bytes,
    has_manifest: backup.hasManifest,
    manifest: backup.manifest,
    data_dir: dataDir,
    master_key_id: seen.keyId,
    master_key_source: keys.from,
    unusable_connections: seen.keyId !== null && keys.from === null ? seen.connections : [],
    moved: replace ? old.filter((name) => name !== SETTINGS_FILE) : [],
  };
  if (dryRun) {
    const refusals = await refusalsOf([
      () => assertReplaceable(dataDir, old, replace),
      () => assertNotInUse(dataDir),
      () => assertEmptyDatabase(url),
    ]);
    const planned = { dry_run: true, previous_content: null, audit_seq: null, refusals };
    return { ...report, ...seen.changes, ...planned };
  }
  assertReplaceable(dataDir, old, replace);
  prepareDataDir(dataDir);
  assertNotInUse(dataDir);
  await assertEmptyDatabase(url);
  const now = new Date();
  const staged = stagingFolder(dataDir, now);
  try {
    stageBackup(backup, staged);
    for (const [name, text] of Object.entries(keys.files))
      writeFileSync(join(staged, name), `${text}\n`, { mode: 0o600, flag: "wx" });
    const inStaged = { ...config, DATA_DIR: staged, DATABASE_URL: undefined };
    const result = await markStaged(inStaged, backup, { now, previous: config });
    if (url !== undefined) await moveToPostgres(staged, url);
    const previous_content = await replaceContent(staged, dataDir, now);
    return { ...report, ...result, dry_run: false, previous_content, refusals: [] };
  } catch (cause) {
    throw dataDirError(dataDir, cause);
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

/** @throws SetupError if the data folder has content that is not to be replaced */
function assertReplaceable(dataDir: string, content: readonly string[], replace: boolean): void {
  if (content.length > 0 && !replace)
    throw new SetupError(
      `DATA_DIR ${dataDir} is not empty (${content.slice(0, 3).join(", ")}); add --replace to move its content aside, or set DATA_DIR to a new folder`,
    );
}

async function assertEmptyDatabase(url: string | undefined): Promise<void> {
  if (url !== undefined) await (await import("../store/copy/to-postgres.ts")).assertEmptyAt(url);
}

/** Moves the restored database to PostgreSQL. @throws SetupError if it has a value that cannot be stored there */
async function moveToPostgres(staged: string, url: string): Promise<void> {
  const { copyToPostgres } = await import("../store/copy/to-postgres.ts");
  const file = mainFile(staged);
  const source = openSqliteSource({ file, counters: null });
  try {
    const { copied, to, unstorable } = await copyToPostgres(source, url);
    if (!copied)
      throw new SetupError(
        `Nothing was restored: PostgreSQL cannot store ${unstorable.length} values of the backup, the first in ${unstorable[0]!.table}.${unstorable[0]!.column}. Restore it into SQLite without DATABASE_URL; \`market-signal db copy\` lists them`,
      );
    noteDatabase(staged, to);
  } finally {
    await source.close();
  }
  for (const name of readdirSync(staged))
    if ([mainFile, countersFile].some((path) => name.startsWith(basename(path(staged)))))
      rmSync(join(staged, name));
}

/** Returns the messages of checks that throw a SetupError; empty if all pass. */
async function refusalsOf(checks: readonly (() => void | Promise<void>)[]): Promise<readonly string[]> {
  const refusals: string[] = [];
  for (const check of checks)
    try {
      await check();
    } catch (thrown) {
      if (!(thrown instanceof SetupError)) throw thrown;
      refusals.push(thrown.message);
    }
  return refusals;
}

function assertReadableVersion({ file, manifest: { data_version, version } }: OpenedBackup): void {
  const newest = Object.keys(MIGRATIONS).at(-1)!;
  if (data_version in MIGRATIONS) return;
  const by = version === undefined ? "a newer version" : `version ${version}`;
  throw new SetupError(
    `The backup ${file} was written by ${by} of Market Signal with data version ${data_version}, newer than ${newest}; install that version to restore it`,
  );
}

/**
 * Chooses the keys that the restored folder needs: those of the settings, else of the data folder, else of the backup.
 * `files` are written to the folder.
 */
async function chooseKeys(
  config: Config,
  { sealedKeys, file }: OpenedBackup,
  keyId: string | null,
  { dryRun, passphrase }: RestoreOptions,
): Promise<{ readonly files: KeyTexts; readonly from: RestoreReport["master_key_source"] }> {
  const fits = (text: string | undefined): boolean =>
    text !== undefined && (keyId === null || masterKey(text)?.id === keyId);
  const { MASTER_KEY, MASTER_KEY_FILE: keyFile } = config;
  const isSet = MASTER_KEY !== undefined || keyFile !== undefined;
  const inFolder = readKeys({ DATA_DIR: config.DATA_DIR, MASTER_KEY: undefined, MASTER_KEY_FILE: undefined });
  const inSettings = isSet ? readKeys(config)[DEFAULT_MASTER_KEY_FILE] : undefined;
  if (isSet && fits(inSettings)) return { files: {}, from: "settings" };
  if (fits(inFolder[DEFAULT_MASTER_KEY_FILE])) return { files: inFolder, from: "data folder" };
  if (isSet || sealedKeys === null) return { files: {}, from: null };
  if (dryRun) return { files: {}, from: "backup" };
  const text = openWithPassphrase(sealedKeys, await passphrase());
  if (text === null)
    throw new SetupError(`The passphrase does not open the keys in ${file}; nothing was changed, try again`);
  const inBackup = JSON.parse(text) as KeyTexts;
  return {
    files: inBackup,
    from: fits(inBackup[DEFAULT_MASTER_KEY_FILE]) ? "backup" : null,
  };
}

/** Opens the staged folder, which applies missing migrations, and records the restore in it. */
async function markStaged(
  staged: Config,
  { file, manifest }: OpenedBackup,
  { now, previous }: { readonly now: Date; readonly previous: Config },
): Promise<Pick<RestoreReport, "agents" | "deliveries" | "live_connections" | "audit_seq">> {
  const installation = await openInstallation(staged);
  try {
    const head = auditHeadFile(previous.DATA_DIR).read();
    const changes = await markRestored(installation.store.db, {
      backup: basename(file),
      madeAt: manifest.created_at ?? oldestTime(installation.clock.now()),
      at: now.toISOString(),
      about: {
        version: manifest.version ?? null,
        data_version: manifest.data_version,
        replaced_head: head === null ? null : `${head.seq}:${head.mac}`,
      },
    });
    return { ...changes, audit_seq: await logRestores(installation) };
  } finally {
    await installation.close();
  }
}

/** A copy without a manifest has no time: orders of the last 30 days may be missing in it. */
const oldestTime = (now: Date): string => new Date(now.getTime() - 30 * 86_400_000).toISOString();
