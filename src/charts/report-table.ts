import { fixedText, priceText } from "./figures.ts";
import { moneyText } from "./growth-scale.ts";
import { xmlText } from "./svg.ts";

export type Unit = "percent" | "money" | "ratio" | "count" | "days" | "price";

const WRITTEN: Readonly<Record<Unit, (value: number) => string>> = {
  percent: (value) => `${fixedText(value, 2)}%`,
  money: (value) => moneyText(value),
  ratio: (value) => fixedText(value, 2),
  count: (value) => fixedText(value, Number.isInteger(value) ? 0 : 4),
  days: (value) => fixedText(value, Number.isInteger(value) ? 0 : 1),
  price: priceText,
};

export const figureText = (value: number, unit: Unit): string => WRITTEN[unit](value);

/** Renders a cell with untrusted text. */
export const textCell = (text: string, limit = 120): string => `<td>${xmlText(text, limit)}</td>`;

/** Renders a cell with a number; `n/a` if it is unknown. */
export function figureCell(value: number | null, unit: Unit, signed = false): string {
  if (value === null || !Number.isFinite(value)) return '<td class="quiet">n/a</td>';
  const side = !signed || value === 0 ? "" : value > 0 ? ' class="up"' : ' class="down"';
  const text = figureText(value, unit);
  return `<td${side}>${signed && value > 0 ? "+" : ""}${text}</td>`;
}

interface TableOptions {
  readonly caption?: string;
  readonly kind?: string;
}

/** Renders a table that scrolls sideways if it is too wide. `head` and `caption` are not escaped and must be trusted. */
export const table = (
  { head, caption, kind }: TableOptions & { readonly head: readonly string[] },
  rows: readonly string[],
): string =>
  [
    `<div class="wide"><table${kind === undefined ? "" : ` class="${kind}"`}>`,
    caption === undefined ? "" : `<caption>${caption}</caption>`,
    `<thead><tr>${head.map((name) => `<th scope="col">${name}</th>`).join("")}</tr></thead>`,
    `<tbody>${rows.map((row) => `<tr>${row}</tr>`).join("")}</tbody></table></div>`,
  ].join("");

/** A column of a table: its head, and the cell that it renders for a row. */
export type Column<Row> = readonly [head: string, cell: (row: Row) => string];

/** Renders a table of rows by its columns. */
export const columnTable = <Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  options: TableOptions,
): string =>
  table(
    { head: columns.map(([head]) => head), ...options },
    rows.map((row) => columns.map(([, cell]) => cell(row)).join("")),
  );

/** Renders the reasons for missing figures of a table, by name; empty if none is missing. */
export function missingReasons(
  rows: readonly { readonly name: string; readonly reason: string | null }[],
): string {
  const missing = rows.flatMap(({ name, reason }) =>
    reason === null ? [] : [`${xmlText(name, 60)}: ${xmlText(reason, 200)}`],
  );
  return missing.length === 0 ? "" : `<p class="quiet small">n/a: ${missing.join("; ")}.</p>`;
}

/** Renders the text shown instead of an empty table. */
export const emptyNote = (reason: string | null): string =>
  `<p class="quiet">n/a: ${xmlText(reason ?? "nothing to show", 200)}</p>`;
