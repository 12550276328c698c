import { parse } from "csv-parse/sync";

/** One record of a CSV text. */
export interface CsvRecord {
  /** Line number of its first line, from 1. */
  readonly line: number;
  /** Text of the record as sent, without the line end. */
  readonly text: string;
  /** Trimmed cells; null if a quotation mark is not closed, or text follows a closing one. */
  readonly cells: readonly string[] | null;
}

/** Maximum number of unreadable records after which the rest is read line by line, which ends every quote with its line. */
const MAX_RESTARTS = 3;
/** Maximum number of lines with quotes that are read on their own; a call of csv-parse takes up to 0.4 ms. */
const MAX_QUOTED_LINES = 200;

const RFC_4180 = {
  record_delimiter: "\n",
  relax_quotes: true,
  relax_column_count: true,
  trim: true,
} as const;

/** Splits a text into lines at any line end. */
export const linesOf = (text: string): readonly string[] => text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);

/**
 * Splits the lines of a CSV text into records: a quoted cell may contain the separator, doubled quotes and line ends. A
 * record that cannot be read is one line without cells, and reading goes on below it.
 * @see https://www.rfc-editor.org/rfc/rfc4180
 */
export function csvRecords(lines: readonly string[], separator: string): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  let start = 0;
  for (let restarts = 0; start < lines.length && restarts <= MAX_RESTARTS; restarts++) {
    const read = recordsUntilFault(lines, start, separator);
    records.push(...read.records);
    start = read.end;
    if (start < lines.length) records.push({ line: start + 1, text: lines[start]!, cells: null });
    start++;
  }
  let quoted = 0;
  const cellsOf = (text: string) => {
    if (!text.includes('"')) return text.split(separator).map((cell) => cell.trim());
    return ++quoted > MAX_QUOTED_LINES ? null : (csvCells(text, separator)?.map(withoutFormula) ?? null);
  };
  for (; start < lines.length; start++)
    records.push({ line: start + 1, text: lines[start]!, cells: cellsOf(lines[start]!) });
  return records;
}

function recordsUntilFault(lines: readonly string[], from: number, separator: string) {
  const records: CsvRecord[] = [];
  let end = from;
  const add = (cells: readonly string[], { lines: count }: { readonly lines: number }) => {
    const next = from + count;
    records.push({
      line: end + 1,
      text: lines.slice(end, next).join("\n"),
      cells: cells.map(withoutFormula),
    });
    end = next;
    return null;
  };
  try {
    parse(`${lines.slice(from).join("\n")}\n`, {
      ...RFC_4180,
      delimiter: separator,
      on_record: add,
    });
    return { records, end: lines.length };
  } catch {
    return { records, end };
  }
}

/** Returns the text that a formula of Excel holds, `="007"`; any other cell unchanged. */
const withoutFormula = (cell: string): string =>
  cell.startsWith('="') ? cell.replace(/^="([^"]*)"$/, "$1").trim() : cell;

/** Splits one line into trimmed cells; null if its quotes are not balanced. */
function csvCells(line: string, separator: string): readonly string[] | null {
  try {
    const [cells = [""]] = parse(line, { ...RFC_4180, delimiter: separator });
    return cells;
  } catch {
    return null;
  }
}
