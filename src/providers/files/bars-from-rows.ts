import type { Adjustment, Bars, ProviderTimeframe, SessionZone } from "../../domain/market/bars.ts";
import { PROVIDER_TIMEFRAMES, TIMEFRAME_MS } from "../../domain/market/bars.ts";
import type { OmissionReason, OmittedRow } from "../../domain/market/omitted-rows.ts";
import { countLeading } from "../../lib/count-leading.ts";
import { newYorkDay, newYorkOffsetMs } from "../../lib/newyork.ts";
import { isTradingDate, isWeekend } from "../../market/prices/row-check.ts";
import { type DayRule, dayOf, LAST_MINUTE } from "./daily-stamps.ts";
import { reversed, runsBackwards } from "./row-order.ts";
import type { RawRows } from "./rows.ts";
import { createInstantReader, type InstantReader, toInstant } from "./written-time.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;
/** Minimum number of intervals in a row that make the first rows those of a longer bar length. */
const MIN_LONGER_GAPS = 3;
/** Minimum number and share of the intervals that make a bar length that of the file. */
const MIN_GAPS = 20;
const MIN_GAP_SHARE = 0.05;
/** Maximum share of rows that repeat the row before them in a file in which such a row on a holiday fills a gap. */
const MAX_REPEATED_SHARE = 0.01;
const PRICE_COLUMNS = ["open", "high", "low", "close", "volume"] as const;
const KEPT_COLUMNS = [...PRICE_COLUMNS, "line"] as const;

export interface SeriesFormat {
  readonly timeframe: ProviderTimeframe;
  /** Zone of the instrument's sessions. */
  readonly zone: SessionZone;
  /** Time zone of times written without an offset. */
  readonly clock: SessionZone;
  readonly adjustment: Adjustment;
  /** True if a stamp is the end of its bar. Default: false. */
  readonly isEnd?: boolean;
  /** How the date of a daily bar follows from its stamp. Default: as written. */
  readonly day?: DayRule;
}

/** Reason for omitting a valid row. */
export type LeftOut = Exclude<OmissionReason, "invalid" | "spike"> | "corrected" | "off_grid";
const PUBLISHED: Readonly<Partial<Record<LeftOut, OmissionReason>>> = {
  corrected: "repeated",
  off_grid: "invalid",
};

/** Bars in ascending order, and what was left out. */
export interface ParsedBars {
  readonly bars: Bars;
  /** Lines of valid rows that are left out, ascending, by reason. */
  readonly leftOut: ReadonlyMap<LeftOut, readonly number[]>;
  /** Lines of rows with trades on dates without a session, which are kept. */
  readonly closedLines: readonly number[];
  /** All rows left out, unreadable ones included. */
  readonly omitted: readonly OmittedRow[];
}

/**
 * Converts rows to bars in ascending order. Files in descending order are reversed. Of two rows of a time with different
 * figures, the later one in that order corrects the other; rows that break the order or repeat another, days of a stock on a weekend, its rows without trades on a holiday, rows of a longer bar length before the others, and days of a coin
 * that do not begin at 00:00 UTC are left out. Overwrites the rows.
 */
export function barsFromRows(written: RawRows, format: SeriesFormat): ParsedBars {
  const rows = runsBackwards(written) ? reversed(written) : written;
  const times = barTimes(rows, format);
  const omitted: OmittedRow[] = unreadableRows(rows, times, format);
  const { timeframe, adjustment, zone } = format;
  const leftOut = new Map<LeftOut, number[]>();
  const leaveOut = (at: number, reason: LeftOut) => {
    const lines = leftOut.get(reason);
    if (lines === undefined) leftOut.set(reason, [rows.line[at]!]);
    else lines.push(rows.line[at]!);
    omitted.push({ time: times[at]!, reason: PUBLISHED[reason] ?? (reason as OmissionReason) });
  };
  const keep = (at: number, place: number) => {
    for (const column of KEPT_COLUMNS) rows[column][place] = rows[column][at]!;
  };
  const longer = countLongerRows(times, rows.volume, timeframe);
  const closed = closedRows(rows, times, { ...format, from: longer });
  let count = 0;
  let last = -Infinity;
  for (let at = 0; at < rows.length; at++) {
    const time = times[at]!;
    const next = times[at + 1] ?? Infinity;
    const isStray = time > next && next > last; // a single late time between two rows that are in order
    if (at < longer) leaveOut(at, "longer");
    else if (time <= last || isStray) {
      const place = correctedPlace(rows, at, { times, count });
      leaveOut(place ?? at, place === null ? "repeated" : "corrected");
      if (place !== null) keep(at, place);
    } else if (closed.leftOut.has(at)) leaveOut(at, "no_session");
    else if (isOffGrid(rows, at, format)) leaveOut(at, "off_grid");
    else {
      keep(at, count);
      times[count++] = last = time;
    }
  }
  const column = (values: Float64Array) => values.slice(0, count);
  const bars: Bars = {
    time: column(times),
    open: column(rows.open),
    high: column(rows.high),
    low: column(rows.low),
    close: column(rows.close),
    volume: column(rows.volume),
    timeframe,
    adjustment,
    zone,
  };
  const ascending = (a: number, b: number) => a - b;
  for (const lines of leftOut.values()) lines.sort(ascending);
  return { bars, leftOut, closedLines: closed.traded.sort(ascending), omitted };
}

/** Returns the place of the kept row with the time of a row and other figures; null without one. */
function correctedPlace(
  rows: RawRows,
  at: number,
  { times, count }: { readonly times: Float64Array; readonly count: number },
): number | null {
  const place = countLeading(count, (nth) => times[nth]! < times[at]!);
  const isSame = (name: (typeof PRICE_COLUMNS)[number]) => rows[name][place] === rows[name][at];
  return place < count && times[place] === times[at] && !PRICE_COLUMNS.every(isSame) ? place : null;
}

/**
 * Returns the date of a bar's session (its 00:00 UTC) if the exchange is closed on it, by weekend or holiday; null for
 * other bars and for a market that never closes.
 */
function closedDateOf({ timeframe, zone }: SeriesFormat): (time: number) => number | null {
  if (zone === "UTC") return () => null;
  if (timeframe === "1d") return (time) => (isTradingDate(time) ? null : time);
  let from = Number.NaN;
  let closed: number | null = null;
  return (time) => {
    if (!(time >= from && time < from + 20 * HOUR)) {
      const day = newYorkDay(time);
      from = day - newYorkOffsetMs(day + DAY / 2);
      closed = isTradingDate(day) ? null : day;
    }
    return closed;
  };
}

/**
 * Finds the rows on dates without a session: those to leave out, which are days on a weekend and rows that only fill the
 * gap in a calendar, and those with trades. A row fills a gap if it has no volume, or repeats the row before it, which
 * rows of sessions in its file do not.
 */
function closedRows(rows: RawRows, times: Float64Array, format: SeriesFormat & { readonly from: number }) {
  const found = { leftOut: new Set<number>(), traded: [] as number[] };
  const closedDate = closedDateOf(format);
  const closed = new Map<number, number>();
  for (let at = format.from; at < rows.length; at++) {
    const date = closedDate(times[at]!);
    if (date !== null) closed.set(at, date);
  }
  if (closed.size === 0) return found;
  const repeats = (at: number) =>
    at > 0 && PRICE_COLUMNS.every((name) => rows[name][at] === rows[name][at - 1]);
  let repeated = 0;
  for (let at = 1; at < rows.length; at++) if (!closed.has(at) && repeats(at)) repeated++;
  const isFilled = repeated <= MAX_REPEATED_SHARE * rows.length;
  for (const [at, date] of closed)
    if ((format.timeframe === "1d" && isWeekend(date)) || rows.volume[at] === 0 || (isFilled && repeats(at)))
      found.leftOut.add(at);
    else found.traded.push(rows.line[at]!);
  return found;
}

/** Returns true for a day of a coin that does not begin at 00:00 UTC. */
function isOffGrid(
  { wall, offset }: RawRows,
  at: number,
  { timeframe, zone, day, clock }: SeriesFormat,
): boolean {
  if (timeframe !== "1d" || zone !== "UTC" || day !== "UTC") return false;
  const time = toInstant({ wall: wall[at]!, offset: offset[at]! }, clock, -Infinity) % DAY;
  return time !== 0 && time < LAST_MINUTE;
}

/**
 * Returns how many of the first rows are of a longer bar length, such as weekly rows before daily ones: at least three
 * in a row at such distances. The row after them belongs to those whose volume is closer to its own.
 */
function countLongerRows(times: Float64Array, volume: Float64Array, timeframe: ProviderTimeframe): number {
  let gaps = 0;
  while (gaps + 1 < times.length && isLongerGap(times[gaps + 1]! - times[gaps]!, timeframe)) gaps++;
  if (gaps < MIN_LONGER_GAPS || gaps + 1 >= times.length) return 0;
  const median = (from: number, to: number) => volume.slice(from, to).sort()[Math.floor((to - from) / 2)]!;
  const [longer, usual] = [median(0, gaps), median(gaps + 1, Math.min(times.length, 2 * gaps + 1))];
  const edge = volume[gaps]!;
  return edge * edge < longer * usual ? gaps : gaps + 1;
}

/** Returns views on the rows without the first in time that are of a longer bar length than the others. */
export function withoutLongerRows(rows: RawRows, timeframe: ProviderTimeframe): RawRows {
  const { length } = rows;
  const backwards = runsBackwards(rows);
  const inOrder = (column: Float64Array) =>
    backwards ? column.slice(0, length).reverse() : column.subarray(0, length);
  const count = countLongerRows(inOrder(rows.wall), inOrder(rows.volume), timeframe);
  if (count === 0) return rows;
  const [from, to] = backwards ? [0, length - count] : [count, length];
  return {
    ...rows,
    length: length - count,
    wall: rows.wall.subarray(from, to),
    offset: rows.offset.subarray(from, to),
  };
}

/** Returns true for the distance of weeks, months or, in bars of less than a day, of days. */
function isLongerGap(ms: number, timeframe: ProviderTimeframe): boolean {
  const days = Math.round(ms / DAY);
  if ((days >= 6 && days <= 8) || (days >= 28 && days <= 31)) return true;
  return TIMEFRAME_MS[timeframe] < DAY && days >= 1 && days <= 4 && Math.abs(ms - days * DAY) <= HOUR;
}

/** Returns the lines without a valid row. One without a readable time has that of the later of its neighbours. */
function unreadableRows(rows: RawRows, times: Float64Array, format: SeriesFormat): OmittedRow[] {
  const { line, badLines, badTimes, length } = rows;
  if (length === 0) return [];
  const backwards = line[0]! > line[length - 1]!;
  const place = (nth: number) => (backwards ? length - 1 - nth : nth);
  const toBarTime = barTimeReader(format);
  let nth = 0;
  return badLines.map((bad, at) => {
    while (nth < length && line[place(nth)]! < bad) nth++;
    const [above, below] = [times[place(nth - 1)], times[place(nth)]];
    const written = badTimes[at]!;
    const time =
      written === null
        ? Math.max(above ?? -Infinity, below ?? -Infinity)
        : toBarTime(written.wall, written.offset, Math.min(above ?? Infinity, below ?? Infinity));
    return { time, reason: "invalid" };
  });
}

/**
 * Returns the most frequent interval between neighbouring rows in ms (if several, the shortest); null for fewer than
 * three rows. If that is a day or more, a shorter bar length of at least 20 intervals and a twentieth of them comes first.
 */
export function commonSpacing({ wall, length }: Pick<RawRows, "wall" | "length">): number | null {
  if (length < 3) return null;
  const counts = gapCounts(wall.subarray(0, length));
  const common = mostFrequent(counts);
  if (common === null || common < DAY) return common;
  const isFrequent = ([gap, times]: readonly [number, number]) =>
    gap < common && timeframeOf(gap) !== null && times >= Math.max(MIN_GAPS, length * MIN_GAP_SHARE);
  return Math.min(common, ...[...counts].filter(isFrequent).map(([gap]) => gap));
}

/** Returns the most frequent distance of neighbouring times, ms (if several, the shortest); null without one. */
export const mostFrequentGap = (times: readonly number[]): number | null =>
  mostFrequent(gapCounts(Float64Array.from(times)));

function gapCounts(times: Float64Array): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (let at = 1; at < times.length; at++) {
    const distance = Math.abs(times[at]! - times[at - 1]!);
    if (distance > 0) counts.set(distance, (counts.get(distance) ?? 0) + 1);
  }
  return counts;
}

const mostFrequent = (counts: ReadonlyMap<number, number>): number | null =>
  [...counts].sort(([a, times], [b, otherTimes]) => otherTimes - times || a - b)[0]?.[0] ?? null;

/** Returns the timeframe that lasts `ms`; null for other durations. */
export const timeframeOf = (ms: number): ProviderTimeframe | null =>
  PROVIDER_TIMEFRAMES.find((timeframe) => TIMEFRAME_MS[timeframe] === ms) ?? null;

/** Returns the starts of the bars, epoch ms. */
function barTimes({ wall, offset, length }: RawRows, format: SeriesFormat): Float64Array {
  const times = new Float64Array(length);
  const toBarTime = barTimeReader(format);
  for (let at = 0; at < length; at++)
    times[at] = toBarTime(wall[at]!, offset[at]!, at > 0 ? times[at - 1]! : -Infinity);
  if (format.isEnd !== true || format.timeframe === "1d") return times;
  // the bar that ends at the close of a session may be shorter than the others
  const bar = TIMEFRAME_MS[format.timeframe];
  for (let at = length - 1; at > 0; at--) {
    const before = times[at - 1]! + bar;
    if (before > times[at]! && before < times[at]! + bar) times[at] = before;
  }
  return times;
}

/** Creates a reader of the start of the bar with a written time, epoch ms; `previous` is that of the row before. */
function barTimeReader({ timeframe, clock, isEnd = false, day = "written" }: SeriesFormat): InstantReader {
  if (timeframe === "1d") return (wall, offset) => dayOf(wall, offset, day, clock);
  const toInstant = createInstantReader(clock);
  if (!isEnd) return toInstant;
  const bar = TIMEFRAME_MS[timeframe];
  return (wall, offset, previous) => {
    const late = wall % MINUTE;
    const end = late >= 59_000 ? wall - late + MINUTE : wall;
    return toInstant(end, offset, previous + bar) - bar;
  };
}
