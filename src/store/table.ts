import type { Generated } from "kysely";

/** A column: its SQL, and the type of its values. */
export interface Column<T> {
  readonly sql: string;
  readonly value?: T;
}

/** Returns a column with the given SQL type and constraints. */
export const column = <T>(sql: string): Column<T> => ({ sql });
export const text = column<string>("TEXT NOT NULL");
export const textOrNull = column<string | null>("TEXT");
export const integer = column<number>("INTEGER NOT NULL");
export const integerOrNull = column<number | null>("INTEGER");
export const real = column<number>("DOUBLE PRECISION NOT NULL");
export const realOrNull = column<number | null>("DOUBLE PRECISION");

/** Columns of every table whose rows belong to an account in one market. */
export const owned = { account: text, market: text };

type Columns = Readonly<Record<string, Column<string | number | null | Generated<number>>>>;

/** A table: its columns in order, and the SQL of its keys. */
export interface Table<C extends Columns = Columns> {
  readonly columns: C;
  readonly keys: string;
}

/** Defines a table; `keys` is the SQL of its keys, empty for none. */
export const table = <const C extends Columns>(keys: string, columns: C): Table<C> => ({ columns, keys });

export function createTableSql(name: string, { columns, keys }: Table): string {
  const parts = Object.entries(columns).map(([column, { sql }]) => `${column} ${sql}`);
  return `CREATE TABLE ${name} (${[...parts, ...(keys === "" ? [] : [keys])].join(", ")})`;
}

type ValueOf<C> = C extends Column<infer T> ? T : never;

/** The row types of tables, by name. */
export type RowsOf<Tables extends Readonly<Record<string, Table>>> = {
  readonly [Name in keyof Tables]: {
    readonly [Key in keyof Tables[Name]["columns"]]: ValueOf<Tables[Name]["columns"][Key]>;
  };
};
