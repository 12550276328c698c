import type { Kysely, Migration } from "kysely";
import type { Log } from "../domain/ports.ts";
import { SetupError } from "../lib/setup-error.ts";
import { applyMissing } from "./apply-migrations.ts";
import { backUp } from "./backups/backup.ts";
import { countersFile, newerMessage } from "./files.ts";
import { assertMigratable, type RunningServer } from "./in-use.ts";
import { adoptPreRelease, isPreRelease } from "./migrations/pre-release.ts";
import type { Schema } from "./schema.ts";
import type { Database } from "./sqlite/database.ts";
import { execWhenUnlocked } from "./write-lock.ts";

export interface MigrationRun {
  readonly raw: Database;
  readonly db: Kysely<Schema>;
  readonly dataDir: string;
  readonly migrations: Readonly<Record<string, Migration>>;
  readonly now: Date;
  readonly log?: Log | undefined;
  /** Finds the server that runs on the data folder. */
  readonly findServer: () => Promise<RunningServer | null>;
}

/** What a migration did: `backup` is the path of the backup written first, null for a new database. */
export interface MigrationResult {
  readonly changed: boolean;
  readonly backup: string | null;
}

/**
 * Applies all missing migrations or, on failure, none. A complete pre-release database is recorded as `0001-initial`.
 * @throws SetupError when the database is newer or an incomplete pre-release one, when a server or another process uses it,
 * when another process keeps the write lock, or when a migration fails.
 */
export async function migrate({
  raw,
  db,
  dataDir,
  migrations,
  now,
  log,
  findServer,
}: MigrationRun): Promise<MigrationResult> {
  const recorded = recordedMigrations(raw);
  const preRelease = isPreRelease(raw, recorded);
  if (!preRelease && recorded.some((name) => !(name in migrations)))
    throw new SetupError(newerMessage(raw.name, { dataDir, now, known: Object.keys(migrations) }));
  if (Object.keys(migrations).every((name) => recorded.includes(name)))
    return { changed: false, backup: null };
  const last = recorded.at(-1);
  if (last !== undefined) await assertMigratable(countersFile(dataDir), dataDir, findServer);
  const backup = last === undefined ? null : backUp({ db: raw, dataDir, label: last, now }).file;
  // The migrator uses this one connection, so everything it does falls inside this transaction.
  await execWhenUnlocked(raw, "BEGIN IMMEDIATE", log);
  try {
    if (preRelease) adoptPreRelease(raw, now);
    await applyMissing(raw.name, db, migrations);
    raw.exec("COMMIT");
  } catch (cause) {
    if (raw.inTransaction) raw.exec("ROLLBACK");
    throw cause;
  }
  return { changed: true, backup };
}

/** Returns the names of the migrations applied to a database, in their order; none for a new one. */
export function recordedMigrations(raw: Database): readonly string[] {
  const table = raw.prepare("SELECT 1 FROM sqlite_master WHERE name = 'kysely_migration'").get();
  if (table === undefined) return [];
  return raw.prepare("SELECT name FROM kysely_migration ORDER BY name").pluck().all() as string[];
}
