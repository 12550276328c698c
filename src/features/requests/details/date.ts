import { deadlineOf } from "../../../analytics/contracts/dates.ts";
import { numberOf, numberWords } from "../../../lib/number-words.ts";
import words from "../data/words.json" with { type: "json" };
import { labelsIn, patterns } from "../phrases.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FRIDAY = 5;
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const SPANS = ["week", "month", "quarter", "year"] as const;
type Span = (typeof SPANS)[number];

const MONTHS_IN: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

const WEEKDAY = new RegExp(`\\b(?:by|on|before|until|this|(next)|come) (${WEEKDAYS.join("|")})\\b`);
const NEXT = new RegExp(`\\bnext (${SPANS.join("|")})\\b`);
const THIS = new RegExp(
  `\\b(?:this|end of(?: the| this)?)[ -](${SPANS.join("|")})\\b|\\b(${SPANS.join("|")})[ -]?end\\b`,
);

const UNIT = "(hour|day|week|month|quarter|year)s?";
const AHEAD = new RegExp(
  `\\b(?:in|within|over|inside|during|for|after) (?:the |about |around )?(?:next |coming )?(\\d{1,4}|an?|${numberWords()}) ${UNIT}\\b(?! (?:ago|old|average|high|low))|\\b(\\d{1,4}|an?|${numberWords()}) ${UNIT} (?:from (?:now|today)|out|ahead|hence)\\b|\\bnext (\\d{1,4}|${numberWords(2)}) ${UNIT}\\b`,
);
/** Fixed dates of holidays, `MM-DD`. */
const HOLIDAYS = patterns(words.holidays);
/** Matches words for a time, including those that `dateRequest` does not understand. */
const TIME =
  /\b(by|before|until|till|within|inside|in|on|at|over|during|for|after|around|next|this|coming|end of|early|mid|late)\W+(the |a |an |my |our |this |next |coming |first |second |third |fourth |last |few |couple of |several |end of |start of |beginning of |middle of |early |mid |late |turn of |\w+ (?=(days?|weeks?|months?|quarters?|years?|decades?)\b))*(hours?|days?|weeks?|weekend|months?|quarters?|years?|decades?|century|spring|summer|autumn|fall|winter|christmas|xmas|easter|thanksgiving|halloween|holidays?|new year'?s?|valentine'?s|independence day|labou?r day|memorial day|elections?|midterms?|inauguration|expiry|expiration|opex|halving|meeting|q[1-4]|h[12]|(20)?[3-9]0s|20[2-9]\d|jan(uary)?|feb(ruary)?|march|april|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?|birthday|retire\w*)\b|\b(tomorrow|tonight|today|eoy|eom|eow|eod)\b|\b(week|month|quarter|year)[ -]?end\b/;

const DATES = /\b\d{4}-\d\d-\d\d\b|\b20\d\d\b|\b[0-3]?\d(?:st|nd|rd|th)?\b(?! ?(?:%|percent))/g;

/** Removes words for a time from lower-case text. */
export const withoutTime = (words: string): string =>
  words.replace(new RegExp(TIME, "g"), " ").replace(DATES, " ");

/** Returns true if a question names a time, even one that `dateRequest` does not understand. */
export const namesTime = (query: string): boolean => TIME.test(query.toLowerCase());

/**
 * Returns the deadline that a question names: the end of that day in UTC, epoch ms; null if it names no known time. A
 * week ends on its Friday. Why no library: chrono-node 2.10 returns the expected day for only 20 of the 37 questions in
 * the test; it does not parse the ends of quarters and years, or holidays.
 */
export function dateRequest(query: string, at: number): number | null {
  const text = query.toLowerCase();
  return deadlineOf({ text, closeTime: null }, at) ?? fromNow(text, at);
}

function fromNow(text: string, at: number): number | null {
  const today = dayOf(at);
  const ahead = aheadOf(text, at);
  if (ahead !== null) return ahead;
  const [holiday] = labelsIn(HOLIDAYS, text);
  if (holiday !== undefined) return nextDate(holiday, today) + DAY;
  if (/\btomorrow\b/.test(text)) return today + 2 * DAY;
  if (/\b(today|tonight)\b/.test(text)) return today + DAY;
  const [, isNext, weekday] = WEEKDAY.exec(text) ?? [];
  if (weekday !== undefined)
    return next(WEEKDAYS.indexOf(weekday), isNext === undefined ? today : today + DAY) + DAY;
  const later = NEXT.exec(text)?.[1];
  if (later !== undefined) return endOf(later as Span, today, 1);
  const now = THIS.exec(text);
  const span = now?.[1] ?? now?.[2] ?? (/\beoy\b/.test(text) ? "year" : undefined);
  return span === undefined ? null : endOf(span as Span, today, 0);
}

/** Returns the end of the day a number of hours, days, weeks, months or years from now. */
function aheadOf(text: string, at: number): number | null {
  const match = AHEAD.exec(text);
  if (match === null) return null;
  const [said = "", unit = ""] = match.slice(1).filter((group) => group !== undefined);
  const count = numberOf(said);
  const today = dayOf(at);
  if (unit === "hour") return dayOf(at + count * HOUR) + DAY;
  if (unit === "day") return today + DAY * (1 + count);
  if (unit === "week") return today + DAY * (1 + 7 * count);
  const day = new Date(today);
  const month = day.getUTCMonth() + count * MONTHS_IN[unit]!;
  // in a shorter month, the 31st becomes the last day
  const last = new Date(Date.UTC(day.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const end = Date.UTC(day.getUTCFullYear(), month, Math.min(day.getUTCDate(), last) + 1);
  return Number.isNaN(end) ? null : end;
}

/** Returns the start of the UTC day, epoch ms. */
const dayOf = (at: number): number => Math.floor(at / DAY) * DAY;

/** Returns the next occurrence of a day of the year (`MM-DD`), today included. */
function nextDate(date: string, today: number): number {
  const year = new Date(today).getUTCFullYear();
  const day = Date.parse(`${year}-${date}`);
  return day >= today ? day : Date.parse(`${year + 1}-${date}`);
}

function endOf(span: Span, today: number, ahead: number): number {
  if (span === "week") return next(FRIDAY, today) + DAY * (1 + 7 * ahead);
  const day = new Date(today);
  const months = MONTHS_IN[span]!;
  return Date.UTC(day.getUTCFullYear(), months * (Math.floor(day.getUTCMonth() / months) + 1 + ahead), 1);
}

/** Returns the next occurrence of a weekday, today included. */
const next = (weekday: number, today: number): number =>
  today + ((weekday - new Date(today).getUTCDay() + 7) % 7) * DAY;
