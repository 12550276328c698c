import { numberWords } from "../../lib/number-words.ts";
import { startOfUnit } from "./period-text.ts";
import { readTime } from "./time-text.ts";

const DAY = 86_400_000;
type Span = "week" | "month" | "quarter" | "year";
const SPAN = "(week|month|quarter|year)";

const WEEKDAY = /\b(?:by|on|before|until|this|(next)|come) ((?:sun|mon|tues|wednes|thurs|fri|satur)day)\b/;
const NEXT = new RegExp(`\\bnext ${SPAN}\\b`);
const THIS = new RegExp(`\\b(?:this|end of(?: the| this)?)[ -]${SPAN}\\b|\\b${SPAN}[ -]?end\\b`);
const UNIT = "(hour|day|week|month|quarter|year)s?";
const AHEAD = new RegExp(
  `\\b(?:in|within|over|inside|during|for|after) (?:the |about |around )?(?:next |coming )?(\\d{1,4}|an?|${numberWords()}) ${UNIT}\\b(?! (?:ago|old|average|high|low))|\\b(\\d{1,4}|an?|${numberWords()}) ${UNIT} (?:from (?:now|today)|out|ahead|hence)\\b|\\bnext (\\d{1,4}|${numberWords(2)}) ${UNIT}\\b`,
);
/** Holidays with a fixed date, `MM-DD`, by their names. */
const HOLIDAYS = [
  ["(?:christmas|xmas) eve", "12-24"],
  ["new year['’]?s? eve", "12-31"],
  ["christmas|xmas", "12-25"],
  ["new year['’]?s(?: day)?|the new year", "01-01"],
  ["valentine['’]?s", "02-14"],
  ["independence day|fourth of july", "07-04"],
  ["halloween", "10-31"],
].map(([name, date]) => ({ name: name!, date: date!, pattern: new RegExp(`\\b(?:${name})\\b`) }));

/**
 * Returns the coming day that a text in lower case names: a weekday, a holiday, a time from now or the end of a period;
 * null if it names none. A week ends on its Friday.
 */
export function comingDayIn(text: string, now: Date): string | null {
  const ahead = AHEAD.exec(text);
  if (ahead !== null) {
    const [count, unit] = ahead.slice(1).filter((group) => group !== undefined);
    return readTime(`in ${count} ${unit}`, now, "coming_day");
  }
  const holiday = HOLIDAYS.find(({ pattern }) => pattern.test(text));
  if (holiday !== undefined) return nextDate(holiday.date, now);
  if (/\btomorrow\b/.test(text)) return readTime("tomorrow", now, "coming_day");
  if (/\b(?:today|tonight)\b/.test(text)) return readTime("today", now, "coming_day");
  const [, next = "on", weekday] = WEEKDAY.exec(text) ?? [];
  if (weekday !== undefined) return readTime(`${next} ${weekday}`, now, "coming_day");
  const later = NEXT.exec(text)?.[1];
  if (later !== undefined) return endOf(later as Span, now, 1);
  const current = THIS.exec(text);
  const span = current?.[1] ?? current?.[2] ?? (/\beoy\b/.test(text) ? "year" : undefined);
  return span === undefined ? null : endOf(span as Span, now, 0);
}

/** Returns the next occurrence of a day of the year, today included. */
function nextDate(date: string, now: Date): string {
  const day = `${now.getUTCFullYear()}-${date}`;
  return day >= now.toISOString().slice(0, 10) ? day : `${now.getUTCFullYear() + 1}-${date}`;
}

function endOf(span: Span, now: Date, later: number): string {
  const friday = Date.parse(readTime("friday", now, "coming_day")!);
  const end = span === "week" ? friday + 7 * later * DAY : startOfUnit(span, now, later + 1) - DAY;
  return new Date(end).toISOString().slice(0, 10);
}

const WHOLE = new RegExp(
  `^(?:by |on |until )?(?:${HOLIDAYS.map(({ name }) => name).join("|")}|(?:the )?end of (?:(?:the|this|next) )?${SPAN}|(?:this|next) ${SPAN}|${SPAN}[ -]?end|eoy)$`,
);

/** Returns the coming day that a whole text means: `Christmas`, `end of the month`, `year end`; null for any other text. */
export function comingDay(text: string, now: Date): string | null {
  const plain = text.trim().toLowerCase();
  return WHOLE.test(plain) ? comingDayIn(plain, now) : null;
}
