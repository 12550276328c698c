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
/** Thresholds of the readings; shares are from 0 to 1. */
const LIMITS = {
  /** Minimum share of the days that begin and end with the session under a reading. */
  exact: 0.6,
  /** Maximum share of whole sessions at other hours under a reading: one such day in fewer than 200 refuses a file. */
  contradicted: 0.005,
  /** Minimum number of rows from which a zone is inferred, and of days from which hours that fit none are refused. */
  rows: 5,
  days: 3,
  /** Shares of rows before 04:00 or after 20:00 up to which a zone fits, and above which it does not. */
  fewOutside: 0.05,
  manyOutside: 0.2,
  /** Minimum shares of rows in the session and of days that begin with it in UTC, where New York has fewer rows in it. */
  regular: 0.95,
  opens: 0.5,
  regularElsewhere: 0.8,
} as const;

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

/**
 * Decides the zone and the meaning of intraday stamps of a stock by the hours of its sessions: the reading that the days
 * fit, and no whole day contradicts, otherwise the first of less certain ones. Returns the reason if the hours fit none.
 */
function decideHours(
  rows: RawRows,
  { readings, hours, clock }: { readings: readonly Reading[]; hours: Hours; clock: SessionZone },
): Stamps | string {
  const [own, utc] = readings.map((reading) => fitOf(rows, reading, hours)) as [Fit, Fit | undefined];
  const found = (zone: SessionZone, isEnd: boolean): Stamps => ({
    clock: zone,
    isEnd: isEnd || hours.isEnd,
    day: "written",
    notes: [
      ...(zone === "UTC" && clock !== "UTC" ? ["its hours without a zone follow UTC; read as UTC"] : []),
      ...(isEnd || hours.isEnd ? ["its stamps are the ends of bars; moved to their starts"] : []),
    ],
  });
  if (rows.length < LIMITS.rows) return found(clock, false);
  const zones = [
    { zone: clock, fit: own },
    ...(utc === undefined ? [] : [{ zone: "UTC" as const, fit: utc }]),
  ];
  const fitting = [false, true]
    .flatMap((isEnd) =>
      zones.map(({ zone, fit }) => ({ zone, isEnd, ...(isEnd ? fit.asEnds : fit.asStarts) })),
    )
    .filter(({ exact }) => exact >= LIMITS.exact)
    .sort((a, b) => b.exact - a.exact);
  const agreed = fitting.find(({ contradicted }) => contradicted <= LIMITS.contradicted);
  if (agreed !== undefined) return found(agreed.zone, agreed.isEnd);
  const write = "write the zone after each time, such as 09:30-05:00";
  if (fitting.length > 0)
    return `most of its days fit the session, but whole days such as ${fitting[0]!.example} lie at other hours, as in a zone that changes its clocks on other dates; ${write}`;
  const wall = utc === undefined ? fitOf(rows, "New York", hours) : null;
  if (wall !== null && Math.max(wall.asStarts.exact, wall.asEnds.exact) >= LIMITS.exact)
    return "its hours are those of New York, but its stamps state another zone; correct or remove the zone";
  const isUtc =
    utc !== undefined &&
    utc.regular >= LIMITS.regular &&
    utc.opens >= LIMITS.opens &&
    own.regular < LIMITS.regularElsewhere;
  if (isUtc && utc.asStarts.contradicted <= LIMITS.contradicted) return found("UTC", false);
  if (own.shifted !== null)
    return `its days run from ${own.shifted}, which are hours of the session neither in New York nor in UTC; ${write}`;
  if (own.outside <= LIMITS.fewOutside) return found(clock, own.stampsClose);
  if (utc !== undefined && utc.outside <= LIMITS.fewOutside) return found("UTC", false);
  if (own.days >= LIMITS.days && own.outside > LIMITS.manyOutside && !own.isRoundTheClock)
    return `its hours, such as ${own.hours}, fit trading neither in New York nor in UTC; ${write}`;
  return found(clock, false);
}

/** Fit of the days to the session if their stamps are starts, or ends, of bars. */
interface DayFit {
  /** Share of the days that begin and end with the session. */
  readonly exact: number;
  /** Share of the days that are whole sessions at other hours, and the first of them. */
  readonly contradicted: number;
  readonly example: string;
}

/** Fit of the rows of a file to the hours of sessions under one reading of their stamps; shares from 0 to 1. */
interface Fit {
  readonly asStarts: DayFit;
  readonly asEnds: DayFit;
  /** Hours of days, or of all days together, that are as long as a session and begin at another time; null if few are. */
  readonly shifted: string | null;
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
  const sessions = [...days].flatMap(([date, found]) => {
    const session = sessionOn(date);
    return session === null ? [] : [{ ...found, date, close: OPEN + session.close - session.open }];
  });
  const share = (test: (day: (typeof sessions)[number]) => boolean) =>
    sessions.length === 0 ? 0 : sessions.filter(test).length / sessions.length;
  const { length } = hours;
  const begins = [...beginsAt(length), PRE_OPEN];
  const isExact = (first: number, last: number, close: number) =>
    (first !== PRE_OPEN && begins.includes(first) && last < close && last + length >= close) ||
    (first === PRE_OPEN && last + length >= POST_CLOSE && last < POST_CLOSE);
  const spans = [6.5 * HOUR, Math.ceil((6.5 * HOUR) / length) * length, POST_CLOSE - PRE_OPEN];
  const isLong = (first: number, last: number) => spans.includes(last + length - first);
  const fitAs = (isEnd: boolean): DayFit => {
    const startsOf = ({ first, last, before }: Day) =>
      isEnd
        ? [first - length, last - length < before && before < last ? before : last - length]
        : [first, last];
    const isWholeElsewhere = (day: Day) => {
      const [first, last] = startsOf(day) as [number, number];
      return (
        isLong(first, last) &&
        !begins.includes(first) &&
        day.times.size === Math.ceil((last + length - first) / length)
      );
    };
    const example = sessions.find(isWholeElsewhere);
    return {
      exact: share((day) => {
        const [first, last] = startsOf(day) as [number, number];
        return isExact(first, last, day.close) && (!isEnd || day.last >= day.close);
      }),
      contradicted: share(isWholeElsewhere),
      example: example === undefined ? "" : new Date(example.date).toISOString().slice(0, 10),
    };
  };
  const inside = (from: number, to: number) =>
    sessions.reduce((sum, { times }) => sum + countWithin(times, from, to), 0) / Math.max(1, rows.length);
  const written = new Map<string, number>();
  for (const { hours: text } of sessions) written.set(text, (written.get(text) ?? 0) + 1);
  const [most = ["none"]] = [...written].sort((a, b) => b[1] - a[1]);
  const all = dayOf(new Map(sessions.flatMap(({ times }) => [...times])));
  const isShifted = ({ first, last }: Day) => isLong(first, last) && !begins.includes(first);
  const asEnds = fitAs(true);
  return {
    asStarts: fitAs(false),
    asEnds,
    shifted:
      share(({ first, last }) => isLong(first, last)) >= LIMITS.exact
        ? most[0]
        : sessions.length >= LIMITS.days && isShifted(all) && !begins.includes(all.first - length)
          ? all.hours
          : null,
    opens: share(({ first }) => Math.abs(first - OPEN) <= HOUR / 2),
    days: sessions.length,
    regular: inside(OPEN - (length >= HOUR ? HOUR / 2 : 0), 16 * HOUR),
    outside: 1 - inside(PRE_OPEN, POST_CLOSE),
    stampsClose:
      share(({ times, close }) => times.has(close)) >= 0.5 && share(({ times }) => times.has(OPEN)) <= 0.05,
    isRoundTheClock: new Set([...all.times.keys()].map((time) => Math.floor(time / HOUR))).size >= 20,
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
  const [first = 0, last = 0] = [sorted[0], sorted.at(-1)];
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
