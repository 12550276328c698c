import type { SessionZone } from "../../domain/market/bars.ts";
import { parseNumber, splitLine } from "./csv.ts";
import { isTimeOfDay, parseWrittenTime } from "./written-time.ts";

/** Layout of a file: the index of each column, from 0. */
export interface Layout {
  readonly separator: string;
  /** Number of lines before the first row. */
  readonly headerLines: number;
  readonly time: number;
  /** Column of the time of day; null if it is not separate from the date. */
  readonly timeOfDay: number | null;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  /** Time zone that the header states for times without an offset; null if it states none. */
  readonly zone: SessionZone | null;
  readonly hasAdjustedClose: boolean;
}

const SEPARATORS = [",", ";", "\t"] as const;
/** Header names of the time column, the most specific first. */
const TIMES = [
  /^(time|date|datetime|timestamp)_utc$/,
  /^(time|date|datetime|timestamp)_ny$/,
  /^(unix|unix timestamp|epoch|open[_ ]time)$/,
  /^(datetime|date[_ ]time|timestamp|ts)$/,
  /^date$/,
  /^(time|t|gmt time|begins_at|unnamed: 0|)$/,
];
const PRICES = {
  open: /^(o|open|open price)$/,
  high: /^(h|high|high price)$/,
  low: /^(l|low|low price)$/,
  close: /^(c|close|close price|close\/last|last)$/,
} as const;
const VOLUME = [/^(v|vol\.?|volume)$/, /^volume\b/];
const ADJUSTED = /^adj(usted)?[ _.]?close$/;

/** Finds the columns in a file's first lines. Returns the reason if they are not OHLCV columns. */
export function findLayout(lines: readonly string[]): Layout | string {
  let nearest = "it has no columns open, high, low, close";
  for (const [index, line] of lines.entries()) {
    for (const separator of SEPARATORS) {
      const cells = splitLine(line, separator);
      if (index === 0 && isRow(cells, separator)) return withoutHeader(separator, cells);
      const names = cells.map(plainName);
      if (
        !Object.values(PRICES)
          .slice(0, 3)
          .every((name) => names.some((cell) => name.test(cell)))
      )
        continue;
      const layout = fromHeader(
        separator,
        names,
        index + 1 + countCaptionLines(lines.slice(index + 1), separator),
      );
      if (typeof layout !== "string") return layout;
      nearest = layout;
    }
  }
  return nearest;
}

function fromHeader(separator: string, names: readonly string[], headerLines: number): Layout | string {
  const found = (name: RegExp) => names.findIndex((cell) => name.test(cell));
  let time = TIMES.map(found).find((column) => column >= 0) ?? -1;
  let close = found(PRICES.close);
  const price = names.indexOf("price"); // in files written by pandas this is the header above the dates, elsewhere the close
  if (time < 0 && price === 0) time = price;
  else if (close < 0) close = price;
  const columns = {
    open: found(PRICES.open),
    high: found(PRICES.high),
    low: found(PRICES.low),
    close,
    volume: VOLUME.map(found).find((column) => column >= 0) ?? -1,
  };
  if (time < 0) return "it has no column of dates or times";
  for (const [name, column] of Object.entries(columns)) {
    if (column < 0) return `it has no column ${name}, which is required`;
    if (names.lastIndexOf(names[column]!) !== column) return `it has two columns ${name}`;
  }
  const clock = names[time] === "date" ? names.findIndex((cell) => /^time$/.test(cell)) : -1;
  return {
    separator,
    headerLines,
    time,
    timeOfDay: clock < 0 ? null : clock,
    ...columns,
    zone: zoneOf(names[time]!),
    hasAdjustedClose: names.some((cell) => ADJUSTED.test(cell)),
  };
}

function withoutHeader(separator: string, cells: readonly string[]): Layout {
  const apart = isTimeOfDay(cells[1]!) ? 1 : 0;
  const [open, high, low, close, volume] = [1, 2, 3, 4, 5].map((column) => column + apart);
  return {
    separator,
    headerLines: 0,
    time: 0,
    timeOfDay: apart === 1 ? 1 : null,
    open: open!,
    high: high!,
    low: low!,
    close: close!,
    volume: volume!,
    zone: null,
    hasAdjustedClose: false,
  };
}

/** Returns true for a line of data: a time, then five numbers. */
function isRow(cells: readonly string[], separator: string): boolean {
  if (parseWrittenTime(cells[0] ?? "") === null) return false;
  const numbers = cells.slice(isTimeOfDay(cells[1] ?? "") ? 2 : 1);
  return (
    numbers.length >= 5 &&
    numbers.slice(0, 5).every((cell) => !Number.isNaN(parseNumber(cell, separator === ",")))
  );
}

/** Returns the number of extra header lines below the header, which pandas writes for several tickers. */
function countCaptionLines(lines: readonly string[], separator: string): number {
  const row = lines.findIndex(
    (line) => !/^(ticker|date|datetime)$/i.test(splitLine(line, separator)[0] ?? ""),
  );
  return Math.max(row, 0);
}

function plainName(cell: string): string {
  return cell
    .slice(0, 40)
    .toLowerCase()
    .replace(/^[<\s]+|[>\s]+$/g, "")
    .replace(/^\d\. /, "");
}

function zoneOf(name: string): SessionZone | null {
  if (/_ny$/.test(name)) return "America/New_York";
  return /_utc$|^gmt /.test(name) ? "UTC" : null;
}
