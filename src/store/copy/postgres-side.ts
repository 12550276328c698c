import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Sequence } from "../../domain/backups/database-copy.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { STORE_LOCK } from "../postgres/locks.ts";
import { MIGRATION_LOCK, OTHER_TABLE_NAMES } from "../postgres/migrate.ts";
import { connectionError, describeUrl } from "../postgres/open-store.ts";
import { APPLICATION, newClient } from "../postgres/pool.ts";
import { types } from "../postgres/types.ts";
import {
  BATCH,
  type CopySource,
  type CopyTable,
  type CopyTarget,
  type CounterRow,
  quoted,
  type Row,
} from "./side.ts";

/** Maximum time for which PostgreSQL still lists connections that were closed, ms. */
const CLOSING_MS = 2_000;
const RETRY_MS = 50;
/** End of the error that refuses a copy. */
const LOST_WRITES =
  ", and what it writes during the copy would be lost; stop every server on it and run the command again";

/** Opens a PostgreSQL database in one reading transaction. `isAlone`: throws SetupError while a server or command uses it. */
export async function openPostgresSource(
  url: string,
  { isAlone }: { readonly isAlone: boolean },
): Promise<CopySource> {
  const client = await connect(url);
  try {
    if (isAlone) await excludeOthers(client, url, LOST_WRITES);
    await client.query("begin isolation level repeatable read read only");
    return await sourceOf(client, url);
  } catch (cause) {
    await client.end();
    throw cause;
  }
}

/** Opens a PostgreSQL database with all migrations in one writing transaction. @throws SetupError while it is used */
export async function openPostgresTarget(url: string): Promise<CopyTarget> {
  const client = await connect(url);
  try {
    await excludeOthers(client, url, LOST_WRITES);
    await client.query(`begin; ${STORE_LOCK}`);
    const columnTypes = await columnTypesIn(client);
    return {
      ...(await sourceOf(client, url)),
      isPostgres: true,
      async insert({ name, columns }, rows) {
        const arrays = columns.map((column, i) => `$${i + 1}::${columnTypes.get(`${name} ${column}`)}[]`);
        await client.query({
          name: `copy ${name}`,
          text: `INSERT INTO ${quoted(name)} (${columns.map(quoted).join(", ")}) SELECT * FROM unnest(${arrays.join(", ")})`,
          values: columns.map((_, i) => rows.map((row) => row[i])),
        });
      },
      async setSequence(table, last) {
        const column = (await identitiesIn(client)).get(table)!;
        await client.query(
          "SELECT setval(pg_get_serial_sequence($1, $2), greatest($3::bigint, 1), $3::bigint > 0)",
          [quoted(table), column, last],
        );
      },
      async setCounters(rows) {
        for (const { key, used, ends } of rows)
          await client.query(
            `INSERT INTO lasting_windows (key, used, ends) VALUES ($1, $2, $3)
             ON CONFLICT (key) DO UPDATE SET used = excluded.used, ends = excluded.ends`,
            [key, used, ends],
          );
      },
      async commit() {
        await client.query("commit");
      },
    };
  } catch (cause) {
    await client.end();
    throw cause;
  }
}

/** Refuses a command that needs a database for itself. @throws SetupError while a server or command uses it */
export async function assertDatabaseNotInUse(url: string, command: string): Promise<void> {
  const client = await connect(url);
  try {
    await excludeOthers(client, url, `; stop every server on it, then ${command}`);
  } finally {
    await client.end();
  }
}

/** Returns true for two addresses of one database. */
export async function isSameDatabase(...urls: readonly [string, string]): Promise<boolean> {
  const [one, other] = await Promise.all(
    urls.map(async (url) => {
      const client = await connect(url);
      try {
        const { rows } = await client.query<{ id: string }>(
          "SELECT current_database() || ' ' || current_schema() || pg_postmaster_start_time() AS id",
        );
        return rows[0]!.id;
      } finally {
        await client.end();
      }
    }),
  );
  return one === other;
}

async function connect(url: string): Promise<pg.Client> {
  try {
    // not the name of servers, by which excludeOthers finds them
    const client = newClient(url, { application_name: `${APPLICATION}-copy`, types });
    await client.connect();
    return client;
  } catch (cause) {
    throw connectionError(describeUrl(url), cause);
  }
}

/**
 * Makes servers and commands that start wait until the connection ends. @throws SetupError, whose message ends with
 * `remedy`, if one already uses the database
 */
async function excludeOthers(client: pg.Client, url: string, remedy: string): Promise<void> {
  await client.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
  const since = performance.now();
  for (;;) {
    const { rows } = await client.query<{ pid: number; address: string | null }>(
      `SELECT pid, host(client_addr) AS address FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = $1 ORDER BY pid`,
      [APPLICATION],
    );
    if (rows.length === 0) return;
    if (performance.now() - since > CLOSING_MS) {
      const from = [...new Set(rows.map(({ address }) => address ?? "this machine"))].join(", ");
      throw new SetupError(
        `A server or command is using the database ${describeUrl(url)} (from ${from})${remedy}`,
      );
    }
    await sleep(RETRY_MS);
  }
}

async function sourceOf(client: pg.Client, url: string): Promise<CopySource> {
  return {
    name: describeUrl(url),
    tables: await tablesIn(client),
    async count(table) {
      const { rows } = await client.query<[number]>({
        text: `SELECT count(*) FROM ${quoted(table)}`,
        rowMode: "array",
      });
      return rows[0]![0];
    },
    async *rows({ name, columns }) {
      const list = columns.map(quoted).join(", ");
      await client.query(`DECLARE copied NO SCROLL CURSOR FOR SELECT ${list} FROM ${quoted(name)}`);
      for (;;) {
        const { rows } = await client.query<[...Row]>({
          text: `FETCH ${BATCH} FROM copied`,
          rowMode: "array",
        });
        if (rows.length > 0) yield rows;
        if (rows.length < BATCH) break;
      }
      await client.query("CLOSE copied");
    },
    async sequences() {
      const found: Sequence[] = [];
      for (const [table, column] of await identitiesIn(client)) {
        const named = await client.query<{ sequence: string }>(
          "SELECT pg_get_serial_sequence($1, $2) AS sequence",
          [quoted(table), column],
        );
        const { rows } = await client.query<Omit<Sequence, "table">>(
          `SELECT (CASE WHEN is_called THEN last_value ELSE 0 END)::bigint AS last,
             (SELECT coalesce(max(${quoted(column)}), 0) FROM ${quoted(table)}) AS highest
           FROM ${named.rows[0]!.sequence}`,
        );
        found.push({ table, ...rows[0]! });
      }
      return found;
    },
    async counters() {
      const { rows } = await client.query<CounterRow>(
        "SELECT key, used, ends FROM lasting_windows WHERE ends > extract(epoch from now()) * 1000",
      );
      return rows;
    },
    async close() {
      await client.end(); // rolls back what was not committed
    },
  };
}

/** Returns the tables that SQLite has too, each after those that it refers to. */
async function tablesIn(client: pg.Client): Promise<readonly CopyTable[]> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `SELECT relname AS table, attname AS column FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname NOT LIKE 'kysely%'
       AND relname <> ALL($1) AND attnum > 0 AND NOT attisdropped
     ORDER BY relname COLLATE "C", attname COLLATE "C"`,
    [OTHER_TABLE_NAMES],
  );
  const references = await client.query<{ of: string; to: string }>(
    `SELECT a.relname AS of, b.relname AS to FROM pg_constraint
     JOIN pg_class a ON a.oid = conrelid JOIN pg_class b ON b.oid = confrelid
     WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
  );
  const columns = new Map<string, string[]>();
  for (const { table, column } of rows) columns.set(table, [...(columns.get(table) ?? []), column]);
  const ordered = new Set<string>();
  const add = (table: string, within: readonly string[] = []): void => {
    if (within.includes(table)) return; // a cycle
    for (const { of, to } of references.rows) if (of === table) add(to, [...within, table]);
    ordered.add(table);
  };
  for (const table of columns.keys()) add(table);
  return [...ordered].map((name) => ({ name, columns: columns.get(name)! }));
}

/** Returns the identity column of each table that has one. */
async function identitiesIn(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = current_schema() AND is_identity = 'YES' ORDER BY table_name COLLATE "C"`,
  );
  return new Map(rows.map(({ table, column }) => [table, column]));
}

/** Returns the type of each column, by the names of table and column. */
async function columnTypesIn(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT table_name || ' ' || column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = current_schema()`,
  );
  return new Map(rows.map(({ name, type }) => [name, type]));
}
