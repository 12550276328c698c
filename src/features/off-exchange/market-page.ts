import type { Coverage, PrintRow } from "../../domain/off-exchange/darkpool.ts";
import type { CallOptions, Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { coverageOf } from "./answer.ts";
import { decodeCursor, filterKey, pageOf } from "./page.ts";
import { printRows } from "./prints.ts";

const DAY_MS = 86_400_000;
/** Minimum size of prints of the market, US dollars, and default and maximum range, in days. */
const MIN_NOTIONAL = 1e6;
const DEFAULT_DAYS = 1;
const MAX_DAYS = 7;

export interface PageRequest extends CallOptions {
  /** Epoch ms; null for the default. */
  readonly since: number | null;
  readonly min_notional?: number | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly detail: "concise" | "full";
}

/**
 * Returns a page of the large prints of all instruments. Rejects with INVALID_INPUT if the time or size is out of
 * range.
 */
export async function marketPage(
  { since, min_notional = MIN_NOTIONAL, limit, cursor }: PageRequest,
  { prints, clock, signal }: Pick<Ports, "prints" | "clock"> & CallOptions,
) {
  const now = clock.now().getTime();
  checkSince(since, now, MAX_DAYS);
  if (min_notional < MIN_NOTIONAL)
    throw refused("min_notional", `must be at least 1000000 without a symbol, is ${min_notional}`);
  const mark = filterKey(null, since, min_notional);
  const position = decodeCursor(cursor, mark, { least: now - MAX_DAYS * DAY_MS, now });
  const from = position?.from ?? since ?? now - DEFAULT_DAYS * DAY_MS;
  const tape = await prints.market({ from, until: now, minNotional: min_notional, signal });
  const page = pageOf(printRows(tape?.prints ?? [], Number.NaN), { position, mark, from, limit });
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
  };
}

/** Returns the number of prints; null if no provider responded. */
export const countOf = (rows: readonly PrintRow[], { as_of }: Coverage): number | null =>
  as_of === null ? null : rows.length;

/** Throws INVALID_INPUT for a start in the future or too far in the past. */
export function checkSince(since: number | null, now: number, days: number): void {
  if (since === null) return;
  if (since > now || since < now - days * DAY_MS)
    throw refused("since", `must be within the last ${days} days`);
}

const refused = (field: string, detail: string): ToolError =>
  new ToolError("INVALID_INPUT", `${field} ${detail}`, {
    data: { errors: [{ pointer: `/${field}`, detail }] },
  });
