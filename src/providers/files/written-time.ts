import type { SessionZone } from "../../domain/market/bars.ts";
import { newYorkOffsetMs } from "../../lib/newyork.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Remainder of the number of a Sunday since 1970-01-01, a Thursday, by 7. */
const SUNDAY = 3;
const EARLIEST = Date.UTC(1900, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

/** A written time: the wall clock (ms, as if it were UTC) and its offset from UTC. */
export interface WrittenTime {
  readonly wall: number;
  /** Milliseconds east of UTC; NaN if the text has no offset. */
  readonly offset: number;
}

/** Order of day and month in dates of digits that end in the year. */
export type DateOrder = "month_first" | "day_first";

const ZONE = "Z|(?:UTC|GMT)?[+-]\\d{2}(?::?\\d{2})?|UTC|GMT|E[SD]T";
const CLOCK = String.raw`(\d{1,2})(?::?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?)?[ -]*([AP]M)?`;
const TIME = String.raw`(?:[T ]+${CLOCK})?T?\s*(${ZONE})?(?:\s\([a-z ]+\))?`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${TIME}$`, "i");
const COMPACT = new RegExp(String.raw`^(\d{4})()(\d{2})(\d{2})${TIME}$`, "i");
/** `202401020930` and `20240102093000`, not read as epoch times, which would all be in 1976 or earlier. */
const JOINED = /^((?:19|20)\d{2})()(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])([0-5]\d)([0-5]\d)?$/;
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})${TIME}$`, "i");
const WEEKDAY = "(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?,?\\s+)?";
const MONTH_NAMED = [
  {
    pattern: `^${WEEKDAY}([a-z]{3,9})\\.?[ -]*(\\d{1,2})(?:st|nd|rd|th)?,?[ -]+(\\d{4}),?${TIME}$`,
    order: [3, 1, 2],
  },
  { pattern: `^${WEEKDAY}(\\d{1,2})\\.?[ /-]*([a-z]{3,9})\\.?,?[ /-]*(\\d{4}),?${TIME}$`, order: [3, 2, 1] },
  { pattern: `^(\\d{4})[ /-]([a-z]{3,9})[ /-](\\d{1,2})${TIME}$`, order: [1, 2, 3] },
].map(({ pattern, order }) => ({ pattern: new RegExp(pattern, "i"), order }));
const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
/** Maximum length of a time; longer texts are not times. */
const MAX_TIME_LENGTH = 64;
const EPOCH = /^\d{9,19}(\.\d+)?$/;

/**
 * Parses a time in the formats of data files: ISO 8601 with or without zone, `YYYYMMDD`, `Jan 02, 2025`, `02 Jan 2025`,
 * seconds to nanoseconds since 1970, and dates of digits that end in the year in the given order. Default order: slashed
 * dates begin with the month, others of that kind are not read. Returns null for other text.
 */
export function parseWrittenTime(text: string, order: DateOrder | null = null): WrittenTime | null {
  const plain = plainTime(text);
  if (plain !== undefined) return plain;
  if (text.length > MAX_TIME_LENGTH) return null;
  const year = YEAR_FIRST.exec(text) ?? COMPACT.exec(text) ?? JOINED.exec(text);
  if (year !== null) return fromMatch(year, Number(year[1]), Number(year[3]), Number(year[4]));
  if (EPOCH.test(text)) return fromEpoch(Number(text));
  const last = YEAR_LAST.exec(text);
  if (last === null) return fromNamedMonth(text);
  if (order === null && last[2] !== "/") return null;
  const [month, day] = order === "day_first" ? [last[3], last[1]] : [last[1], last[3]];
  return fromMatch(last, Number(last[4]), Number(month), Number(day));
}

/** Returns the first two numbers of a date of digits that ends in the year, and whether dots divide it; null for other text. */
export function yearLastDate(text: string): { first: number; second: number; hasDots: boolean } | null {
  const found = text.length > MAX_TIME_LENGTH ? null : YEAR_LAST.exec(text);
  return found && { first: Number(found[1]), second: Number(found[3]), hasDots: found[2] === "." };
}

/**
 * Parses `YYYY-MM-DD`, alone or followed by `HH:MM` or `HH:MM:SS`, without the cost of a pattern: most files hold nothing
 * else. Undefined for another spelling.
 */
function plainTime(text: string): WrittenTime | null | undefined {
  const { length } = text;
  if ((length !== 10 && length !== 16 && length !== 19) || text[4] !== "-" || text[7] !== "-")
    return undefined;
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  const [month, day] = [twoDigits(text, 5), twoDigits(text, 8)];
  if (length === 10) return toWrittenTime(year, month, day, 0, Number.NaN);
  const hasTime =
    (text[10] === "T" || text[10] === " ") && text[13] === ":" && (length === 16 || text[16] === ":");
  const [hour, minute, second] = [
    twoDigits(text, 11),
    twoDigits(text, 14),
    length === 16 ? 0 : twoDigits(text, 17),
  ];
  if (!hasTime || !(hour <= 23 && minute <= 59 && second <= 59)) return undefined;
  return toWrittenTime(year, month, day, hour * HOUR + minute * 60_000 + second * 1000, Number.NaN);
}

/** Returns the number of two digits at a position; NaN for other text. */
function twoDigits(text: string, at: number): number {
  const [tens, units] = [text.charCodeAt(at) - 48, text.charCodeAt(at + 1) - 48];
  return tens >= 0 && tens <= 9 && units >= 0 && units <= 9 ? 10 * tens + units : Number.NaN;
}

function fromNamedMonth(text: string): WrittenTime | null {
  for (const { pattern, order } of MONTH_NAMED) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const [year, name, day] = order.map((group) => found[group]!.toLowerCase());
    const month = MONTHS.findIndex((known) => known.startsWith(name!));
    // the groups of the time follow one earlier than in dates of digits, which have a separator
    return month < 0 ? null : fromMatch(["", ...found], Number(year), month + 1, Number(day));
  }
  return null;
}

/** Returns true for a time of day without a date, as in files with separate date and time columns. */
export const isTimeOfDay = (text: string): boolean => /^\d{1,2}:\d{2}(:\d{2})?( ?[AP]M)?$/i.test(text);

/** Converts written times to instants, as `toInstant`. */
export type InstantReader = (wall: number, offset: number, previous: number) => number;

/** Creates a converter that computes New York's offset once for neighbouring times on a day without a change of clocks. */
export function createInstantReader(zone: SessionZone): InstantReader {
  let day = Number.NaN;
  let local = 0;
  return (wall, offset, previous) => {
    if (!Number.isNaN(offset)) return wall - offset;
    if (zone === "UTC") return wall;
    const date = Math.floor(wall / DAY);
    if (date % 7 === SUNDAY) return toInstant({ wall, offset }, zone, previous); // clocks change on Sundays
    if (date !== day) {
      day = date;
      local = newYorkOffsetMs((date + 0.5) * DAY);
    }
    return wall - local;
  };
}

/**
 * Converts a written time to an instant (epoch ms); a time without an offset is in `zone`. In an hour that New York
 * repeats, the first pass is used until `previous` (the instant of the row before) has reached it, then the second; an
 * hour that New York skips counts as standard time.
 */
export function toInstant({ wall, offset }: WrittenTime, zone: SessionZone, previous: number): number {
  if (!Number.isNaN(offset)) return wall - offset;
  if (zone === "UTC") return wall;
  const standard = wall + 5 * HOUR;
  const summer = wall + 4 * HOUR;
  const first = newYorkOffsetMs(summer) === -4 * HOUR ? summer : standard;
  const repeated = first === summer && newYorkOffsetMs(standard) === -5 * HOUR;
  return repeated && first <= previous ? standard : first;
}

function fromMatch(
  found: readonly (string | undefined)[],
  year: number,
  month: number,
  day: number,
): WrittenTime | null {
  const [hour, minute, second] = [found[5] ?? 0, found[6] ?? 0, found[7] ?? 0].map(Number);
  const half = found[8]?.toUpperCase();
  const hours = half === undefined ? hour! : (hour! % 12) + (half === "PM" ? 12 : 0);
  if (hours > 23 || minute! > 59 || second! > 59 || (half !== undefined && hour! > 12)) return null;
  return toWrittenTime(
    year,
    month,
    day,
    hours * HOUR + minute! * 60_000 + second! * 1000,
    offsetOf(found[9]),
  );
}

function toWrittenTime(
  year: number,
  month: number,
  day: number,
  time: number,
  offset: number,
): WrittenTime | null {
  const midnight = Date.UTC(year, month - 1, day);
  const real =
    month >= 1 && month <= 12 && day >= 1 && (day <= 28 || new Date(midnight).getUTCDate() === day);
  return real && midnight >= EARLIEST && midnight < LATEST ? { wall: midnight + time, offset } : null;
}

function offsetOf(text: string | undefined): number {
  if (text === undefined) return Number.NaN;
  const found = /([+-])(\d{2}):?(\d{2})?$/.exec(text);
  if (found === null) return /^e/i.test(text) ? (/^ed/i.test(text) ? -4 : -5) * HOUR : 0;
  return (found[1] === "-" ? -1 : 1) * (Number(found[2]) * HOUR + Number(found[3] ?? 0) * 60_000);
}

/** Parses an epoch time; its magnitude decides between seconds, milliseconds, microseconds and nanoseconds. */
function fromEpoch(value: number): WrittenTime | null {
  const ms = [value * 1000, value, value / 1000, value / 1e6].find((at) => at < LATEST);
  return ms === undefined ? null : { wall: Math.floor(ms), offset: 0 };
}
