import type { Insertable, Kysely, Selectable } from "kysely";
import type { Schema } from "./schema.ts";

/** Rows of one statement; a statement may have some thousands of values. */
const BATCH_SIZE = 200;

/** The database, for the rows of one market. */
export interface MarketDb {
  readonly db: Kysely<Schema>;
  /** Id of the market; its rows are never visible to another. */
  readonly market: string;
}

type TableName = keyof Schema;
type Row<T extends TableName> = Selectable<Schema[T]>;
type NewRow<T extends TableName> = Insertable<Schema[T]>;
/** Values that columns must equal. */
type Filter<T extends TableName> = Partial<Row<T>>;

/** The same database with untyped rows: Kysely cannot type a statement whose table is a parameter. */
const untyped = (db: Kysely<Schema>) => db as unknown as Kysely<Record<string, Record<string, unknown>>>;

/** Returns the first row that matches; undefined for none. */
export const findRow = <T extends TableName>(
  db: Kysely<Schema>,
  table: T,
  filter: Filter<T>,
): Promise<Row<T> | undefined> =>
  untyped(db)
    .selectFrom(table as string)
    .selectAll()
    .where((is) => is.and(filter))
    .executeTakeFirst() as Promise<Row<T> | undefined>;

/** Counts the rows that match. */
export async function countRows<T extends TableName>(
  db: Kysely<Schema>,
  table: T,
  filter: Filter<T>,
): Promise<number> {
  const { count } = await untyped(db)
    .selectFrom(table as string)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where((is) => is.and(filter))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Inserts rows in batches. */
export async function insertRows<T extends TableName>(
  db: Kysely<Schema>,
  table: T,
  rows: readonly NewRow<T>[],
): Promise<void> {
  for (let i = 0; i < rows.length; i += BATCH_SIZE)
    await untyped(db)
      .insertInto(table as string)
      .values(rows.slice(i, i + BATCH_SIZE))
      .execute();
}

/** Inserts the rows whose key does not exist yet, in batches. Returns their number. */
export async function insertMissing<T extends TableName>(
  db: Kysely<Schema>,
  table: T,
  rows: readonly NewRow<T>[],
): Promise<number> {
  let added = 0;
  for (let i = 0; i < rows.length; i += BATCH_SIZE) {
    const { numInsertedOrUpdatedRows } = await untyped(db)
      .insertInto(table as string)
      .values(rows.slice(i, i + BATCH_SIZE))
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    added += Number(numInsertedOrUpdatedRows ?? 0);
  }
  return added;
}

/** Inserts a row, or updates the columns of `row` when the key exists. */
export async function upsert<T extends TableName, Key extends Filter<T>>(
  db: Kysely<Schema>,
  table: T,
  key: Key,
  row: Omit<NewRow<T>, keyof Key>,
): Promise<void> {
  await untyped(db)
    .insertInto(table as string)
    .values({ ...key, ...row })
    .onConflict((conflict) => conflict.columns(Object.keys(key)).doUpdateSet({ ...row }))
    .execute();
}

/** Updates the rows that match. Returns their number. */
export async function updateRows<T extends TableName>(
  db: Kysely<Schema>,
  table: T,
  filter: Filter<T>,
  set: Partial<Row<T>>,
): Promise<number> {
  const { numUpdatedRows } = await untyped(db)
    .updateTable(table as string)
    .set(set)
    .where((is) => is.and(filter))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Deletes the rows that match. Returns their number. */
export async function deleteRows<T extends TableName>(
  db: Kysely<Schema>,
  table: T,
  filter: Filter<T>,
): Promise<number> {
  const { numDeletedRows } = await untyped(db)
    .deleteFrom(table as string)
    .where((is) => is.and(filter))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
