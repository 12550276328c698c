import { type RowFault, type RowLimits, rowFault } from "../../market/prices/row-check.ts";
import { digitsBetween, parseNumber, splitLine } from "./csv.ts";
import type { Layout } from "./layout.ts";
import { parseWrittenTime, type WrittenTime } from "./written-time.ts";

/**
 * Adjusted prices of a stock after many reverse splits reach 1e13 dollars; tokens worth a billionth of a cent reach a
 * thousandth of the volume.
 */
const LIMITS: RowLimits = { minPrice: Number.MIN_VALUE, maxPrice: 1e15, maxVolume: 1e18 };
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
  /** Fault of each bad line. */
  readonly badFaults: readonly LineFault[];
  /** The first cell with each fault, as written. */
  readonly examples: ReadonlyMap<LineFault, string>;
  /** Number of rows whose close lies outside high and low, but whose adjusted close does not. */
  readonly adjustedFits: number;
  /** True if the file's rows are in no order and have been sorted. Default: false. */
  readonly isSorted?: boolean;
}

/**
 * Fault of a line: no readable time, no prices, a price that is not a number, or a fault of its figures.
 */
export type LineFault = "time" | "empty" | "number" | RowFault;

/** Rows of a text that are read. */
export interface RowChoice {
  /** Cells of the symbol column whose rows are read. Default: all. */
  readonly cells?: ReadonlySet<string>;
  /** Number of lines before the text in its file. Default: 0. */
  readonly linesBefore?: number;
}

/**
 * Parses the rows of a text. Rows are never corrected beyond rounding: the line of an invalid row is listed as bad.
 */
export function readRows(text: string, layout: Layout, { cells, linesBefore = 0 }: RowChoice = {}): RawRows {
  const line = lineReader(text, layout);
  const rows = emptyRows(Math.min(lineCount(text), Math.ceil(text.length / MIN_ROW_LENGTH)));
  const badLines: number[] = [];
  const badTimes: (WrittenTime | null)[] = [];
  const badFaults: LineFault[] = [];
  const examples = new Map<LineFault, string>();
  let adjustedFits = 0;
  let at = 0;
  const symbol = cells === undefined ? null : layout.symbol;
  for (const number of lineNumbers(text, line, layout.headerLines)) {
    if (symbol !== null && !cells!.has(line.text(symbol))) continue;
    const stamp = parseWrittenTime(timeText(line, layout), layout.dates);
    const open = line.number(layout.open);
    const high = line.number(layout.high);
    const low = line.number(layout.low);
    const close = line.number(layout.close);
    const volume = line.number(layout.volume);
    const fault = rowFault(open, high, low, close, volume, LIMITS);
    if (stamp === null || fault !== null) {
      const found = stamp === null ? "time" : fault === "price" ? priceFault(line, layout) : fault!;
      badLines.push(number + linesBefore);
      badTimes.push(stamp);
      badFaults.push(found);
      if (!examples.has(found)) examples.set(found, exampleOf(found, line, layout));
      if (fault === "range" && layout.adjusted !== null) {
        const adjusted = line.number(layout.adjusted);
        if (rowFault(open, high, low, adjusted, volume, LIMITS) === null) adjustedFits++;
      }
      continue;
    }
    rows.wall[at] = stamp.wall;
    rows.offset[at] = stamp.offset;
    rows.open[at] = open;
    rows.high[at] = Math.max(high, open, close);
    rows.low[at] = Math.min(low, open, close);
    rows.close[at] = close;
    rows.volume[at] = volume;
    rows.line[at++] = number + linesBefore;
  }
  return { ...rows, length: at, badLines, badTimes, badFaults, examples, adjustedFits };
}

/** Opens each line with a row in turn and returns its number, from 1. */
export function* lineNumbers(text: string, line: LineReader, headerLines: number): Generator<number> {
  let number = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const next = newline < 0 ? text.length : newline;
    const end = text.charCodeAt(next - 1) === CARRIAGE_RETURN ? next - 1 : next;
    const from = start;
    start = next + 1;
    if (++number <= headerLines || isBlank(text, from, end)) continue;
    line.open(from, end);
    yield number;
  }
}

/** Returns the written time of the opened line. */
export const timeText = (line: LineReader, { time, timeOfDay }: Layout): string =>
  timeOfDay === null ? line.text(time) : `${line.text(time)} ${line.text(timeOfDay)}`;

const NO_NUMBER = /^(|-+|nan|null|none|n\/?a|#n\/a|undefined)$/i;
const PRICES = ["open", "high", "low", "close"] as const;

function priceFault(line: LineReader, layout: Layout): LineFault {
  const unread = PRICES.filter((name) => Number.isNaN(line.number(layout[name])));
  if (unread.length === 0) return "price";
  return unread.some((name) => !NO_NUMBER.test(line.text(layout[name]))) ? "number" : "empty";
}

/** Returns the cell of the opened line that has a fault. */
function exampleOf(fault: LineFault, line: LineReader, layout: Layout): string {
  if (fault === "time") return timeText(line, layout);
  if (fault === "volume") return line.text(layout.volume);
  const wrong = PRICES.map((name) => line.text(layout[name])).find((cell) =>
    fault === "number" ? !NO_NUMBER.test(cell) && Number.isNaN(parseNumber(cell, layout.numbers)) : true,
  );
  return wrong ?? "";
}

/** Creates a reader of the lines of a text; a cell in quotes may contain the separator. */
export const lineReader = (text: string, layout: Layout): LineReader =>
  text.includes('"') ? quotedLine(text, layout) : plainLine(text, layout);

/** Reader of the cells of the line opened last. A missing cell is empty text, or NaN as a number. */
export interface LineReader {
  /** Bounds of the opened line in the text. */
  readonly bounds: readonly [start: number, end: number];
  open(start: number, end: number): void;
  text(column: number): string;
  number(column: number): number;
}

/**
 * Creates a line reader for texts without quotes. It stores the bounds of the cells and slices only text that cannot be
 * parsed in place.
 */
function plainLine(text: string, { separator, numbers, width, headerLines, ...layout }: Layout): LineReader {
  const columns = 1 + Math.max(...Object.values(layout).filter((value) => typeof value === "number"));
  const isInPlace = numbers !== "continental";
  const bounds: [number, number] = [0, 0];
  const [starts, ends] = [new Int32Array(columns), new Int32Array(columns)];
  const code = separator.charCodeAt(0);
  let count = 0;
  const cell = (column: number) => (column < count ? text.slice(starts[column]!, ends[column]!).trim() : "");
  return {
    bounds,
    open(start, end) {
      bounds[0] = start;
      bounds[1] = end;
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
      const plain =
        column < count && isInPlace ? digitsBetween(text, starts[column]!, ends[column]!) : Number.NaN;
      return Number.isNaN(plain) ? parseNumber(cell(column), numbers) : plain;
    },
  };
}

function quotedLine(text: string, { separator, numbers }: Layout): LineReader {
  let cells: readonly string[] = [];
  const bounds: [number, number] = [0, 0];
  return {
    bounds,
    open: (start, end) => {
      bounds[0] = start;
      bounds[1] = end;
      cells = splitLine(text.slice(start, end), separator);
    },
    text: (column) => cells[column] ?? "",
    number: (column) => parseNumber(cells[column], numbers),
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
  return lines.length === 0
    ? null
    : `${lines.length} ${lines.length === 1 ? "row" : "rows"} dropped, ${formatLines(lines)}`;
}

/** Formats the first five line numbers: `line 5, 6, 7, 8, 9 ...`. */
export const formatLines = (lines: readonly number[]): string =>
  `line ${lines.slice(0, 5).join(", ")}${lines.length > 5 ? " ..." : ""}`;
