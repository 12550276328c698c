import { type Chamber, Day, type Party } from "../../domain/congress/congress.ts";
import { ToolError } from "../../kernel/errors.ts";

/** Filters of disclosures; an omitted field does not filter. */
export interface DisclosureFilters {
  readonly ticker?: string | undefined;
  readonly chamber?: Chamber | undefined;
  readonly party?: Party | undefined;
  readonly type?: "buy" | "sell" | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Position after a page: its last row and the last day of the list. */
export interface PagePosition {
  readonly to: string;
  readonly filing_date: string;
  readonly id: string;
}

/** Returns the cursor of the page after a row. */
export const encodeCursor = (
  filters: DisclosureFilters,
  symbol: string | null,
  { to, filing_date, id }: PagePosition,
): string => Buffer.from([filterKey(filters, symbol), to, filing_date, id].join("|")).toString("base64url");

/** Decodes a cursor. Throws INVALID_INPUT if it was not issued for the same list. */
export function decodeCursor(
  cursor: string,
  filters: DisclosureFilters,
  symbol: string | null,
): PagePosition {
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const [, of, to, filing_date, id] = /^([^|]*)\|([^|]*)\|([^|]*)\|(.+)$/s.exec(text) ?? [];
  const days = [to, filing_date].every((day) => Day.safeParse(day).success);
  if (id === undefined || !days || filing_date! > to! || (filters.to ?? to) !== to) throw invalidCursor();
  if (of !== filterKey(filters, symbol))
    throw cursorError(
      "The cursor belongs to a list with other filters",
      "Request the next page with the same filters, or omit the cursor.",
    );
  return { to: to!, filing_date: filing_date!, id };
}

const filterKey = ({ chamber, party, type, from, to }: DisclosureFilters, symbol: string | null): string =>
  [symbol, chamber, party, type, from, to].map((part) => part ?? "").join(",");

export const invalidCursor = (): ToolError =>
  cursorError(
    "The cursor was not issued by this server",
    "Pass next_cursor of the previous page unchanged, or omit it for the first page.",
  );

const cursorError = (message: string, hint: string): ToolError =>
  new ToolError("INVALID_INPUT", message, {
    hint,
    data: { errors: [{ pointer: "/cursor", detail: "must be next_cursor of the previous page" }] },
  });
