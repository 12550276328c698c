import { type Column, formatTable } from "../../domain/table.text.ts";
import type { Paint } from "../../domain/terminal.ts";
import type { CheckRecordRow } from "../../domain/track-record/check-record.ts";
import type { CheckSelection } from "./check-rows.ts";

const EVENTS: Readonly<Record<CheckRecordRow["event"], string>> = {
  fill: "fill",
  stop_first: "stop first",
  target_first: "target first",
};
const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
const intervalText = ({ interval }: CheckRecordRow): string =>
  `${percent(interval.low)} to ${percent(interval.high)}`;

/** States the odds of all checked orders beside what happened; nothing without rows. */
export function checkSentences({ orders, rows }: Pick<CheckSelection, "orders" | "rows">): readonly string[] {
  const all = rows.filter(({ asset_class, side }) => asset_class === null && side === null);
  if (all.length === 0) return [];
  const parts = all.map(
    (row) =>
      `${EVENTS[row.event]}: stated odds ${percent(row.odds)}, happened ${percent(row.happened)} (95% interval ${intervalText(row)}), ${row.n} orders`,
  );
  return [`Odds of ${orders} checked ${orders === 1 ? "order" : "orders"}: ${parts.join("; ")}.`];
}

/** Formats the record of checked orders as a table; nothing without rows. */
export const formatCheckRows = ({ rows }: Pick<CheckSelection, "rows">, paint: Paint): readonly string[] =>
  rows.length === 0 ? [] : formatTable(rows, COLUMNS, paint);

const COLUMNS: readonly Column<CheckRecordRow>[] = [
  { head: "checked orders", cell: ({ event }) => EVENTS[event] },
  { head: "class", cell: ({ asset_class }) => asset_class ?? "all" },
  { head: "side", cell: ({ side }) => side ?? "both" },
  { head: "n", cell: ({ n }) => String(n) },
  { head: "n_eff", cell: ({ n_eff }) => String(n_eff), rank: 1 },
  { head: "odds", cell: ({ odds }) => percent(odds) },
  { head: "happened", cell: ({ happened }) => percent(happened) },
  { head: "95% interval", cell: intervalText },
  { head: "base", cell: ({ base }) => percent(base) },
];
