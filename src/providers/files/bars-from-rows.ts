import type { Adjustment, Bars, ProviderTimeframe, SessionZone } from "../../domain/market/bars.ts";
import { PROVIDER_TIMEFRAMES, TIMEFRAME_MS } from "../../domain/market/bars.ts";
import type { OmittedRow } from "../../domain/market/omitted-rows.ts";
import type { RawRows } from "./rows.ts";
import { toInstant, type WrittenTime } from "./written-time.ts";

const DAY = 86_400_000;
const PRICE_COLUMNS = ["open", "high", "low", "close", "volume"] as const;

export interface SeriesFormat {
  readonly timeframe: ProviderTimeframe;
  /** Zone of the instrument's sessions. */
  readonly zone: SessionZone;
  /** Time zone of times written without an offset. */
  readonly clock: SessionZone;
  readonly adjustment: Adjustment;
}

/** Bars in ascending order, and what was left out. */
export interface ParsedBars {
  readonly bars: Bars;
  /** Lines with a repeated or out-of-order time. */
  readonly badLines: readonly number[];
  /** Lines of daily rows of a stock on a Saturday or Sunday. */
  readonly weekendLines: readonly number[];
  /** All rows left out, unreadable ones included. */
  readonly omitted: readonly OmittedRow[];
}

/**
 * Converts rows to bars in ascending order. A daily row keeps its written date, regardless of the zone; files in
 * descending order are reversed; rows that break the order or repeat a time, and daily rows of a stock on a weekend, are
 * dropped. Overwrites the rows.
 */
export function barsFromRows(written: RawRows, format: SeriesFormat): ParsedBars {
  const rows = runsBackwards(written) ? reversed(written) : written;
  const times = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const written = { wall: rows.wall[at]!, offset: rows.offset[at]! };
    times[at] = toBarTime(written, format, times[at - 1] ?? -Infinity);
  }
  const badLines: number[] = [];
  const weekendLines: number[] = [];
  const omitted: OmittedRow[] = unreadableRows(rows, times, format);
  const { timeframe, adjustment, zone } = format;
  const hasWeekends = timeframe !== "1d" || zone === "UTC";
  let count = 0;
  let last = -Infinity;
  for (let at = 0; at < rows.length; at++) {
    const time = times[at]!;
    const next = times[at + 1] ?? Infinity;
    const isStray = time > next && next > last; // a single late time between two rows that are in order
    if (time <= last || isStray) {
      badLines.push(rows.line[at]!);
      omitted.push({ time, reason: "repeated" });
    } else if (!hasWeekends && isWeekend(time)) {
      weekendLines.push(rows.line[at]!);
      omitted.push({ time, reason: "no_session" });
    } else {
      for (const column of PRICE_COLUMNS) rows[column][count] = rows[column][at]!;
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
  const ascending = (lines: number[]) => lines.sort((a, b) => a - b);
  return { bars, badLines: ascending(badLines), weekendLines: ascending(weekendLines), omitted };
}

/** Returns the lines without a valid row. One without a readable time has that of the later of its neighbours. */
function unreadableRows(rows: RawRows, times: Float64Array, format: SeriesFormat): OmittedRow[] {
  const { line, badLines, badTimes, length } = rows;
  if (length === 0) return [];
  const backwards = line[0]! > line[length - 1]!;
  const place = (nth: number) => (backwards ? length - 1 - nth : nth);
  let nth = 0;
  return badLines.map((bad, at) => {
    while (nth < length && line[place(nth)]! < bad) nth++;
    const [above, below] = [times[place(nth - 1)], times[place(nth)]];
    const written = badTimes[at]!;
    const time =
      written === null
        ? Math.max(above ?? -Infinity, below ?? -Infinity)
        : toBarTime(written, format, Math.min(above ?? Infinity, below ?? Infinity));
    return { time, reason: "invalid" };
  });
}

const isWeekend = (time: number): boolean => [0, 6].includes(new Date(time).getUTCDay());

/**
 * Returns the most frequent interval between neighbouring rows in ms (if several, the shortest); null for
 * fewer than three rows.
 */
export function commonSpacing({ wall, length }: RawRows): number | null {
  if (length < 3) return null;
  const counts = new Map<number, number>();
  for (let at = 1; at < length; at++) {
    const distance = Math.abs(wall[at]! - wall[at - 1]!);
    if (distance > 0) counts.set(distance, (counts.get(distance) ?? 0) + 1);
  }
  const [mostFrequent] = [...counts].sort(([a, times], [b, otherTimes]) => otherTimes - times || a - b);
  return mostFrequent?.[0] ?? null;
}

/** Returns the timeframe that lasts `ms`; null for other durations. */
export const timeframeOf = (ms: number): ProviderTimeframe | null =>
  PROVIDER_TIMEFRAMES.find((timeframe) => TIMEFRAME_MS[timeframe] === ms) ?? null;

function reversed(rows: RawRows): RawRows {
  for (const column of [...PRICE_COLUMNS, "wall", "offset", "line"] as const)
    rows[column].subarray(0, rows.length).reverse();
  return rows;
}

function runsBackwards({ wall, length }: RawRows): boolean {
  let backwards = 0;
  for (let at = 1; at < length; at++) backwards += Math.sign(wall[at - 1]! - wall[at]!);
  return backwards > 0;
}

/** Returns the start of the bar with a written time, epoch ms; `previous` is that of the row before. */
function toBarTime(written: WrittenTime, { timeframe, clock }: SeriesFormat, previous: number): number {
  if (timeframe === "1d") return Math.floor(written.wall / DAY) * DAY;
  return toInstant(written, clock, previous);
}
