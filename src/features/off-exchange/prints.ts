import { isQuoted, type PrintSide, sidesOf } from "../../analytics/conviction/side.ts";
import type { PrintRow } from "../../domain/off-exchange/darkpool.ts";
import type { NamedPrint } from "../../domain/off-exchange/prints.ts";
import { groupBy } from "../../lib/group-by.ts";
import { rounded } from "../../lib/rounded.ts";

const SIDES = { "1": "buy", "-1": "sell" } as const;

/**
 * Converts prints to rows, newest report first and without duplicates. A print that was cancelled later is
 * marked as cancelled. `averageDay` is the average daily notional, NaN if unknown.
 */
export function printRows(tape: readonly NamedPrint[], averageDay: number): readonly PrintRow[] {
  const cancelled = new Set(tape.filter(({ conditions }) => conditions.includes("cancelled")).map(nameOf));
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
        id,
        symbol,
        price: rounded(price, 6),
        size,
        notional: rounded(notional, 2),
        share_of_day: Number.isFinite(averageDay) ? rounded(notional / averageDay, 6) : null,
        executed_at: new Date(executedAt).toISOString(),
        reported_at: new Date(reportedAt).toISOString(),
        conditions: cancelled.has(nameOf(print))
          ? [...new Set([...conditions, "cancelled" as const])]
          : [...conditions],
        nbbo: nbbo === null ? null : { bid: rounded(nbbo.bid, 6), ask: rounded(nbbo.ask, 6) },
        side,
        side_basis: side === null ? null : basis,
      };
    })
    .reverse();
}

const nameOf = ({ symbol, id }: NamedPrint): string => `${symbol} ${id}`;

/**
 * Derives the buy or sell side of prints without trade conditions, per instrument. Prints with conditions have no side.
 */
function sidesBySymbol(tape: readonly NamedPrint[]): ReadonlyMap<NamedPrint, PrintSide> {
  const priced = groupBy(
    tape.filter(({ conditions }) => conditions.length === 0),
    ({ symbol }) => symbol,
  );
  const found = new Map<NamedPrint, PrintSide>(tape.map((print) => [print, { sign: 0, basis: null }]));
  for (const prints of priced.values())
    for (const [i, side] of sidesOf(prints).entries()) found.set(prints[i]!, side);
  return found;
}
