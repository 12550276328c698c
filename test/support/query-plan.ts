import { CompiledQuery, type Kysely, sql } from "kysely";
import { isPostgres } from "../../src/store/engine.ts";
import type { Schema } from "../../src/store/schema.ts";

/**
 * Returns the steps of the plan of a query. PostgreSQL reads and sorts whole tables while they are small: here it does so
 * only where it has no other way.
 */
export async function planOf(
  db: Kysely<Schema>,
  query: string,
  parameters: readonly unknown[] = [],
): Promise<readonly string[]> {
  if (!isPostgres(db)) {
    const explain = CompiledQuery.raw(`explain query plan ${query}`, [...parameters]);
    return (await db.executeQuery<{ readonly detail: string }>(explain)).rows.map(({ detail }) => detail);
  }
  return db.transaction().execute(async (tx) => {
    for (const way of ["seqscan", "bitmapscan", "sort"])
      await sql.raw(`set local enable_${way} = off`).execute(tx);
    const explain = CompiledQuery.raw(`explain ${query}`, [...parameters]);
    return (await tx.executeQuery<{ readonly "QUERY PLAN": string }>(explain)).rows.map(
      (row) => row["QUERY PLAN"],
    );
  });
}
