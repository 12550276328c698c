import { digitsBetween, parseNumber, splitLine } from "./csv.ts";
import type { Layout } from "./layout.ts";
import { parseWrittenTime, type WrittenTime } from "./written-time.ts";

/** Maximum price in dollars. */
const MAX_PRICE = 1e15;
/** Maximum units traded in a bar; tokens worth a billionth of a cent reach a thousandth of this. */
const MAX_VOLUME = 1e18;
const CARRIAGE_RETURN = 13;
/** Minimum length of a row with its line end, a little less than `20240102,1,1,1,1,1`. */
const MIN_ROW_LENGTH = 16;

/** Valid rows in the file's order; times are not yet converted to instants. */
export interface RawRows {
  readonly length: number;
  /** Wall time and offset, as in `WrittenTime`. */
  readonly wall: Float64Array;
  readonly offset: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  /** Line number of each row in the file, from 1. */
  readonly line: Int32Array;
  /** Lines without a valid row: unreadable, incomplete, or with contradictory prices. */
  readonly badLines: readonly number[];
  /** Written times of the bad lines; null if unreadable. */
  readonly badTimes: readonly (WrittenTime | null)[];
  /** Line number of the first slashed date whose month exceeds 12; null without one. */
  readonly dayFirstLine: number | null;
}

/** Parses the rows of a text. Rows are never corrected: the line of an invalid row is listed as bad. */
export function readRows(text: string, layout: Layout): RawRows {
  const line = text.includes('"') ? quotedLine(text, layout) : plainLine(text, layout);
  const rows = emptyRows(Math.min(lineCount(text), Math.ceil(text.length / MIN_ROW_LENGTH)));
  const badLines: number[] = [];
  const badTimes: (WrittenTime | null)[] = [];
  let dayFirstLine: number | null = null;
  let at = 0;
  let number = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const next = newline < 0 ? text.length : newline;
    const end = text.charCodeAt(next - 1) === CARRIAGE_RETURN ? next - 1 : next;
    const from = start;
    start = next + 1;
    if (++number <= layout.headerLines || isBlank(text, from, end)) continue;
    line.open(from, end);
    const date = line.text(layout.time);
    const stamp = parseWrittenTime(
      layout.timeOfDay === null ? date : `${date} ${line.text(layout.timeOfDay)}`,
    );
    if (stamp === "day_first") dayFirstLine ??= number;
    const open = line.number(layout.open);
    const high = line.number(layout.high);
    const low = line.number(layout.low);
    const close = line.number(layout.close);
    const volume = line.number(layout.volume);
    const ordered =
      low > 0 && low <= open && low <= close && open <= high && close <= high && high <= MAX_PRICE;
    if (stamp === null || stamp === "day_first" || !ordered || !(volume >= 0 && volume <= MAX_VOLUME)) {
      badLines.push(number);
      badTimes.push(stamp === "day_first" ? null : stamp);
      continue;
    }
    rows.wall[at] = stamp.wall;
    rows.offset[at] = stamp.offset;
    rows.open[at] = open;
    rows.high[at] = high;
    rows.low[at] = low;
    rows.close[at] = close;
    rows.volume[at] = volume;
    rows.line[at++] = number;
  }
  return { ...rows, length: at, badLines, badTimes, dayFirstLine };
}

/** Reader of the cells of the line opened last. A missing cell is empty text, or NaN as a number. */
interface LineReader {
  open(start: number, end: number): void;
  text(column: number): string;
  number(column: number): number;
}

/**
 * Creates a line reader for texts without quotes. It stores the bounds of the cells and slices only text that cannot be
 * parsed in place.
 */
function plainLine(text: string, { separator, ...layout }: Layout): LineReader {
  const columns = 1 + Math.max(...Object.values(layout).filter((value) => typeof value === "number"));
  const [starts, ends] = [new Int32Array(columns), new Int32Array(columns)];
  const code = separator.charCodeAt(0);
  let count = 0;
  const cell = (column: number) => (column < count ? text.slice(starts[column]!, ends[column]!).trim() : "");
  return {
    open(start, end) {
      count = 0;
      starts[0] = start;
      for (let at = start; at < end && count < columns; at++) {
        if (text.charCodeAt(at) !== code) continue;
        ends[count++] = at;
        starts[count] = at + 1;
      }
      if (count < columns) ends[count++] = end;
    },
    text: cell,
    number(column) {
      const plain = column < count ? digitsBetween(text, starts[column]!, ends[column]!) : Number.NaN;
      return Number.isNaN(plain) ? parseNumber(cell(column), separator === ",") : plain;
    },
  };
}

function quotedLine(text: string, { separator }: Layout): LineReader {
  let cells: readonly string[] = [];
  return {
    open: (start, end) => {
      cells = splitLine(text.slice(start, end), separator);
    },
    text: (column) => cells[column] ?? "",
    number: (column) => parseNumber(cells[column], separator === ","),
  };
}

const isBlank = (text: string, start: number, end: number): boolean =>
  end <= start || (text.charCodeAt(start) <= 32 && text.slice(start, end).trim() === "");

function emptyRows(length: number) {
  const column = () => new Float64Array(length);
  return {
    wall: column(),
    offset: column(),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
    line: new Int32Array(length),
  };
}

function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** Formats the number of dropped lines and the first ones; null if there are none. */
export function formatDroppedRows(lines: readonly number[]): string | null {
  if (lines.length === 0) return null;
  const shown = lines.slice(0, 5).join(", ");
  return `${lines.length} ${lines.length === 1 ? "row" : "rows"} dropped, line ${shown}${lines.length > 5 ? " ..." : ""}`;
}
