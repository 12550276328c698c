import { type Kysely, type Migration, Migrator } from "kysely";
import { SetupError } from "../lib/setup-error.ts";
import type { Schema } from "./schema.ts";

/** Applies the missing migrations of a database, or none. `name`: its name in messages. @throws SetupError if one fails */
export async function applyMissing(
  name: string,
  db: Kysely<Schema>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find(({ status }) => status === "Error")?.migrationName ?? "preparation";
  throw new SetupError(
    `The database ${name} could not be brought up to date (${failed}); it is unchanged and the previous version still runs with it`,
    { cause: error },
  );
}
