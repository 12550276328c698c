/** Joins the cells of a table row, padded to the column widths; a cell beyond them is followed by one space. */
export const tableRow = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, i) => `${cell}${" ".repeat(Math.max(1, (widths[i] ?? 0) - cell.length))}`)
    .join("")
    .trimEnd();
