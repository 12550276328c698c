import { detectNumberFormat } from "../../lib/number-format.ts";
import { mostFrequentGap } from "./bars-from-rows.ts";
import { splitLine } from "./csv.ts";
import { exampleText } from "./faults.ts";
import type { Layout } from "./layout.ts";
import { lineNumbers, lineReader, timeText } from "./rows.ts";
import { type DateOrder, isSerial, parseWrittenTime, yearLastDate } from "./written-time.ts";

/** Number of rows, spread over the file, from which the formats of its cells are detected. */
const SAMPLE_ROWS = 400;
/** Minimum number of dates written as numbers of days: fewer do not show by their weekdays that Excel counts from 1900. */
const MIN_SERIALS = 10;
const DAY = 86_400_000;
/** Maximum common distance of the dates of bars. */
const MAX_GAP_MS = 7 * DAY;

/** A layout with the formats of its cells, and notes on those that were inferred. */
export interface DetectedFormats {
  readonly layout: Layout;
  readonly notes: readonly string[];
}

/** Detects how numbers and dates of a file are written. Returns the reason if it cannot be known. */
export function detectFormats(text: string, layout: Layout): DetectedFormats | string {
  const sample = sampleRows(text, layout);
  const wide = sample.filter((cells) => filledWidth(cells) > layout.width);
  if (layout.width > 0 && wide.length > 0 && wide.length >= sample.length / 2)
    return `its rows have ${filledWidth(wide[0]!)} cells under a header of ${layout.width}; numbers with decimal commas need quotation marks, or semicolons between the cells`;
  const varied = variedColumn(sample, layout);
  if (varied !== null) return varied;
  const prices = sample.flatMap((cells) =>
    [layout.open, layout.high, layout.low, layout.close].map((column) => cells[column] ?? ""),
  );
  const numbers = detectNumberFormat(prices, layout.separator);
  const comma = prices.find((cell) => /\d,\d/.test(cell));
  if (numbers === "unsure" && comma !== undefined)
    return `a comma in prices such as ${exampleText(comma) ?? "its own"} may mean decimals or thousands; write them with a point`;
  const dates = detectDateOrder(text, layout, sample);
  if (typeof dates === "string") return dates;
  return {
    layout: { ...layout, numbers, dates: dates.order },
    notes: [
      ...dates.notes,
      ...(numbers === "continental" ? ["its numbers are read with decimal commas"] : []),
    ],
  };
}

/** Returns the cells of up to 400 rows, spread evenly over a text. */
function sampleRows(text: string, { headerLines, separator }: Layout): readonly (readonly string[])[] {
  let start = 0;
  for (let line = 0; line < headerLines && start >= 0; line++) start = text.indexOf("\n", start) + 1 || -1;
  if (start < 0) return [];
  const rows: string[][] = [];
  const step = Math.max(1, (text.length - start) / SAMPLE_ROWS);
  for (let at = start, target = start; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, end);
    if (at >= target) {
      if (line.trim() !== "") rows.push(splitLine(line.trimEnd(), separator));
      target = Math.max(target + step, at);
    }
    const next = end + 1;
    at = target > next + step ? text.indexOf("\n", Math.floor(target)) + 1 || text.length : next;
  }
  return rows;
}

const filledWidth = (cells: readonly string[]): number => cells.findLastIndex((cell) => cell !== "") + 1;

/** Returns the reason if a file holds another currency than US dollars, or bars of several lengths; null otherwise. */
function variedColumn(sample: readonly (readonly string[])[], layout: Layout): string | null {
  const values = (column: number | null) =>
    column === null
      ? []
      : [...new Set(sample.map((cells) => cells[column] ?? "").filter((cell) => cell !== ""))];
  const foreign = values(layout.currency).find((cell) => /^[A-Z]{3}$/.test(cell) && cell !== "USD");
  if (foreign !== undefined) return `its column currency holds ${foreign}; prices are in US dollars`;
  return values(layout.interval).length > 1
    ? "it holds bars of several lengths; write them to a file each"
    : null;
}

interface FoundOrder {
  readonly order: DateOrder | null;
  readonly notes: readonly string[];
}

/**
 * Detects the order of day and month in dates that end in the year: by a number over 12, otherwise by the order in which
 * the dates are at most a week apart. Dates with dots begin with the day unless one of them cannot.
 */
function detectDateOrder(
  text: string,
  layout: Layout,
  sample: readonly (readonly string[])[],
): FoundOrder | string {
  const stamps = sample.map((cells) => cells[layout.time] ?? "");
  if (stamps.length >= MIN_SERIALS && layout.timeOfDay === null && stamps.every(isSerial))
    return {
      order: "serial",
      notes: [`its dates are numbers of days, such as "${stamps[0]}"; read as Excel stores them`],
    };
  const first = stamps.map(yearLastDate).find((date) => date !== null);
  if (first === undefined) return { order: null, notes: [] };
  const line = lineReader(text, layout);
  let [dayFirst, monthFirst] = [0, 0];
  let example = "";
  const times: string[] = [];
  for (const number of lineNumbers(text, line, layout.headerLines)) {
    const written = timeText(line, layout);
    const date = yearLastDate(written.trim());
    if (date === null) continue;
    if (date.first > 12 && date.second <= 12 && dayFirst === 0) {
      dayFirst = number;
      example = written.trim();
    } else if (date.second > 12 && date.first <= 12) monthFirst ||= number;
    if (times.length < SAMPLE_ROWS) times.push(written.trim());
  }
  if (dayFirst > 0 && monthFirst > 0)
    return `its dates begin with the day in line ${dayFirst} and with the month in line ${monthFirst}`;
  const note = (why: string) => [`its dates are read with the day first${why}`];
  if (dayFirst > 0)
    return { order: "day_first", notes: note(`: line ${dayFirst} holds ${exampleText(example) ?? "one"}`) };
  if (monthFirst > 0) return { order: "month_first", notes: [] };
  if (first.hasDots) return { order: "day_first", notes: note(", as dates with dots are") };
  const plausible = (["month_first", "day_first"] as const).filter((order) => {
    const gap = mostFrequentGap(times.map((written) => parseWrittenTime(written, order)?.wall ?? Number.NaN));
    return gap !== null && gap <= MAX_GAP_MS;
  });
  if (plausible.length !== 1)
    return `its dates, such as ${exampleText(times[0] ?? "") ?? "the first"}, may begin with the day or the month; write them as YYYY-MM-DD`;
  const [order] = plausible;
  return { order: order!, notes: order === "day_first" ? note(": only so they follow each other") : [] };
}
