import { existsSync } from "node:fs";
import type { Migration } from "kysely";
import type { DataVersion } from "../domain/backups/data-version.ts";
import { mainFile } from "./files.ts";
import { recordedMigrations } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { isPreRelease } from "./migrations/pre-release.ts";
import { Database } from "./sqlite/database.ts";

/**
 * Returns the migrations of a data folder without applying any; null for a folder without a database.
 * @throws SqliteError if the database cannot be read.
 */
export function readDataVersion(
  dataDir: string,
  migrations: Readonly<Record<string, Migration>> = MIGRATIONS,
): DataVersion | null {
  const file = mainFile(dataDir);
  if (!existsSync(file)) return null;
  const raw = new Database(file, { readonly: true });
  try {
    const applied = recordedMigrations(raw);
    if (applied.length === 0) return null;
    const isNewer = (name: string) => !(name in migrations);
    return {
      applied,
      missing: Object.keys(migrations).filter((name) => !applied.includes(name)),
      newer: isPreRelease(raw, applied) ? [] : applied.filter(isNewer),
    };
  } finally {
    raw.close();
  }
}
