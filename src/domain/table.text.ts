import { displayWidth } from "../lib/display-width.ts";
import type { Paint } from "./terminal.ts";

/** A column of a table for a terminal. */
export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => string;
  /** In a table that is too wide, the columns of the highest rank are left out first. Default: 0, never left out. */
  readonly rank?: number;
  /** Line below the table that explains the column; left out with it. */
  readonly note?: string | undefined;
}

interface Measured<Row> extends Column<Row> {
  readonly cells: readonly string[];
  readonly width: number;
}

const GAP = "  ";
const NUMBER = /^(?:[-+]?\$?[\d.,]+[%xM]?|-)$/;

/**
 * Formats rows as a table with a header that fits the terminal. Numbers are aligned to the right, all else and the first
 * column to the left. A last line names the columns left out.
 */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  paint: Paint,
  indent = "",
): readonly string[] {
  const measured = columns.map((column): Measured<Row> => {
    const cells = rows.map(column.cell);
    return { ...column, cells, width: Math.max(...[column.head, ...cells].map(displayWidth)) };
  });
  const shown = within(measured, (paint.columns ?? Number.POSITIVE_INFINITY) - indent.length);
  const omitted = measured.filter((column) => !shown.includes(column)).map(({ head }) => head);
  const isRight = shown.map(
    ({ cells }, i) => i > 0 && cells.every((cell) => NUMBER.test(cell)) && cells.some((cell) => cell !== "-"),
  );
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, i) => {
        const space = " ".repeat(shown[i]!.width - displayWidth(text));
        return isRight[i] ? `${space}${text}` : `${text}${space}`;
      })
      .join(GAP)
      .trimEnd();
  return [
    paint("dim", line(shown.map(({ head }) => head))),
    ...rows.map((_, i) => line(shown.map(({ cells }) => cells[i]!))),
    ...shown.flatMap(({ note }) => (note === undefined ? [] : [paint("dim", note)])),
    ...(omitted.length === 0
      ? []
      : [paint("dim", `Not shown at this width: ${omitted.join(", ")}; ${paint.allColumns} has all`)]),
  ].map((text) => `${indent}${text}`);
}

/** Leaves out columns, highest rank first, the last of equal rank first, until a row fits into `width`. */
function within<Row>(columns: readonly Measured<Row>[], width: number): readonly Measured<Row>[] {
  const total = columns.reduce((sum, column) => sum + column.width, GAP.length * (columns.length - 1));
  const highest = Math.max(...columns.map(({ rank = 0 }) => rank));
  if (total <= width || highest === 0) return columns;
  const out = columns.findLastIndex(({ rank = 0 }) => rank === highest);
  return within(columns.toSpliced(out, 1), width);
}
