import { isQuoted, type PrintSide, sidesOf } from "../../analytics/conviction/side.ts";
import type { PrintRow } from "../../domain/darkpool.ts";
import type { NamedPrint } from "../../domain/prints.ts";
import { ToolError } from "../../kernel/errors.ts";

const SIDES = { "1": "buy", "-1": "sell" } as const;

/**
 * Prints as callers see them, newest report first: each once, marked as cancelled where it was cancelled since.
 * `averageDay` is the average daily notional, NaN where it is not known.
 */
export function printRows(tape: readonly NamedPrint[], averageDay: number): readonly PrintRow[] {
  const cancelled = new Set(
    tape.flatMap((print) => (print.conditions.includes("cancelled") ? [nameOf(print)] : [])),
  );
  const seen = new Set<string>();
  const once = tape.filter((print) => !seen.has(nameOf(print)) && seen.add(nameOf(print)));
  const sides = sidesBySymbol(once);
  return once
    .map((print): PrintRow => {
      const { id, symbol, price, size, executedAt, reportedAt, conditions, nbbo } = print;
      const { sign, basis } = sides.get(print)!;
      const side = isQuoted(nbbo) && sign !== 0 && conditions.length === 0 ? SIDES[sign] : null;
      const notional = price * size;
      return {
        ...{ id, symbol, price, size, notional },
        share_of_day: Number.isFinite(averageDay) ? notional / averageDay : null,
        executed_at: new Date(executedAt).toISOString(),
        reported_at: new Date(reportedAt).toISOString(),
        conditions: cancelled.has(nameOf(print))
          ? [...new Set([...conditions, "cancelled" as const])]
          : [...conditions],
        nbbo: nbbo === null ? null : { ...nbbo },
        side,
        side_basis: side === null ? null : basis,
      };
    })
    .reverse();
}

const nameOf = ({ symbol, id }: NamedPrint): string => `${symbol} ${id}`;

/** Sides are read from the prints of the same instrument that are priced by their moment. */
function sidesBySymbol(tape: readonly NamedPrint[]): ReadonlyMap<NamedPrint, PrintSide> {
  const own = new Map<string, NamedPrint[]>();
  for (const print of tape) own.set(print.symbol, [...(own.get(print.symbol) ?? []), print]);
  const found = new Map<NamedPrint, PrintSide>();
  for (const prints of own.values()) {
    const priced = prints.filter(({ conditions }) => conditions.length === 0);
    for (const print of prints) found.set(print, { sign: 0, basis: null });
    for (const [i, side] of sidesOf(priced).entries()) found.set(priced[i]!, side);
  }
  return found;
}

export interface Page {
  readonly rows: readonly PrintRow[];
  /** What gives the rows after these; null on the last page. */
  readonly next: string | null;
}

/**
 * The page of rows, newest first, that a cursor names: it holds the report of the last row told and how many rows of
 * that instant were, so that prints reported meanwhile move nothing. Throws INVALID_INPUT for a cursor that is none.
 */
export function pageOf(rows: readonly PrintRow[], cursor: string | undefined, limit: number): Page {
  const start = cursor === undefined ? 0 : startOf(rows, cursor);
  const page = rows.slice(start, start + limit);
  const last = page.at(-1);
  if (last === undefined || start + limit >= rows.length) return { rows: page, next: null };
  const first = rows.findIndex(({ reported_at }) => reported_at === last.reported_at);
  return { rows: page, next: `${Date.parse(last.reported_at)}-${start + page.length - first}` };
}

function startOf(rows: readonly PrintRow[], cursor: string): number {
  const [, at, told] = /^(\d{1,15})-(\d{1,6})$/.exec(cursor) ?? [];
  if (at === undefined)
    throw new ToolError("INVALID_INPUT", "The cursor is none that this server gave", {
      hint: "Pass next_cursor of the page before as it is, or leave it out for the first page.",
      data: { errors: [{ pointer: "/cursor", detail: "must be next_cursor of the page before" }] },
    });
  const first = rows.findIndex(({ reported_at }) => Date.parse(reported_at) <= Number(at));
  return first === -1 ? rows.length : first + Number(told);
}
