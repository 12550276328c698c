const QUOTE = '"';

/** The cells of one line of CSV, trimmed; quoted ones may hold the separator, and a doubled quote for one. null where a quote is not closed. */
export function csvCells(line: string, separator: string): readonly string[] | null {
  const cells: string[] = [];
  let cell = "";
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const char = line[at]!;
    if (char === QUOTE && quoted && line[at + 1] === QUOTE) cell += line[++at];
    else if (char === QUOTE) quoted = !quoted;
    else if (char === separator && !quoted) {
      cells.push(cell.trim());
      cell = "";
    } else cell += char;
  }
  cells.push(cell.trim());
  return quoted ? null : cells;
}
