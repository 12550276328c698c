import type { CsvRecord } from "../../../lib/csv-records.ts";
import type { Column, Columns, Header } from "./columns.ts";
import type { Preset } from "./presets.ts";
import type { RowKind } from "./row-kinds.ts";

/** A row below the header of a table. */
export interface TableRow extends CsvRecord {
  /** true: the row itself is a heading. */
  readonly isHeading: boolean;
  /** Heading above the row that names a class of instruments, such as `Options`; null if there is none. */
  readonly heading: string | null;
  /** Currency named above the row; null if there is none. */
  readonly currency: string | null;
}

/** A row whose quotation marks are closed. */
export type ReadRow = TableRow & { readonly cells: readonly string[] };

/** A table of an export. */
export interface Table {
  readonly header: Header;
  readonly rows: readonly TableRow[];
  readonly preset: Preset;
  /** `positions`, what its rows are instead, or `ignored` for facts such as names and balances. */
  readonly purpose: "positions" | "ignored" | RowKind;
  /** true: the column `Type` holds the kind of the account (cash or margin), not of the instrument. */
  readonly typeIsAccount: boolean;
}

/** Returns a table; its types are those of accounts if all are cash, margin or short, and never an instrument. */
export const tableOf = (table: Omit<Table, "typeIsAccount">): Table => ({
  ...table,
  typeIsAccount:
    table.preset.typeIsAccount ??
    table.rows.every(({ cells }) =>
      cellsOf(cells ?? [], table.header.columns, "type").every((text) => ACCOUNT_TYPE.test(text)),
    ),
});

const ACCOUNT_TYPE = /^(cash|margin|short|long|individual)$/i;

/** Returns the texts of all cells of a row in columns of one kind; empty cells are left out. */
export const cellsOf = (cells: readonly string[], columns: Columns, column: Column): readonly string[] =>
  (columns[column] ?? []).map((at) => cells[at] ?? "").filter((cell) => cell !== "");

/** Returns the text of a row in the most common column of one kind; empty if there is none. */
export const cellOf = (cells: readonly string[], columns: Columns, column: Column): string =>
  cells[columns[column]?.[0] ?? -1] ?? "";
