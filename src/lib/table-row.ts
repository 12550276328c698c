/** Joins the cells of a table row, padded to the column widths; a cell beyond them is not padded. */
export const tableRow = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, i) => cell.padEnd(widths[i] ?? 0))
    .join("")
    .trimEnd();
