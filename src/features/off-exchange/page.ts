import type { PrintRow } from "../../domain/off-exchange/darkpool.ts";
import { ToolError } from "../../kernel/errors.ts";

/**
 * Start of a page in a list that starts at `from`: after `returned` rows with the report time `at`. Times in epoch ms.
 */
interface PagePosition {
  readonly from: number;
  readonly at: number;
  readonly returned: number;
}

export interface Page {
  readonly rows: readonly PrintRow[];
  /** Cursor of the next page; null on the last page. */
  readonly next: string | null;
}

interface PageOptions {
  readonly position: PagePosition | null;
  readonly mark: string;
  readonly from: number;
  readonly limit: number;
}

const MAX_CURSOR_LENGTH = 200;

/** Returns the filters of a list as one string, which its cursors contain. */
export const filterKey = (symbol: string | null, since: number | null, minNotional: number): string =>
  [symbol ?? "", since ?? "", minNotional].join(",");

/**
 * Returns a page of rows, newest first. Its cursor contains the filters, the start of the list, the report time of the
 * last row and the number of returned rows with that time, so that new prints do not shift pages. Throws INVALID_INPUT
 * if no row has the cursor's report time.
 */
export function pageOf(rows: readonly PrintRow[], { position, mark, from, limit }: PageOptions): Page {
  const start = position === null ? 0 : startOf(rows, position);
  const page = rows.slice(start, start + limit);
  const last = page.at(-1);
  if (last === undefined || start + limit >= rows.length) return { rows: page, next: null };
  const first = rows.findIndex(({ reported_at }) => reported_at === last.reported_at);
  const at = Date.parse(last.reported_at);
  return { rows: page, next: encodeCursor({ from, at, returned: start + page.length - first }, mark) };
}

function startOf(rows: readonly PrintRow[], { at, returned }: PagePosition): number {
  const first = rows.findIndex(({ reported_at }) => Date.parse(reported_at) === at);
  const count = rows.filter(({ reported_at }) => Date.parse(reported_at) === at).length;
  if (first === -1 || returned > count) throw invalidCursor("The cursor matches no print of this list");
  return first + returned;
}

/** Decodes a cursor of a list with the filters `mark`; undefined gives null. Throws INVALID_INPUT for any other text. */
export function decodeCursor(
  cursor: string | undefined,
  mark: string,
  { least, now }: { readonly least: number; readonly now: number },
): PagePosition | null {
  if (cursor === undefined) return null;
  const [of = "", from = "", at = "", returned = "", ...rest] = decodeBase64(cursor).split("|");
  const position = { from: Number(from), at: Number(at), returned: Number(returned) };
  const valid = [from, at, returned].every((part) => /^(0|[1-9]\d{0,14})$/.test(part));
  if (rest.length > 0 || !valid || encodeCursor(position, of) !== cursor)
    throw invalidCursor("The cursor is malformed");
  if (of !== mark) throw invalidCursor("The cursor belongs to a list with other filters");
  if (position.from < least || position.from > position.at || position.at > now || position.returned < 1)
    throw invalidCursor("The cursor matches no print of this list");
  return position;
}

const decodeBase64 = (cursor: string): string =>
  cursor.length > MAX_CURSOR_LENGTH ? "" : Buffer.from(cursor, "base64url").toString("utf8");

const encodeCursor = ({ from, at, returned }: PagePosition, mark: string): string =>
  Buffer.from([mark, from, at, returned].join("|")).toString("base64url");

const invalidCursor = (message: string): ToolError =>
  new ToolError("INVALID_INPUT", message, {
    hint: "Pass next_cursor of the previous page with the same filters, or omit it for the first page.",
    data: { errors: [{ pointer: "/cursor", detail: "must be next_cursor of the previous page" }] },
  });
