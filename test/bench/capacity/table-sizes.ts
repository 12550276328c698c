import pg from "pg";

/** Rows of a table, and its bytes with indexes. */
export interface TableSize {
  readonly rows: number;
  readonly bytes: number;
}

/** Returns the size of each table of a database that has rows; of a large table, PostgreSQL estimates their number. */
export async function tableSizes(url: string): Promise<ReadonlyMap<string, TableSize>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("ANALYZE");
    const { rows } = await client.query<{ name: string; rows: number; bytes: string }>(
      `SELECT relname AS name, reltuples AS rows, pg_total_relation_size(oid) AS bytes FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname NOT LIKE 'kysely%' AND reltuples > 0
        ORDER BY relname`,
    );
    return new Map(rows.map(({ name, ...size }) => [name, { rows: size.rows, bytes: Number(size.bytes) }]));
  } finally {
    await client.end();
  }
}
