import { type Chamber, Day, type Party } from "../../domain/congress/congress.ts";
import { ToolError } from "../../kernel/errors.ts";

/** Which disclosures a caller wants; a field left out filters nothing. */
export interface DisclosureFilters {
  readonly ticker?: string | undefined;
  readonly chamber?: Chamber | undefined;
  readonly party?: Party | undefined;
  readonly type?: "buy" | "sell" | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The last row of a page, and the last day of the list that it is a page of. */
export interface PagePosition {
  readonly to: string;
  readonly filing_date: string;
  readonly id: string;
}

/** Longest cursor that is read. */
export const MAX_CURSOR_LENGTH = 600;

/** The cursor of the page after a row. */
export const encodeCursor = (
  wanted: DisclosureFilters,
  symbol: string | null,
  { to, filing_date, id }: PagePosition,
): string => Buffer.from([filterKey(wanted, symbol), to, filing_date, id].join("|")).toString("base64url");

/** The place that a cursor names. Throws INVALID_INPUT for one that no page of the same list gave. */
export function decodeCursor(cursor: string, wanted: DisclosureFilters, symbol: string | null): PagePosition {
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const [, of, to, filing_date, id] = /^([^|]*)\|([^|]*)\|([^|]*)\|(.+)$/s.exec(text) ?? [];
  const days = [to, filing_date].every((day) => Day.safeParse(day).success);
  if (id === undefined || !days || filing_date! > to! || (wanted.to ?? to) !== to) throw invalidCursor();
  if (of !== filterKey(wanted, symbol))
    throw refusal(
      "The cursor is of a list with other filters",
      "Ask for the next page with the same filters, or leave the cursor out.",
    );
  return { to: to!, filing_date: filing_date!, id };
}

const filterKey = ({ chamber, party, type, from, to }: DisclosureFilters, symbol: string | null): string =>
  [symbol, chamber, party, type, from, to].map((part) => part ?? "").join(",");

/** The refusal of a cursor that no page gave. */
export const invalidCursor = (): ToolError =>
  refusal(
    "The cursor is none that this server gave",
    "Pass next_cursor of the page before as it is, or leave it out for the first page.",
  );

const refusal = (message: string, hint: string): ToolError =>
  new ToolError("INVALID_INPUT", message, {
    hint,
    data: { errors: [{ pointer: "/cursor", detail: "must be next_cursor of the page before" }] },
  });
