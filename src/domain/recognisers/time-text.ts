import { MONTH, monthOf } from "../../lib/months.ts";
import { numberOf, numberWords } from "../../lib/number-words.ts";
import type { TimeKind } from "./field-kinds.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const WEEKDAY = "(?<weekday>sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?";

/** Words before a time that a field for a time ignores. */
const LEAD = /^(?:since|from|as of|on|at|until|till|up to)\s+/;
/** Milliseconds of each unit up to a week. */
const UNIT_MS = { min: MINUTE, h: HOUR, d: DAY, w: 7 * DAY } as const;
/** Months of each longer unit. */
const UNIT_MONTHS = { mo: 1, q: 3, y: 12 } as const;
const UNITS: readonly (readonly [RegExp, keyof typeof UNIT_MS | keyof typeof UNIT_MONTHS])[] = [
  [/^min(?:ute)?s?$/, "min"],
  [/^(?:h|hrs?|hours?)$/, "h"],
  [/^(?:d|days?)$/, "d"],
  [/^(?:w|wks?|weeks?)$/, "w"],
  [/^(?:mos?|mths?|months?)$/, "mo"],
  [/^quarters?$/, "q"],
  [/^(?:y|yrs?|years?)$/, "y"],
];
const COUNTED = new RegExp(
  `^(?<lead>(?:the )?(?:last|past|previous|next)\\s+|in\\s+|now\\s*[-+]\\s*|today\\s*[-+]\\s*|[-+]\\s*)?(?:(?<count>\\d{1,4}|an?|${numberWords(1)})[ -]?)?(?<unit>[a-z]+)(?<end>\\s+(?:ago|back|earlier|before now|from now|ahead))?$`,
);
const ON_WEEKDAY = new RegExp(`^(last |next |on )?${WEEKDAY}$`);

const ZONE = "(z|utc|gmt|[+-]\\d\\d(?::?\\d\\d)?)";
const CLOCK = new RegExp(
  `^(?:t|,?\\s+(?:at )?)?(\\d\\d):(\\d\\d)(?::(\\d\\d)(?:[.,](\\d{1,9}))?)?\\s?${ZONE}?$`,
);
const NTH = "(?<day>\\d{1,2})(?:st|nd|rd|th)?";
const YEAR = "(?<year>(?:19|20)\\d\\d)";
/** Forms of a date at the start of a text, each with one meaning. */
const DATES: readonly RegExp[] = [
  new RegExp(`^${YEAR}([-/.])(?<month>\\d{1,2})\\2(?<day>\\d{1,2})(?!\\d)`),
  new RegExp(`^${YEAR}(?<month>\\d\\d)(?<day>\\d\\d)(?!\\d)`),
  new RegExp(`^(?<month>\\d{1,2})[/.-](?<day>1[3-9]|2\\d|3[01])[/.-]${YEAR}(?!\\d)`),
  new RegExp(`^(?<day>1[3-9]|2\\d|3[01])[/.-](?<month>\\d{1,2})[/.-]${YEAR}(?!\\d)`),
  new RegExp(`^(?:${WEEKDAY},?\\s+)?(?<name>${MONTH})\\s+${NTH},?\\s+${YEAR}(?!\\d)`),
  new RegExp(`^(?:${WEEKDAY},?\\s+)?${NTH}[\\s-]+(?:of )?(?<name>${MONTH})[\\s,-]+${YEAR}(?!\\d)`),
];
/** A date that may begin with the day or with the month. */
const EITHER_ORDER = /^\d{1,2}[/.-]\d{1,2}[/.-](?:\d\d|\d{4})(?!\d)/;
const MINUTE_OR_MONTH = /^[-+]?\d{1,4}\s?m(?:\s+ago)?$/;
const MAX_LENGTH = 60;

/**
 * Reads a date or time as people and programs write it, relative to `now`: `yesterday`, `2w`, `3 days ago`,
 * `last friday`, `Jan 2, 2025`, `2025-01-02 15:30` (UTC), epoch seconds and milliseconds. A count without a direction is
 * in the past, for `coming_day` in the future. Returns a date `YYYY-MM-DD`, or for a time of day an ISO 8601 time in UTC;
 * for days always a date. Returns null for other text, and for text with several meanings.
 */
export function readTime(text: string, now: Date, kind: TimeKind = "time"): string | null {
  if (text.length > MAX_LENGTH) return null;
  const plain = text.trim().toLowerCase().replace(/\s+/g, " ").replace("−", "-").replace(LEAD, "");
  const read =
    epochTime(plain) ?? relativeTime(plain, now, kind) ?? weekdayOf(plain, now, kind) ?? calendarTime(plain);
  return read === null || kind === "time" ? read : read.slice(0, 10);
}

/** Returns the reason why a date or time is ambiguous, ending with a colon; null for any other text. */
export function timeProblem(text: string): string | null {
  const plain = text.trim().toLowerCase();
  if (MINUTE_OR_MONTH.test(plain)) return `"${plain}" may mean minutes or months, written 1min and 1mo:`;
  if (EITHER_ORDER.test(plain)) return "the order of day and month is ambiguous:";
  return null;
}

function epochTime(text: string): string | null {
  const [, seconds, milliseconds] = /^(?:(\d{10})(?:\.\d+)?|(\d{13}))$/.exec(text) ?? [];
  if (seconds !== undefined) return isoOf(Number(seconds) * 1_000);
  return milliseconds === undefined ? null : isoOf(Number(milliseconds));
}

function relativeTime(text: string, now: Date, kind: TimeKind): string | null {
  const today = now.getTime();
  if (/^(?:now|right now|latest|current)$/.test(text)) return isoOf(Math.floor(today / 1_000) * 1_000);
  const days = {
    today: 0,
    yesterday: -1,
    tomorrow: 1,
    "day before yesterday": -2,
    "the day before yesterday": -2,
  };
  if (Object.hasOwn(days, text)) return dateOf(today + days[text as keyof typeof days] * DAY);
  const { lead = "", count, unit: word = "", end = "" } = COUNTED.exec(text)?.groups ?? {};
  const unit = UNITS.find(([pattern]) => pattern.test(word))?.[1];
  if (unit === undefined || (count === undefined && !/last|past|previous|next/.test(lead))) return null;
  const isAhead = /next|in |\+|from now|ahead/.test(`${lead}${end}`);
  const isBack = /last|past|previous|-|ago|back|earlier|before/.test(`${lead}${end}`);
  if (isAhead && isBack) return null;
  const sign = isAhead || (kind === "coming_day" && !isBack) ? 1 : -1;
  return moved(today, sign * numberOf(count ?? "1"), unit);
}

/** Returns the time `count` units from now: for minutes and hours an ISO time, for longer units a date. */
function moved(
  now: number,
  count: number,
  unit: keyof typeof UNIT_MS | keyof typeof UNIT_MONTHS,
): string | null {
  if (unit === "min" || unit === "h") return isoOf(Math.floor((now + count * UNIT_MS[unit]) / 1_000) * 1_000);
  if (unit === "d" || unit === "w") return dateOf(now + count * UNIT_MS[unit]);
  const day = new Date(now);
  const month = day.getUTCMonth() + count * UNIT_MONTHS[unit];
  // in a shorter month, the 31st becomes the last day
  const last = new Date(Date.UTC(day.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return dateOf(Date.UTC(day.getUTCFullYear(), month, Math.min(day.getUTCDate(), last)));
}

/** Returns the nearest weekday, today included unless the text says `last` or `next`. */
function weekdayOf(text: string, now: Date, kind: TimeKind): string | null {
  const [, lead = "", name] = ON_WEEKDAY.exec(text) ?? [];
  if (name === undefined) return null;
  const weekday = WEEKDAYS.indexOf(name.slice(0, 3));
  const isAhead = lead === "next " || (lead !== "last " && kind === "coming_day");
  const sign = isAhead ? 1 : -1;
  const away = (sign * (weekday - now.getUTCDay()) + 7) % 7;
  const days = away === 0 && /last|next/.test(lead) ? 7 : away;
  return dateOf(now.getTime() + sign * days * DAY);
}

/** Returns a date of the calendar, with its time of day if it has one; without a zone it is in UTC. */
function calendarTime(text: string): string | null {
  for (const pattern of DATES) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const { year, month, day, name, weekday } = match.groups!;
    const months = name === undefined ? Number(month) - 1 : monthOf(name);
    const at = Date.UTC(Number(year), months, Number(day));
    const date = dateOf(at);
    // a day that does not exist becomes one of another month
    if (date === null || Number(date.slice(8)) !== Number(day) || Number(date.slice(5, 7)) !== months + 1)
      return null;
    if (weekday !== undefined && WEEKDAYS.indexOf(weekday.slice(0, 3)) !== new Date(at).getUTCDay())
      return null;
    const rest = text.slice(match[0].length).trimEnd();
    return rest === "" ? date : withClock(at, rest);
  }
  return null;
}

function withClock(day: number, text: string): string | null {
  const [, hour, minute, second = "0", fraction = "0", zone = "z"] = CLOCK.exec(text) ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const [, sign, hours, minutes = "0"] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  const offset =
    sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * HOUR + Number(minutes) * MINUTE);
  const ms = Math.floor(Number(`0.${fraction}`) * 1_000);
  return isoOf(day + Number(hour) * HOUR + Number(minute) * MINUTE + Number(second) * 1_000 + ms - offset);
}

function isoOf(time: number): string | null {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace(".000Z", "Z");
}
const dateOf = (time: number): string | null => isoOf(time)?.slice(0, 10) ?? null;
