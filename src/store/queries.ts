import type { Expression, ExpressionBuilder, Insertable, Kysely, Selectable, SqlBool } from "kysely";
import { isPostgres, rowIdOf } from "./engine.ts";
import type { Schema } from "./schema.ts";

/** Maximum number of rows per statement, because SQLite limits the number of values in one. */
const BATCH_SIZE = 200;

/** The database and the market whose rows are used. */
export interface MarketDb {
  readonly db: Kysely<Schema>;
  /** Id of the market; its rows are never visible to another. */
  readonly market: string;
}

type TableName = keyof Schema;
type Row<T extends TableName> = Selectable<Schema[T]>;
type NewRow<T extends TableName> = Insertable<Schema[T]>;
type Column<T extends TableName> = keyof Row<T> & string;

type Bounds<Value> =
  | { readonly [Operator in "<" | "<=" | ">" | ">="]?: NonNullable<Value> }
  | { readonly "!=": Value }
  | { readonly "not in": readonly Value[] };

/** Condition on a column. It is a class, so that a plain object passed as a value is never mistaken for a condition. */
class Comparison<Value> {
  readonly bounds: Bounds<Value>;
  constructor(bounds: Bounds<Value>) {
    this.bounds = bounds;
  }
}

/** Returns a condition that compares a column with values, for example `compare({ ">=": from, "<": until })`. */
export const compare = <Value>(bounds: Bounds<Value>): Comparison<Value> => new Comparison(bounds);

/** Conditions on columns; a row must meet all of them. Each is a value or null, a list of values, or a comparison. */
type Filter<T extends TableName> = {
  readonly [C in Column<T>]?: Row<T>[C] | readonly NonNullable<Row<T>[C]>[] | Comparison<Row<T>[C]>;
};

/** Columns, order and number of the rows to read. Default: all columns of all rows, unordered. */
interface ListOptions<T extends TableName, C extends Column<T> = Column<T>> {
  readonly columns?: readonly C[];
  readonly order?: readonly (Column<T> | `${Column<T>} desc`)[];
  readonly limit?: number;
  /** Number of rows to skip; requires `limit`. */
  readonly offset?: number;
}

/** Returns the same database with untyped rows, because Kysely cannot type a statement whose table is a parameter. */
const untyped = (db: Kysely<Schema>) => db as unknown as Kysely<Record<string, Record<string, unknown>>>;

type UntypedExpression = ExpressionBuilder<Record<string, Record<string, unknown>>, string>;

const matches =
  (filter: object) =>
  (is: UntypedExpression): Expression<SqlBool> =>
    is.and(Object.entries(filter).flatMap(([column, wanted]) => conditionsOf(is, column, wanted)));

function conditionsOf(is: UntypedExpression, column: string, wanted: unknown): Expression<SqlBool>[] {
  if (wanted === null) return [is(column, "is", null)];
  if (Array.isArray(wanted)) return [is(column, "in", wanted)];
  if (!(wanted instanceof Comparison)) return [is(column, "=", wanted)];
  return Object.entries(wanted.bounds).map(([operator, value]) =>
    value === null ? is(column, "is not", null) : is(column, operator as "=", value),
  );
}

/**
 * Returns true for a filter with an empty list. No row matches it, but SQLite would read the entire table to find out.
 */
const matchesNothing = (filter: object): boolean =>
  Object.values(filter).some((wanted) => Array.isArray(wanted) && wanted.length === 0);

export async function listRows<T extends TableName, C extends Column<T> = Column<T>>(
  db: Kysely<Schema>,
  table: T,
  filter: Filter<T>,
  { columns, order = [], limit, offset }: ListOptions<T, C> = {},
): Promise<Pick<Row<T>, C>[]> {
  if (matchesNothing(filter)) return [];
  const from = untyped(db).selectFrom(table as string);
  let query = (columns === undefined ? from.selectAll() : from.select(columns)).where(matches(filter));
  for (const term of order) {
    const [column = "", direction = "asc"] = term.split(" ");
    query = query.orderBy(column, direction as "asc" | "desc");
  }
  if (limit !== undefined) query = query.limit(limit);
  if (offset !== undefined) query = query.offset(offset);
  return (await query.execute()) as Pick<Row<T>, C>[];
}

/** Returns the first row that matches; undefined for none. */
export async function findRow<T extends TableName, C extends Column<T> = Column<T>>(
  db: Kysely<Schema>,
  table: T,
  filter: Filter<T>,
  options: Omit<ListOptions<T, C>, "limit"> = {},
): Promise<Pick<Row<T>, C> | undefined> {
  const [row] = await listRows<T, C>(db, table, filter, { ...options, limit: 1 });
  return row;
}

export async function countRows<T extends TableName>(
  db: Kysely<Schema>,
  table: T,
  filter: Filter<T>,
): Promise<number> {
  const { count } = await untyped(db)
    .selectFrom(table as string)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where(matches(filter))
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
export const upsert = <T extends TableName, Key extends Partial<Row<T>>>(
  db: Kysely<Schema>,
  table: T,
  key: Key,
  row: Omit<NewRow<T>, keyof Key>,
): Promise<void> =>
  upsertRows(db, table, Object.keys(key) as Column<T>[], [{ ...key, ...row } as unknown as NewRow<T>]);

/** Inserts rows with the same columns in batches; if a key exists, the other columns are updated. */
export async function upsertRows<T extends TableName>(
  db: Kysely<Schema>,
  table: T,
  key: readonly Column<T>[],
  rows: readonly NewRow<T>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => !key.includes(column as Column<T>));
  for (let i = 0; i < rows.length; i += BATCH_SIZE)
    await untyped(db)
      .insertInto(table as string)
      .values(rows.slice(i, i + BATCH_SIZE))
      .onConflict((conflict) =>
        conflict
          .columns(key)
          .doUpdateSet(({ ref }) =>
            Object.fromEntries(columns.map((column) => [column, ref(`excluded.${column}`)])),
          ),
      )
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
    .where(matches(filter))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Deletes the rows that match, at most `limit` of them. Returns their number. Default: no limit. */
export async function deleteRows<T extends TableName>(
  db: Kysely<Schema>,
  table: T,
  filter: Filter<T>,
  limit?: number,
): Promise<number> {
  if (matchesNothing(filter)) return 0;
  const query = untyped(db).deleteFrom(table as string);
  const { numDeletedRows } = await (limit === undefined
    ? query.where(matches(filter))
    : query.where(rowIdOf(db).column, "in", ({ selectFrom }: UntypedExpression) =>
        selectFrom(table as string)
          .select(rowIdOf(db).column)
          .where(matches(filter))
          .limit(limit)
          // rows that another transaction deletes are left to it: two that wait for each other would never end
          .$if(isPostgres(db), (rows) => rows.forUpdate().skipLocked()),
      )
  ).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes the matching rows except the newest `newest` ones by the time in `column`. */
export async function deleteOldest<T extends TableName>(
  db: Kysely<Schema>,
  table: T,
  filter: Filter<T>,
  { column, newest }: { readonly column: Column<T>; readonly newest: number },
): Promise<void> {
  const next = await findRow(db, table, filter, { order: [`${column} desc`], offset: newest });
  if (next !== undefined)
    await deleteRows(db, table, {
      ...filter,
      [column]: compare({ "<=": next[column] as string | number }),
    } as Filter<T>);
}
