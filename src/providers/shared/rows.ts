import { z } from "zod";

const DROPPED = Symbol("number of dropped rows");
/** Depth to which a parsed response is searched for lists of rows. */
const MAX_DEPTH = 8;

interface ReadRows<T> extends ReadonlyArray<T> {
  readonly [DROPPED]?: number;
}

/**
 * Returns the schema of a list of rows: those that cannot be read are dropped and counted. A list of which no row can be
 * read does not match.
 */
export const rowsOf = <T>(row: z.ZodType<T>) =>
  z.array(z.unknown()).transform((list, context): readonly T[] => {
    const rows = list.flatMap((value) => {
      const parsed = row.safeParse(value);
      return parsed.success ? [parsed.data] : [];
    });
    if (list.length > 0 && rows.length === 0)
      context.addIssue({ code: "custom", message: "no row can be read", input: list });
    return marked(rows, list.length - rows.length);
  });

/**
 * Returns the schema of rows by name, as a list of names and rows: those whose name or row cannot be read are dropped
 * and counted. An object of which no row can be read does not match.
 */
export const namedRowsOf = <T>(row: z.ZodType<T>, name: z.ZodType<string> = z.string()) =>
  z
    .record(z.string(), z.unknown())
    .transform((rows): unknown[] => Object.entries(rows))
    .pipe(rowsOf(z.tuple([name, row])));

/**
 * Returns the schema of a column whose cells belong to the rows of other columns: a cell that cannot be read becomes
 * null and is counted. A column that has cells, but none that can be read, does not match.
 */
export const columnOf = <T>(cell: z.ZodType<T>) =>
  z.array(z.unknown()).transform((list, context): readonly (T | null)[] => {
    let [readable, unreadable] = [0, 0];
    const cells = list.map((value) => {
      if (value === null) return null;
      const parsed = cell.safeParse(value);
      if (parsed.success) readable++;
      else unreadable++;
      return parsed.success ? parsed.data : null;
    });
    if (unreadable > 0 && readable === 0)
      context.addIssue({ code: "custom", message: "no cell can be read", input: list });
    return marked(cells, unreadable);
  });

/** Adds the number of dropped rows; not enumerable, so that the list equals any other with the same rows. */
const marked = <T>(rows: readonly T[], dropped: number): readonly T[] =>
  dropped === 0 ? rows : Object.defineProperty(rows, DROPPED, { value: dropped });

/** Returns the number of rows that a list had before unreadable ones were dropped. */
export const pageSize = (rows: ReadRows<unknown>): number => rows.length + (rows[DROPPED] ?? 0);

/** Returns the number of rows and cells that were dropped anywhere in a parsed response. */
export function droppedRows(parsed: unknown, depth = 0): number {
  if (typeof parsed !== "object" || parsed === null || depth > MAX_DEPTH) return 0;
  if (Array.isArray(parsed)) {
    const dropped = (parsed as ReadRows<unknown>)[DROPPED];
    if (dropped !== undefined) return dropped;
    // lists of lists are rare and short; a long list of rows has none in it
    return parsed.length > 100 ? 0 : sum(parsed, depth);
  }
  return sum(Object.values(parsed), depth);
}

const sum = (values: readonly unknown[], depth: number): number =>
  values.reduce<number>((total, value) => total + droppedRows(value, depth + 1), 0);
