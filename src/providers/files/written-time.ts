import type { SessionZone } from "../../domain/market/bars.ts";
import { newYorkOffsetMs } from "../../lib/newyork.ts";

const HOUR = 3_600_000;
const EARLIEST = Date.UTC(1900, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

/** A written time: the wall clock (ms, as if it were UTC) and its offset from UTC. */
export interface WrittenTime {
  readonly wall: number;
  /** Milliseconds east of UTC; NaN if the text has no offset. */
  readonly offset: number;
}

const TIME = String.raw`(?:[T ]+(\d{1,2}):?(\d{2})(?::?(\d{2})(?:\.\d+)?)?\s*([AP]M)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${TIME}$`, "i");
const COMPACT = new RegExp(String.raw`^(\d{4})()(\d{2})(\d{2})${TIME}$`, "i");
const MONTH_FIRST = new RegExp(String.raw`^(\d{1,2})(/)(\d{1,2})/(\d{4})${TIME}$`, "i");
/** Maximum length of a time; longer texts are not times. */
const MAX_TIME_LENGTH = 40;
const EPOCH = /^\d{9,19}(\.\d+)?$/;

/**
 * Parses a time in the formats of data files: ISO 8601 with or without zone, `YYYYMMDD`, `MM/DD/YYYY`, seconds to
 * nanoseconds since 1970. Returns null for other text, and "day_first" for a slashed date whose month exceeds 12.
 */
export function parseWrittenTime(text: string): WrittenTime | null | "day_first" {
  if (text.length === 10 && text.charCodeAt(4) === 45 && text.charCodeAt(7) === 45)
    return toWrittenTime(
      Number(text.slice(0, 4)),
      Number(text.slice(5, 7)),
      Number(text.slice(8)),
      0,
      Number.NaN,
    );
  if (text.length > MAX_TIME_LENGTH) return null;
  if (EPOCH.test(text)) return fromEpoch(Number(text));
  const year = YEAR_FIRST.exec(text) ?? COMPACT.exec(text);
  if (year !== null) return fromMatch(year, Number(year[1]), Number(year[3]), Number(year[4]));
  const month = MONTH_FIRST.exec(text);
  if (month === null) return null;
  if (Number(month[1]) > 12) return "day_first";
  return fromMatch(month, Number(month[4]), Number(month[1]), Number(month[3]));
}

/** Returns true for a time of day without a date, as in files with separate date and time columns. */
export const isTimeOfDay = (text: string): boolean => /^\d{1,2}:\d{2}(:\d{2})?( ?[AP]M)?$/i.test(text);

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

function fromMatch(found: RegExpExecArray, year: number, month: number, day: number): WrittenTime | null {
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
  const found = /^([+-])(\d{2}):?(\d{2})$/.exec(text);
  if (found === null) return 0;
  return (found[1] === "-" ? -1 : 1) * (Number(found[2]) * HOUR + Number(found[3]) * 60_000);
}

/** Parses an epoch time; its magnitude decides between seconds, milliseconds, microseconds and nanoseconds. */
function fromEpoch(value: number): WrittenTime | null {
  const ms = [value * 1000, value, value / 1000, value / 1e6].find((at) => at < LATEST);
  return ms === undefined ? null : { wall: Math.floor(ms), offset: 0 };
}
