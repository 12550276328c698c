import type Database from "better-sqlite3";
import { type Kysely, type Migration, Migrator } from "kysely";
import { SetupError } from "../lib/setup-error.ts";
import { backUp } from "./backup.ts";
import type { Schema } from "./schema.ts";

export interface MigrationRun {
  readonly raw: Database.Database;
  readonly db: Kysely<Schema>;
  readonly dataDir: string;
  readonly migrations: Readonly<Record<string, Migration>>;
  readonly now: Date;
}

/** Brings the database to the newest shape, all or nothing; returns the backup taken first, null where none was needed. */
export async function migrate({ raw, db, dataDir, migrations, now }: MigrationRun): Promise<string | null> {
  const done = executed(raw);
  if (done.some((name) => !(name in migrations)))
    throw new SetupError(
      `The database ${raw.name} was written by a newer version of Market Signal; run that version or restore a backup`,
    );
  if (Object.keys(migrations).every((name) => done.includes(name))) return null;
  const last = done.at(-1);
  const backup = last === undefined ? null : backUp(raw, dataDir, last, now);
  // The migrator uses this one connection, so everything it does falls inside this transaction.
  raw.exec("BEGIN IMMEDIATE");
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) {
    raw.exec("COMMIT");
    return backup;
  }
  if (raw.inTransaction) raw.exec("ROLLBACK");
  const failed = results?.find(({ status }) => status === "Error")?.migrationName ?? "preparation";
  throw new SetupError(
    `The database ${raw.name} could not be brought up to date (${failed}); it is unchanged and the previous version still runs with it`,
    { cause: error },
  );
}

function executed(raw: Database.Database): readonly string[] {
  const table = raw.prepare("SELECT 1 FROM sqlite_master WHERE name = 'kysely_migration'").get();
  if (table === undefined) return [];
  return raw.prepare("SELECT name FROM kysely_migration ORDER BY name").pluck().all() as string[];
}
