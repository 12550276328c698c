import { parse } from "csv-parse/sync";

/**
 * Splits one line of CSV into trimmed cells. A quoted cell may contain the separator; a doubled quote in it stands for
 * one quote. Returns null when a quote is not closed, or when text follows a closing quote.
 */
export function csvCells(line: string, separator: string): readonly string[] | null {
  try {
    const [cells = [""]] = parse(line, {
      delimiter: separator,
      record_delimiter: "\n",
      relax_quotes: true,
      trim: true,
    });
    return cells;
  } catch {
    return null;
  }
}
