import { personOf } from "../../analytics/congress/lean.ts";
import type {
  Chamber,
  DataCompleteness,
  Disclosure,
  DisclosureOrigin,
} from "../../domain/congress/congress.ts";
import type { Disclosures } from "../../domain/congress/congress-port.ts";
import type { CallOptions, Clock, Congress, Symbols } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { dayAfter } from "../../lib/day-after.ts";
import { pastMoment } from "../signal/moment.ts";
import { type DisclosureFilters, decodeCursor, encodeCursor, invalidCursor } from "./cursor.ts";
import { chambersOf, filingCoverage, onlyCoveredChamber, originUntil } from "./filing-coverage.ts";
import { notesOf } from "./notes.ts";

/** Default and maximum length of the requested range, in days. */
const DEFAULT_DAYS = 365;
const MAX_DAYS = 1_830;

/** What was found, whole, and one page of it. */
export interface Selection {
  readonly page: readonly Disclosure[];
  /** Purchases and sales of the selection, regardless of the requested `type`. */
  readonly bothSides: readonly Disclosure[];
  readonly unread: Disclosures["unread"];
  /** What an answer says of the whole selection; counts are null where nothing is held of the days. */
  readonly summary: DataCompleteness & {
    readonly total: number | null;
    readonly from: string;
    readonly to: string;
    readonly next_cursor: string | null;
    readonly reason: string | null;
    readonly notes: string[];
  };
  readonly members: number | null;
  /** The only covered chamber if both were requested; else null. */
  readonly onlyChamber: Chamber | null;
  readonly origin: DisclosureOrigin;
}

interface SelectionDeps extends CallOptions {
  readonly congress: Congress;
  readonly symbols: Symbols;
  readonly clock: Clock;
}

/** Disclosures by filters, newest filing first, a page at a time. Rejects with INVALID_INPUT for dates or a cursor that fit nothing. */
export async function selectDisclosures(
  {
    limit,
    cursor,
    ...wanted
  }: DisclosureFilters & { readonly limit: number; readonly cursor?: string | undefined },
  { congress, symbols, clock, signal }: SelectionDeps,
): Promise<Selection> {
  const symbol = wanted.ticker === undefined ? null : symbols.resolve(wanted.ticker).instrument.symbol;
  const place = cursor === undefined ? null : decodeCursor(cursor, wanted, symbol);
  const now = clock.now();
  const today = now.toISOString().slice(0, 10);
  const to = wanted.to ?? place?.to ?? today;
  const from = wanted.from ?? dayAfter(to, 1 - DEFAULT_DAYS);
  if (place !== null && (place.to > today || place.filing_date < from)) throw invalidCursor();
  checkWindow(from, to, now);
  const { chamber, party } = wanted;
  const found = await congress.disclosures({
    from,
    until: to,
    ...(symbol !== null && { symbol }),
    ...(chamber !== undefined && { chamber }),
    ...(signal !== undefined && { signal }),
  });
  const held = filingCoverage(found, { from, to, chamber });
  const bothSides = found.trades.filter((trade) => party === undefined || trade.party === party);
  const nobodys = party === undefined ? 0 : found.trades.filter((trade) => trade.party === null).length;
  const all = bothSides
    .filter(({ type }) => wanted.type === undefined || type === wanted.type)
    .sort(newestFirst);
  const start = place === null ? 0 : all.findIndex((trade) => newestFirst(trade, place) > 0);
  const page = start === -1 ? [] : all.slice(start, start + limit);
  const last = page.at(-1);
  const more = last !== undefined && all.at(-1) !== last;
  const origin = originUntil(found, to);
  const known = all.length > 0 || held.held !== "none";
  return {
    page,
    bothSides,
    unread: found.unread,
    summary: {
      ...held,
      total: known ? all.length : null,
      from,
      to,
      next_cursor: more ? encodeCursor(wanted, symbol, { ...last, to }) : null,
      reason: all.length > 0 ? null : known ? emptyReason(held) : held.held_reason,
      notes: [...missingPartyNotes(nobodys), ...notesOf(origin, found.unread, chambersOf(wanted))],
    },
    onlyChamber: onlyCoveredChamber(found, { from, to, chamber }),
    members: known ? new Set(all.map(personOf)).size : null,
    origin,
  };
}

const emptyReason = ({ held_reason }: DataCompleteness): string =>
  `No disclosure filed in these days fits${held_reason === null ? "" : `. ${held_reason}`}`;

const missingPartyNotes = (rows: number): readonly string[] =>
  rows === 0
    ? []
    : [
        `${rows === 1 ? "One row" : `${rows} rows`} of these days left out: the party of who filed is not known`,
      ];

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

function checkWindow(from: string, to: string, now: Date): void {
  pastMoment(from, now, "from");
  pastMoment(to, now, "to");
  if (from > to)
    throw new ToolError("INVALID_INPUT", "`from` must not be after `to`", {
      data: { errors: [{ pointer: "/from", detail: "is after `to`" }] },
    });
  if (dayAfter(from, MAX_DAYS) < to)
    throw new ToolError("INVALID_INPUT", `From \`from\` to \`to\` are at most ${MAX_DAYS} days`, {
      hint: "Ask for a later `from`, or for several windows.",
      data: { errors: [{ pointer: "/from", detail: `lies more than ${MAX_DAYS} days before \`to\`` }] },
    });
}
