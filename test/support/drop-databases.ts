import pg from "pg";
import { DATABASES, POSTGRES_URL } from "./postgres.ts";

/** Deletes the databases of the run when it has ended. */
export function teardown(): Promise<void> {
  return POSTGRES_URL === null ? Promise.resolve() : dropAll(POSTGRES_URL);
}

async function dropAll(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query("SELECT datname AS name FROM pg_database WHERE datname LIKE $1", [
    `${DATABASES.replaceAll("_", "\\_")}%`,
  ]);
  for (const { name } of rows as { name: string }[])
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await client.end();
}
