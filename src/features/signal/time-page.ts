import { MAX_CURSOR_LENGTH } from "../../domain/answers.ts";
import { ToolError } from "../../kernel/errors.ts";

/**
 * Start of a page in a list that starts at `from`: after `returned` rows with the time `at`. Times in epoch ms; `from` is
 * null in a list without a start.
 */
export interface PagePosition {
  readonly from: number | null;
  readonly at: number;
  readonly returned: number;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Cursor of the next page; null on the last page. */
  readonly next: string | null;
}

interface PageOptions<Row> {
  readonly position: PagePosition | null;
  /** The filters of the list, from `filterKeyOf`. */
  readonly filterKey: string;
  readonly from: number | null;
  readonly limit: number;
  /** Returns the time of a row, epoch ms. */
  readonly timeOf: (row: Row) => number;
}

/** A filter of a list; null and undefined do not filter. */
export type ListFilter = string | number | boolean | null | undefined;

/** Returns the filters of a list as one text; cursors contain it, so they are valid only for the same filters. */
export const filterKeyOf = (...filters: readonly ListFilter[]): string =>
  filters.map((filter) => String(filter ?? "").replaceAll("|", " ")).join(",");

/**
 * Returns a page of rows, which are newest first. Its cursor contains the filters, the start of the list, the time of the
 * last row and the number of returned rows with that time, so that new rows do not shift pages.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  { position, filterKey, from, limit, timeOf }: PageOptions<Row>,
): Page<Row> {
  const start = position === null ? 0 : startOf(rows, position, timeOf);
  const page = rows.slice(start, start + limit);
  const last = page.at(-1);
  if (last === undefined || start + limit >= rows.length) return { rows: page, next: null };
  const at = timeOf(last);
  const returned = start + page.length - rows.findIndex((row) => timeOf(row) === at);
  return { rows: page, next: encodeCursor({ from, at, returned }, filterKey) };
}

/** Returns the index of the first row after a position; rows that no longer exist are not counted. */
function startOf<Row>(
  rows: readonly Row[],
  { at, returned }: PagePosition,
  timeOf: PageOptions<Row>["timeOf"],
): number {
  const first = rows.findIndex((row) => timeOf(row) <= at);
  if (first === -1) return rows.length;
  return first + Math.min(returned, rows.filter((row) => timeOf(row) === at).length);
}

/** Throws INVALID_INPUT if the rows before a position are not in the list. */
export function checkPosition<Row>(
  rows: readonly Row[],
  position: PagePosition | null,
  timeOf: PageOptions<Row>["timeOf"],
): void {
  if (position === null) return;
  const count = rows.filter((row) => timeOf(row) === position.at).length;
  if (count === 0 || position.returned > count) throw invalidCursor("The cursor matches no row of this list");
}

/** Decodes a cursor of a list with the filters `filterKey`; undefined gives null. Throws INVALID_INPUT for any other text. */
export function decodeCursor(
  cursor: string | undefined,
  filterKey: string,
  { earliest = Number.NEGATIVE_INFINITY, now }: { readonly earliest?: number; readonly now: number },
): PagePosition | null {
  if (cursor === undefined) return null;
  const [of = "", from = "", at = "", returned = "", ...rest] = decodeBase64(cursor).split("|");
  const position = { from: from === "" ? null : Number(from), at: Number(at), returned: Number(returned) };
  const valid = [...(from === "" ? [] : [from]), at, returned].every((part) =>
    /^(0|-?[1-9]\d{0,14})$/.test(part),
  );
  if (rest.length > 0 || !valid || encodeCursor(position, of) !== cursor)
    throw invalidCursor("The cursor is malformed");
  if (of !== filterKey) throw invalidCursor("The cursor belongs to a list with other filters");
  const start = position.from ?? earliest;
  if (start < earliest || start > position.at || position.at > now || position.returned < 1)
    throw invalidCursor("The cursor matches no row of this list");
  return position;
}

const decodeBase64 = (cursor: string): string =>
  cursor.length > MAX_CURSOR_LENGTH ? "" : Buffer.from(cursor, "base64url").toString("utf8");

/** Returns the cursor of the page after a position. */
export const encodeCursor = ({ from, at, returned }: PagePosition, filterKey: string): string =>
  Buffer.from([filterKey, from ?? "", at, returned].join("|")).toString("base64url");

const invalidCursor = (message: string): ToolError =>
  new ToolError("INVALID_INPUT", message, {
    hint: "Pass next_cursor of the previous page with the same filters, or omit it for the first page.",
    data: { errors: [{ pointer: "/cursor", detail: "must be next_cursor of the previous page" }] },
  });
