import { type ProviderTimeframe, type SessionZone, TIMEFRAME_MS } from "../../domain/market/bars.ts";
import { newYorkOffsetMs } from "../../lib/newyork.ts";
import { sessionOn } from "../../market/calendar/calendar.ts";
import { type DayRule, decideDay } from "./daily-stamps.ts";
import type { RawRows } from "./rows.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;
const OPEN = 9.5 * HOUR;
const PRE_OPEN = 4 * HOUR;
const POST_CLOSE = 20 * HOUR;
/** Share of the days that must begin and end with the session to decide what its stamps mean. */
const MIN_EXACT = 0.6;
/** Minimum number of days from which hours that fit no zone are refused. */
const MIN_DAYS = 3;
/** Minimum number of rows from which hours other than New York's are inferred. */
const MIN_ROWS = 5;

/** Meaning of the written times of a file. */
export interface Stamps {
  /** Time zone of times without an offset. */
  readonly clock: SessionZone;
  /** True if a stamp is the end of its bar. */
  readonly isEnd: boolean;
  /** How the date of a daily bar follows from its stamp. */
  readonly day: DayRule;
  readonly notes: readonly string[];
}

export interface StampsOptions {
  readonly timeframe: ProviderTimeframe;
  /** Zone of the instrument's sessions. */
  readonly zone: SessionZone;
  /** Time zone that the header states; null without one. */
  readonly stated: SessionZone | null;
  /** True if the header says that its times are ends of bars. */
  readonly isEnd: boolean;
}

/** Decides over all rows what the written times of a file mean. Returns the reason if it is not clear. */
export function decideStamps(rows: RawRows, options: StampsOptions): Stamps | string {
  const { timeframe, zone, stated } = options;
  const clock = stated ?? zone;
  if (timeframe === "1d") {
    const day = decideDay(rows, zone, clock);
    return typeof day === "string" ? day : { clock, isEnd: false, ...day };
  }
  const isEnd = options.isEnd || endsBeforeMinute(rows);
  if (zone === "UTC" || rows.length === 0) {
    const notes = isEnd ? ["its stamps are the ends of bars; moved to their starts"] : [];
    return { clock, isEnd, day: "written", notes };
  }
  const naive = rows.offset.subarray(0, rows.length).every(Number.isNaN);
  const hours = { length: TIMEFRAME_MS[timeframe], isEnd };
  const readings: Reading[] = naive && stated === null ? ["New York", "UTC"] : [naive ? stated! : "offset"];
  return decideHours(rows, { readings, hours, clock });
}

type Reading = "New York" | "UTC" | "America/New_York" | "offset";
interface Hours {
  /** Length of a bar, ms. */
  readonly length: number;
  readonly isEnd: boolean;
}

/** Decides the zone and the meaning of intraday stamps of a stock by the hours of its sessions. */
function decideHours(
  rows: RawRows,
  { readings, hours, clock }: { readings: readonly Reading[]; hours: Hours; clock: SessionZone },
): Stamps | string {
  const [first, other] = readings.map((reading) => fitOf(rows, reading, hours));
  const found = (zone: SessionZone, isEnd: boolean): Stamps => ({
    clock: zone,
    isEnd: isEnd || hours.isEnd,
    day: "written",
    notes: [
      ...(zone === "UTC" && clock !== "UTC" ? ["its hours without a zone follow UTC; read as UTC"] : []),
      ...(isEnd || hours.isEnd ? ["its stamps are the ends of bars; moved to their starts"] : []),
    ],
  });
  const isStart = first!.start >= first!.end;
  const shares = [first!.start, other?.start ?? 0, first!.end, other?.end ?? 0];
  const best = Math.max(...shares);
  if (rows.length >= MIN_ROWS && best >= MIN_EXACT) {
    const at = shares.indexOf(best);
    return found(at % 2 === 0 ? clock : "UTC", at >= 2);
  }
  if (rows.length < MIN_ROWS) return found(clock, false);
  if (other !== undefined && other.regular >= 0.95 && other.opens >= 0.5 && first!.regular < 0.8)
    return found("UTC", false);
  if (other === undefined) {
    const wall = fitOf(rows, "New York", hours);
    if (Math.max(wall.start, wall.end) >= MIN_EXACT)
      return "its hours are those of New York, but its stamps state another zone; correct or remove the zone";
  }
  if (first!.shifted >= MIN_EXACT)
    return `its days run from ${first!.hours}, which are hours of the session neither in New York nor in UTC; write the zone after each time, such as 09:30-05:00`;
  if (first!.outside <= 0.05) return found(clock, isStart ? first!.stampsClose : true);
  if (other !== undefined && other.outside <= 0.05) return found("UTC", false);
  if (first!.days >= MIN_DAYS && first!.outside > 0.2 && !first!.isRoundTheClock)
    return `its hours, such as ${first!.hours}, fit trading neither in New York nor in UTC; write the zone after each time, such as 09:30-05:00`;
  return found(clock, false);
}

/** Fit of the rows of a file to the hours of sessions under one reading of their stamps; shares from 0 to 1. */
interface Fit {
  /** Days that begin and end with the session if stamps are starts, or ends, of bars. */
  readonly start: number;
  readonly end: number;
  /** Days as long as a session that begin at another time. */
  readonly shifted: number;
  /** Rows in the session, and rows before 04:00 or after 20:00. */
  readonly regular: number;
  readonly outside: number;
  /** Days that begin within half an hour of the open. */
  readonly opens: number;
  /** Number of days with a session. */
  readonly days: number;
  /** True if most days have a row at the close and almost none has one at the open. */
  readonly stampsClose: boolean;
  readonly isRoundTheClock: boolean;
  /** First and last stamp of the most frequent kind of day, `HH:MM to HH:MM`, as written. */
  readonly hours: string;
}

function fitOf(rows: RawRows, reading: Reading, hours: Hours): Fit {
  const days = daysOf(rows, reading);
  const sessions = [...days].flatMap(([day, found]) => {
    const session = sessionOn(day);
    return session === null ? [] : [{ ...found, close: OPEN + session.close - session.open }];
  });
  const share = (test: (day: (typeof sessions)[number]) => boolean) =>
    sessions.length === 0 ? 0 : sessions.filter(test).length / sessions.length;
  const begins = beginsAt(hours.length);
  const isExact = (first: number, last: number, close: number) =>
    (begins.includes(first) && last < close && last + hours.length >= close) ||
    (first === PRE_OPEN && last + hours.length >= POST_CLOSE && last < POST_CLOSE);
  const spans = [6.5 * HOUR, Math.ceil((6.5 * HOUR) / hours.length) * hours.length];
  const inside = (from: number, to: number) =>
    sessions.reduce((sum, { times }) => sum + countWithin(times, from, to), 0) / Math.max(1, rows.length);
  const written = new Map<string, number>();
  for (const { hours: text } of sessions) written.set(text, (written.get(text) ?? 0) + 1);
  const [most = ["none"]] = [...written].sort((a, b) => b[1] - a[1]);
  const covered = new Set(
    sessions.flatMap(({ times }) => [...times.keys()].map((time) => Math.floor(time / HOUR))),
  );
  return {
    opens: share(({ first }) => Math.abs(first - OPEN) <= HOUR / 2),
    days: sessions.length,
    start: share(({ first, last, close }) => isExact(first, last, close)),
    end: share(({ first, last, close, before }) => {
      const previous = last - hours.length < before && before < last ? before : last - hours.length;
      return isExact(first - hours.length, previous, close) && last >= close;
    }),
    shifted: share(({ first, last }) => spans.includes(last + hours.length - first)),
    regular: inside(OPEN - (hours.length >= HOUR ? HOUR / 2 : 0), 16 * HOUR),
    outside: 1 - inside(PRE_OPEN, POST_CLOSE),
    stampsClose:
      share(({ times, close }) => times.has(close)) >= 0.5 && share(({ times }) => times.has(OPEN)) <= 0.05,
    isRoundTheClock: covered.size >= 20,
    hours: most[0],
  };
}

/** Returns the times of day at which the first bar of a session may start: its open, or the hour or grid time before it. */
const beginsAt = (length: number): readonly number[] =>
  length < HOUR ? [OPEN] : [OPEN, Math.floor(OPEN / HOUR) * HOUR, Math.floor(OPEN / length) * length];

const countWithin = (times: ReadonlyMap<number, number>, from: number, to: number): number => {
  let count = 0;
  for (const [time, rows] of times) if (time >= from && time < to) count += rows;
  return count;
};

interface Day {
  /** First, last and second last time of day of its stamps in New York under the reading, ms. */
  readonly first: number;
  readonly last: number;
  readonly before: number;
  /** Number of rows by time of day. */
  readonly times: ReadonlyMap<number, number>;
  readonly hours: string;
}

/** Groups rows by New York's date under a reading of their stamps. */
function daysOf(rows: RawRows, reading: Reading): ReadonlyMap<number, Day> {
  const byDay = new Map<number, Map<number, number>>();
  let date = Number.NaN;
  let offset = 0;
  for (let at = 0; at < rows.length; at++) {
    const wall = rows.wall[at]!;
    let local = wall;
    if (reading === "offset" || reading === "UTC") {
      const instant = reading === "UTC" || Number.isNaN(rows.offset[at]!) ? wall : wall - rows.offset[at]!;
      const utcDate = Math.floor(instant / DAY);
      if (utcDate !== date) {
        date = utcDate;
        offset = newYorkOffsetMs(instant + DAY / 2); // clocks change on Sundays
      }
      local = instant + offset;
    }
    const day = Math.floor(local / DAY) * DAY;
    // a stamp in the last second of a minute is that of its end
    const time = Math.ceil((local - day - 59_000) / MINUTE) * MINUTE;
    const times = byDay.get(day) ?? new Map<number, number>();
    times.set(time, (times.get(time) ?? 0) + 1);
    byDay.set(day, times);
  }
  return new Map([...byDay].map(([day, times]) => [day, dayOf(times)]));
}

function dayOf(times: ReadonlyMap<number, number>): Day {
  const sorted = [...times.keys()].sort((a, b) => a - b);
  const [first, last] = [sorted[0]!, sorted.at(-1)!];
  return {
    first,
    last,
    before: sorted.at(-2) ?? -Infinity,
    times,
    hours: `${clockText(first)} to ${clockText(last)}`,
  };
}

/** Formats a time of day (ms) as HH:MM. */
const clockText = (time: number): string => new Date(time).toISOString().slice(11, 16);

/** Returns true if the stamps of almost all rows are in the last second of a minute, as ends of bars are. */
function endsBeforeMinute({ wall, length }: RawRows): boolean {
  const late = wall.subarray(0, length).filter((time) => time % MINUTE >= 59_000).length;
  return length > 0 && late >= 0.9 * length;
}
