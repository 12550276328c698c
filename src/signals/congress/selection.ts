import { personOf } from "../../analytics/congress/lean.ts";
import { dayAfter } from "../../analytics/congress/window.ts";
import type { Chamber, Disclosure, DisclosureOrigin, Party } from "../../domain/congress.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Disclosures } from "../../ports/congress.ts";
import type { CallOptions, Clock, Congress, Symbols } from "../../ports/index.ts";

/** Days of filings asked about where no first day is said, and the most there may be. */
const USUAL_DAYS = 365;
const MOST_DAYS = 1_830;

/** Which disclosures a caller wants; a field left out filters nothing. */
export interface Wanted {
  readonly ticker?: string | undefined;
  readonly chamber?: Chamber | undefined;
  readonly party?: Party | undefined;
  readonly type?: "buy" | "sell" | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What was found, whole, and one page of it. */
export interface Selection {
  readonly all: readonly Disclosure[];
  readonly page: readonly Disclosure[];
  readonly unread: Disclosures["unread"];
  readonly members: number;
  readonly symbol: string | null;
  readonly from: string;
  readonly to: string;
  readonly next: string | null;
  readonly origin: DisclosureOrigin;
  readonly reason: string | null;
}

interface Lent extends CallOptions {
  readonly congress: Congress;
  readonly symbols: Symbols;
  readonly clock: Clock;
}

/** Disclosures by filters, newest filing first, a page at a time. Rejects with INVALID_INPUT for dates or a cursor that fit nothing. */
export async function selectionOf(
  { limit, cursor, ...wanted }: Wanted & { readonly limit: number; readonly cursor?: string | undefined },
  { congress, symbols, clock, signal }: Lent,
): Promise<Selection> {
  const symbol = wanted.ticker === undefined ? null : symbols.resolve(wanted.ticker).instrument.symbol;
  const place = cursor === undefined ? null : placeOf(cursor, markOf(wanted, symbol));
  const today = clock.now().toISOString().slice(0, 10);
  const to = place?.to ?? wanted.to ?? today;
  const from = place?.from ?? wanted.from ?? dayAfter(to, 1 - USUAL_DAYS);
  checkWindow(from, to);
  const found = await congress.disclosures({
    from,
    until: to,
    ...(symbol !== null && { symbol }),
    ...(wanted.chamber !== undefined && { chamber: wanted.chamber }),
    ...(signal !== undefined && { signal }),
  });
  const all = found.trades
    .filter(
      ({ party, type }) =>
        (wanted.party === undefined || party === wanted.party) &&
        (wanted.type === undefined || type === wanted.type),
    )
    .sort(newestFirst);
  const start = place === null ? 0 : all.findIndex((trade) => newestFirst(trade, place) > 0);
  const page = start === -1 ? [] : all.slice(start, start + limit);
  const last = page.at(-1);
  const more = last !== undefined && all.at(-1) !== last;
  const { source, fetched_at, as_of, stale, coverage, reason } = found;
  return {
    all,
    page,
    unread: found.unread,
    members: new Set(all.map(personOf)).size,
    symbol,
    from,
    to,
    next: more ? cursorOf([markOf(wanted, symbol), from, to, last.filing_date, last.id]) : null,
    origin: { source, fetched_at, as_of, stale, coverage },
    reason: all.length > 0 ? null : (reason ?? "No disclosure filed in these days fits"),
  };
}

const newestFirst = (
  a: Pick<Disclosure, "filing_date" | "id">,
  b: Pick<Disclosure, "filing_date" | "id">,
): number =>
  a.filing_date !== b.filing_date
    ? a.filing_date < b.filing_date
      ? 1
      : -1
    : a.id === b.id
      ? 0
      : a.id < b.id
        ? 1
        : -1;

function checkWindow(from: string, to: string): void {
  if (from > to)
    throw new ToolError("INVALID_INPUT", "`from` must not be after `to`", {
      data: { errors: [{ pointer: "/from", detail: "is after `to`" }] },
    });
  if (dayAfter(from, MOST_DAYS) < to)
    throw new ToolError("INVALID_INPUT", `From \`from\` to \`to\` are at most ${MOST_DAYS} days`, {
      hint: "Ask for a later `from`, or for several windows.",
      data: { errors: [{ pointer: "/from", detail: `lies more than ${MOST_DAYS} days before \`to\`` }] },
    });
}

const markOf = ({ chamber, party, type, from, to }: Wanted, symbol: string | null): string =>
  [symbol, chamber, party, type, from, to].map((part) => part ?? "").join(",");

const cursorOf = (parts: readonly string[]): string => Buffer.from(parts.join("|")).toString("base64url");

/** Where the page before ended. */
function placeOf(cursor: string, mark: string) {
  const parts = Buffer.from(cursor, "base64url").toString("utf8").split("|");
  const [of, from, to, filing_date, id, ...rest] = parts;
  const days = [from, to, filing_date].every((day) => /^\d{4}-\d\d-\d\d$/.test(day ?? ""));
  if (id === undefined || rest.length > 0 || !days)
    throw new ToolError("INVALID_INPUT", "The cursor is none that this server gave", {
      hint: "Pass next_cursor of the page before as it is, or leave it out for the first page.",
    });
  if (of !== mark)
    throw new ToolError("INVALID_INPUT", "The cursor is of a list with other filters", {
      hint: "Ask for the next page with the same filters, or leave the cursor out.",
    });
  return { from: from!, to: to!, filing_date: filing_date!, id };
}
