import type { Coverage, PrintRow } from "../../domain/off-exchange/darkpool.ts";
import type { CallOptions, Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { checkPosition, type ListFilter, type Page } from "../signal/time-page.ts";
import {
  pageWithin,
  type RangeRequest,
  refuseBoth,
  resolveRange,
  rowsWithin,
  startOfTime,
  type TimeRange,
} from "../signal/time-range.ts";
import { coverageOf } from "./answer.ts";
import { printRows } from "./prints.ts";

const DAY_MS = 86_400_000;
/** Minimum size of prints of the market, US dollars, and default and maximum range, in days. */
const MIN_NOTIONAL = 1e6;
const DEFAULT_DAYS = 1;
const MAX_DAYS = 7;

export interface PageRequest extends CallOptions, Omit<RangeRequest, "as_of"> {
  /** Alias of `from`, except that a date starts at 00:00 UTC. */
  readonly since?: string | undefined;
  readonly min_notional?: number | undefined;
  readonly limit: number;
  readonly detail: "concise" | "full";
}

/**
 * Returns a page of the large prints of all instruments. Rejects with INVALID_INPUT if the time or size is out of
 * range.
 */
export async function marketPage(
  { min_notional = MIN_NOTIONAL, limit, ...times }: PageRequest,
  { prints, clock, signal }: Pick<Ports, "prints" | "clock"> & CallOptions,
) {
  const now = clock.now();
  if (min_notional < MIN_NOTIONAL)
    throw refused("min_notional", `must be at least 1000000 without a symbol, is ${min_notional}`);
  const window = { now, filters: [null, times.since, min_notional], days: DEFAULT_DAYS, maxDays: MAX_DAYS };
  const range = printRange(times, window);
  const tape = await prints.market({
    from: range.from!,
    until: now.getTime(),
    minNotional: min_notional,
    signal,
  });
  const page = printPage(printRows(tape?.prints ?? [], Number.NaN), range, limit);
  const coverage = coverageOf(tape, prints.missing.market);
  return {
    symbol: null,
    prints: [...page.rows],
    count: countOf(page.rows, coverage),
    next_cursor: page.next,
    coverage,
    levels: [],
    conviction: null,
    off_exchange: null,
    notes: [],
    ...range.notes,
  };
}

/** Returns the number of prints; null if no provider responded. */
export const countOf = (rows: readonly PrintRow[], { as_of }: Coverage): number | null =>
  as_of === null ? null : rows.length;

/**
 * Returns the range of report times. Throws INVALID_INPUT for a start in the future or more than `maxDays` ago. `days`:
 * default length in days.
 */
export function printRange(
  { since, ...times }: Pick<PageRequest, "since" | "from" | "to" | "cursor">,
  {
    now,
    filters,
    days,
    maxDays,
  }: {
    readonly now: Date;
    readonly filters: readonly ListFilter[];
    readonly days: number;
    readonly maxDays: number;
  },
): TimeRange {
  refuseBoth({ since, from: times.from }, "since", "from");
  const earliest = now.getTime() - maxDays * DAY_MS;
  const start = since === undefined ? null : startOfTime(since);
  const options = { now, zone: "America/New_York", filters, earliest } as const;
  const range = resolveRange(times, {
    ...options,
    startOf: (until) => start ?? Math.max(earliest, until - days * DAY_MS),
  });
  const isOutside = start === null ? range.from! < earliest : start > now.getTime() || start < earliest;
  if (isOutside && (start !== null || times.from !== undefined))
    throw refused(start === null ? "from" : "since", `must be within the last ${maxDays} days`);
  return { ...range, from: range.from ?? earliest };
}

/** Returns the prints of one page. Throws INVALID_INPUT for a cursor whose prints are not in the list. */
export function printPage(rows: readonly PrintRow[], range: TimeRange, limit: number): Page<PrintRow> {
  const timeOf = ({ reported_at }: PrintRow) => Date.parse(reported_at);
  checkPosition(rowsWithin(rows, range, timeOf), range.position, timeOf);
  return pageWithin(rows, range, { limit, timeOf });
}

const refused = (field: string, detail: string): ToolError =>
  new ToolError("INVALID_INPUT", `${field} ${detail}`, {
    data: { errors: [{ pointer: `/${field}`, detail }] },
  });
