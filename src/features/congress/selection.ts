import { personOf } from "../../analytics/congress/lean.ts";
import type { DataCompleteness, Disclosure } from "../../domain/congress/congress.ts";
import type { CallOptions, Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { dayAfter } from "../../lib/day-after.ts";
import { resolveRange } from "../signal/time-range.ts";
import { type DisclosureFilters, decodeCursor, encodeCursor, invalidCursor } from "./cursor.ts";
import { chambersOf, filingCoverage, notesOf, onlyCoveredChamber, originUntil } from "./filing-coverage.ts";

/** Default and maximum length of the requested range, in days. */
const DEFAULT_DAYS = 365;
const MAX_DAYS = 1_830;

/** Returns the rows of a page: in a concise answer at most as many as its default. */
export const pageSize = (
  limit: number,
  detail: "concise" | "full",
  { concise }: { readonly concise: number },
): number => (detail === "concise" ? Math.min(limit, concise) : limit);

/** Selects one page of disclosures, newest filing first. Rejects with INVALID_INPUT for invalid dates or cursors. */
export async function selectDisclosures(
  {
    limit,
    cursor,
    ...given
  }: DisclosureFilters & { readonly limit: number; readonly cursor?: string | undefined },
  { congress, symbols, clock, signal }: CallOptions & Pick<Ports, "congress" | "symbols" | "clock">,
) {
  const now = clock.now();
  const today = now.toISOString().slice(0, 10);
  const range = resolveRange(given, { now });
  // a later end means today, on every page
  const filters = given.to !== undefined && given.to > today ? { ...given, to: undefined } : given;
  const symbol = filters.ticker === undefined ? null : symbols.resolve(filters.ticker).instrument.symbol;
  const position = cursor === undefined ? null : decodeCursor(cursor, filters, symbol);
  const to = filters.to ?? position?.to ?? today;
  const from = filters.from ?? dayAfter(to, 1 - DEFAULT_DAYS);
  if (position !== null && (position.to > today || position.filing_date < from)) throw invalidCursor();
  checkLength(from, to);
  const { chamber, party } = filters;
  const found = await congress.disclosures({
    from,
    until: to,
    signal,
    ...(symbol !== null && { symbol }),
    ...(chamber !== undefined && { chamber }),
  });
  const completeness = filingCoverage(found, { from, to, chamber });
  const bothSides = found.trades.filter((trade) => party === undefined || trade.party === party);
  const withoutParty = party === undefined ? 0 : found.trades.filter((trade) => trade.party === null).length;
  const all = bothSides
    .filter(({ type }) => filters.type === undefined || type === filters.type)
    .sort(newestFirst);
  const start = position === null ? 0 : all.findIndex((trade) => newestFirst(trade, position) > 0);
  const page = start === -1 ? [] : all.slice(start, start + limit);
  const last = page.at(-1);
  const more = last !== undefined && all.at(-1) !== last;
  const origin = originUntil(found, to);
  const known = all.length > 0 || completeness.held !== "none";
  return {
    page,
    /** Purchases and sales of the selection, regardless of the requested `type`. */
    bothSides,
    unread: found.unread,
    /** Summary of all pages of the selection; counts are null if no filings of the days are stored. */
    summary: {
      ...completeness,
      total: known ? all.length : null,
      from,
      to,
      next_cursor: more ? encodeCursor(filters, symbol, { ...last, to }) : null,
      reason: all.length > 0 ? null : known ? emptyReason(completeness) : completeness.held_reason,
      ...range.notes,
      notes: [...missingPartyNotes(withoutParty), ...notesOf(origin, found.unread, chambersOf(filters))],
    },
    /** The only covered chamber if both were requested; else null. */
    onlyChamber: onlyCoveredChamber(found, { from, to, chamber }),
    members: known ? new Set(all.map(personOf)).size : null,
    origin,
  };
}

const emptyReason = ({ held_reason }: DataCompleteness): string =>
  `No disclosure filed in these days matches${held_reason === null ? "" : `. ${held_reason}`}`;

const missingPartyNotes = (rows: number): readonly string[] =>
  rows === 0
    ? []
    : [`${rows === 1 ? "One row was" : `${rows} rows were`} omitted: the party of the filer is unknown`];

type Filed = Pick<Disclosure, "filing_date" | "id">;
const newestFirst = (a: Filed, b: Filed): number =>
  compare(b.filing_date, a.filing_date) || compare(b.id, a.id);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function checkLength(from: string, to: string): void {
  if (dayAfter(from, MAX_DAYS) < to)
    throw new ToolError("INVALID_INPUT", `\`from\` to \`to\` must span at most ${MAX_DAYS} days`, {
      hint: "Use a later `from`, or several ranges.",
      data: { errors: [{ pointer: "/from", detail: `is more than ${MAX_DAYS} days before \`to\`` }] },
    });
}
