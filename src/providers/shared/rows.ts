import { z } from "zod";
import { mapInSteps } from "../../lib/event-loop.ts";

const DROPPED = Symbol("number of dropped rows");
/** Depth to which a parsed response is searched for lists of rows. */
const MAX_DEPTH = 8;
/** Maximum number of rows or cells of one list; the longest page of a provider has 50,000. */
const MAX_ROWS = 60_000;
const List = z.array(z.unknown()).max(MAX_ROWS, { abort: true });

interface ReadRows<T> extends ReadonlyArray<T> {
  readonly [DROPPED]?: number;
}

/**
 * Returns the schema of a list of rows: those that cannot be read are dropped and counted. A list of which no row can
 * be read, or with more than 60,000, does not match. Rows are read in steps between which other events are handled, so
 * the schema is asynchronous.
 */
export const rowsOf = <T>(row: z.ZodType<T>) =>
  List.transform(async (list, context): Promise<readonly T[]> => {
    const rows = await readRows(row, list);
    if (list.length > 0 && rows.length === 0)
      context.addIssue({ code: "custom", message: "no row can be read", input: list });
    return marked(rows, list.length - rows.length);
  });

/**
 * Returns the schema of an object of values by name, with at most `max` names: a plain schema would visit all names of
 * a large one without a pause.
 */
export const namedValues = (max = MAX_ROWS) =>
  z.custom<Readonly<Record<string, unknown>>>((value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    let left = max;
    for (const _ in value) if (left-- === 0) return false;
    return true;
  });

/**
 * Returns the schema of rows by name, as a list of names and rows: those whose name or row cannot be read are dropped
 * and counted. An object of which no row can be read does not match.
 */
export const namedRowsOf = <T>(row: z.ZodType<T>, name: z.ZodType<string> = z.string()) =>
  namedValues()
    .transform((rows): unknown[] => Object.entries(rows))
    .pipe(rowsOf(z.tuple([name, row])));

/**
 * Returns the schema of a column whose cells belong to the rows of other columns: a cell that cannot be read becomes
 * null and is counted. A column that has cells, but none that can be read, or more than 60,000, does not match.
 */
export const columnOf = <T>(cell: z.ZodType<T>) =>
  List.transform(async (list, context): Promise<readonly (T | null)[]> => {
    let [readable, unreadable] = [0, 0];
    const cells = await mapInSteps(list, (value) => {
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

/** Reads the rows that have the expected shape, in steps between which other events are handled; drops the others. */
export async function readRows<T>(shape: z.ZodType<T>, rows: readonly unknown[]): Promise<readonly T[]> {
  const read: T[] = [];
  await mapInSteps(rows, (row) => {
    const parsed = shape.safeParse(row);
    if (parsed.success) read.push(parsed.data);
  });
  return read;
}

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
