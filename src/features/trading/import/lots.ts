import { type Decimal, decimal } from "../../../lib/decimal.ts";
import type { Refusal } from "./row-kinds.ts";
import { cellOf, cellsOf, type ReadRow, type Table, type TableRow } from "./tables.ts";

/** A row with its quantity. */
export interface QuantityRow {
  readonly row: ReadRow;
  readonly table: Table;
  readonly quantity: Decimal;
}

const DATE = /\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{8}|\d [A-Z][a-z]{2}|[A-Z][a-z]{2}-\d/;

/**
 * Returns the lots that a summary row already counts: rows marked as lots of a position with a summary, and rows with a
 * date of purchase whose quantities add up to that of a row without one. Lots without a summary are positions.
 */
export function lotsOfSummaries(rows: readonly QuantityRow[]): ReadonlyMap<TableRow, Refusal> {
  const groups = new Map<string, QuantityRow[]>();
  for (const one of rows) {
    const key = keyOf(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return new Map(
    [...groups.values()].flatMap((group) => {
      const { summary, lots } = partsOf(group);
      if (summary === undefined) return [];
      const why = `A part of the position in line ${summary.row.line}, which includes it`;
      return lots.map(({ row }) => [row, { kind: "lot", why }] as const);
    }),
  );
}

function partsOf(group: readonly QuantityRow[]) {
  const levels = group.map((one) => ({
    one,
    level: cellOf(one.row.cells, one.table.header.columns, "level"),
  }));
  const marked = levels.filter(({ level }) => /^(open )?(tax )?lots?$/i.test(level)).map(({ one }) => one);
  if (marked.length > 0) return { summary: group.find((one) => !marked.includes(one)), lots: marked };
  const dated = group.filter(({ row, table }) =>
    cellsOf(row.cells, table.header.columns, "acquired").some((text) => DATE.test(text)),
  );
  const [summary, another] = group.filter((one) => !dated.includes(one));
  const sum = dated.reduce((total, { quantity }) => total.plus(quantity), decimal(0));
  const isSum = summary !== undefined && another === undefined && sum.eq(summary.quantity);
  return isSum ? { summary, lots: dated } : { summary: undefined, lots: [] };
}

/** Identifies a position by its symbol, class, currency and account as written. */
const keyOf = ({ row, table }: QuantityRow): string =>
  (["symbol", "assetClass", "currency", "account"] as const)
    .map((column) => cellsOf(row.cells, table.header.columns, column).join(" ").toUpperCase())
    .join("\n");
