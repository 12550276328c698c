import { momentOf } from "../../domain/answers.ts";
import type { SessionZone } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { ToolError } from "../../kernel/errors.ts";
import { dayAfter } from "../../lib/day-after.ts";
import { newYorkOffsetMs } from "../../lib/newyork.ts";
import { futureTimeError, parsePastTime } from "./past-time.ts";
import {
  decodeCursor,
  filterKeyOf,
  type ListFilter,
  type Page,
  type PagePosition,
  pageOf,
} from "./time-page.ts";

const HOUR = 3_600_000;
/** `latest` for lists of stored records, whose times may be in the future after a clock error: the end of 9999. */
export const ANY_TIME = Date.UTC(10_000, 0) - 1;

/** Time fields of a list request: dates or ISO 8601 times. */
export interface RangeRequest {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly as_of?: string | undefined;
  readonly cursor?: string | undefined;
}

interface RangeOptions {
  readonly now: Date;
  /** Time zone of dates without a time. Default: UTC. */
  readonly zone?: SessionZone;
  /** All other filters of the list; a cursor is valid only for the same filters. */
  readonly filters?: readonly ListFilter[];
  /** Returns the start of the list without `from`, epoch ms. Default: no start. */
  readonly startOf?: (until: number) => number;
  /** Earliest allowed start, epoch ms. Default: none. */
  readonly earliest?: number;
  /** Latest time of a row without `to`, epoch ms. Default: now. */
  readonly latest?: number;
}

/** The times of the rows of a list, epoch ms, both inclusive. */
export interface TimeRange {
  /** null: no start. */
  readonly from: number | null;
  readonly until: number;
  /** Latest time of a row of the page: that of the cursor, or `until` on the first page. */
  readonly pageEnd: number;
  /** Time as of which the list is read: `as_of`, else now. No row is later. */
  readonly asOf: number;
  readonly position: PagePosition | null;
  /** The filters of the list, for its cursors. */
  readonly filterKey: string;
  /** Output field `understood` with a sentence on a cut `to`; empty if it was not cut. */
  readonly notes: { readonly understood?: readonly string[] };
}

/** Returns the zone whose days the rows of an instrument belong to. */
export const zoneOf = (assetClass: AssetClass): SessionZone =>
  assetClass === "crypto" ? "UTC" : "America/New_York";

/**
 * Resolves the range of a list of past facts. A date means its whole day, `to` is cut to `as_of` and to now, and a cursor
 * continues the list of an earlier page. Throws INVALID_INPUT if `from` is in the future or after `to` or `as_of`.
 */
export function resolveRange(
  { from, to, as_of, cursor }: RangeRequest,
  { now, zone = "UTC", filters = [], startOf, earliest, latest = now.getTime() }: RangeOptions,
): TimeRange {
  const asOf = as_of === undefined ? now.getTime() : parsePastTime(as_of, now);
  const start = from === undefined ? null : startOfTime(from, zone);
  const until =
    to === undefined ? (as_of === undefined ? latest : asOf) : Math.min(endOfTime(to, zone), asOf);
  const isToday = (text: string) => text === now.toISOString().slice(0, 10);
  if (from !== undefined && start! > now.getTime() && !isToday(from))
    throw futureTimeError(from, now, "from");
  if (from !== undefined && to !== undefined && start! > endOfTime(to, zone)) throw orderError("to");
  if (from !== undefined && start! > asOf && !isToday(from)) throw orderError("as_of");
  const isCut = to !== undefined && startOfTime(to, zone) > asOf && !isToday(to);
  const filterKey = filterKeyOf(...filters, start, to && endOfTime(to, zone), as_of && momentOf(as_of));
  const position = decodeCursor(cursor, filterKey, {
    now: latest,
    ...(earliest !== undefined && { earliest }),
  });
  return {
    // a default start belongs to the first page
    from: start ?? (position === null ? (startOf?.(until) ?? null) : position.from),
    until,
    pageEnd: position?.at ?? until,
    asOf,
    position,
    filterKey,
    notes: isCut ? { understood: [cutNote(to, as_of, new Date(asOf).toISOString())] } : {},
  };
}

/** Returns the rows within a range, in their order. */
export const rowsWithin = <Row>(
  rows: readonly Row[],
  { from, until }: Pick<TimeRange, "from" | "until">,
  timeOf: (row: Row) => number,
): Row[] => rows.filter((row) => timeOf(row) <= until && (from === null || timeOf(row) >= from));

/** Returns one page of rows, which are newest first; rows outside of the range are omitted. */
export const pageWithin = <Row>(
  rows: readonly Row[],
  range: TimeRange,
  { limit, timeOf }: { readonly limit: number; readonly timeOf: (row: Row) => number },
): Page<Row> => pageOf(rowsWithin(rows, range, timeOf), { ...range, limit, timeOf });

/** Returns the number of rows that a repository must read for one page: those already returned with the time of the
 * cursor, the page, and one more to detect a next page. */
export const rowsToRead = ({ position }: TimeRange, limit: number): number =>
  limit + 1 + (position?.returned ?? 0);

/** Throws INVALID_INPUT if two fields that set the same bound are given. */
export function refuseBoth<Fields extends object>(
  fields: Fields,
  one: keyof Fields & string,
  other: keyof Fields & string,
): void {
  if (fields[one] === undefined || fields[other] === undefined) return;
  throw new ToolError("INVALID_INPUT", `Pass ${one} or ${other}, not both`, {
    hint: `Both set where the list begins; omit ${one} or ${other}.`,
    data: { errors: [{ pointer: `/${one}`, detail: `must not be given with ${other}` }] },
  });
}

/** Returns the epoch ms at which a date or time begins. */
export function startOfTime(text: string, zone: SessionZone = "UTC"): number {
  const time = Date.parse(text);
  // New York's clocks change at 02:00, so its offset at 00:00 or 01:00 is that of midnight
  return text.length > 10 || zone === "UTC" ? time : time - newYorkOffsetMs(time + 5 * HOUR);
}

/** Returns the last epoch ms of a date, or that of a time. */
const endOfTime = (text: string, zone: SessionZone): number =>
  text.length > 10 ? Date.parse(text) : startOfTime(dayAfter(text), zone) - 1;

const cutNote = (to: string, asOf: string | undefined, limit: string): string =>
  asOf === undefined
    ? `to: ${to} is in the future; the list ends at ${limit}.`
    : `to: ${to} is after as_of ${asOf}; the list ends at as_of.`;

const orderError = (other: "to" | "as_of"): ToolError =>
  new ToolError("INVALID_INPUT", `\`from\` must not be after \`${other}\``, {
    hint: `Pass an earlier from, or a later ${other}.`,
    data: { errors: [{ pointer: "/from", detail: `is after \`${other}\`` }] },
  });
