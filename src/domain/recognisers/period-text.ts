import { MONTH, monthOf } from "../../lib/months.ts";
import { numberOf, numberWords } from "../../lib/number-words.ts";
import { type DateInText, datesIn } from "./dates-in.ts";

const DAY = 86_400_000;
const DAYS = { hour: 1 / 24, day: 1, week: 7, month: 30, quarter: 91, year: 365 } as const;
type Unit = keyof typeof DAYS;

/** A time that a text names, with the first and last of its days as dates in UTC. */
export interface Period {
  readonly from: string | null;
  readonly to: string | null;
  /** Length of the time before now or from now on, in days; null for fixed dates. */
  readonly days: number | null;
  /** true: the time lies ahead. */
  readonly ahead: boolean;
}

const UNIT = "(hour|day|week|month|quarter|year)s?";
const COUNT = `(\\d{1,4}|an?|${numberWords(1)}|couple|few)`;
const BEFORE =
  "(?:last|past|previous|prior|trailing|latest|recent|over|for|in|since|back|within|during|next|coming|following|upcoming)";
const COUNTED = new RegExp(
  `\\b${BEFORE}(?: the| a)?(?: last| past| next| coming)? ${COUNT}(?: of)?[ -]?(?:trading |calendar )?${UNIT}\\b|\\b${COUNT}(?: of)?[ -]?${UNIT}(?: of\\b| ago\\b| back\\b|'|’|$| history)`,
  "i",
);
const NAMED = new RegExp(`\\b(last|past|previous|this|next|coming|current)[ -]${UNIT}\\b`, "i");
const SINCE = /\b(?:since|from|after|starting|as of|beginning)\b/i;
const UNTIL = /\b(?:until|till|to|through|before|by)\b/i;
const OF_MONTH = new RegExp(
  `\\b(?:in|during|of|since|from|for)? ?(?:early |late |mid )?${MONTH}(?: (20\\d\\d))?(?! ?\\d)\\b`,
  "i",
);
const OF_YEAR = /\b(?:in|during|of|since|from|for|year) ((?:19|20)\d\d)\b/i;
const AHEAD = /\b(?:next|coming|upcoming|following|ahead|will|tomorrow|soon)\b/i;

/**
 * Returns the time that a text names; null if it names none that is understood. Weeks begin on Monday. `isComing`: a
 * date without a year is the next one.
 */
export function periodIn(text: string, now: Date, isComing = false): Period | null {
  const today = dateOf(now.getTime());
  const range = rangeIn(text, now);
  if (range !== null) return range;
  const ahead = AHEAD.test(text);
  const dates = datesIn(text, today, (isBefore) => Number(isComing || ahead) - Number(!isBefore));
  if (dates.length > 0) return ofDates(text, dates, today);
  const counted = COUNTED.exec(text);
  if (counted !== null) {
    const [count = "", unit = ""] = counted.slice(1).filter((group) => group !== undefined);
    return lasting(Math.max(1, Math.ceil(numberOf(count) * DAYS[unit.toLowerCase() as Unit])), now, ahead);
  }
  const named = NAMED.exec(text);
  if (named !== null) return ofUnit(named[1]!.toLowerCase(), named[2]!.toLowerCase() as Unit, now);
  if (/\byesterday\b/i.test(text)) return onDay(now.getTime() - DAY);
  if (/\b(?:tomorrow|tmrw|tmr)\b/i.test(text)) return onDay(now.getTime() + DAY, { ahead: true });
  if (/\b(?:today|tonight)\b/i.test(text)) return onDay(now.getTime(), { days: 1 });
  if (/\b(?:ytd|year to date)\b/i.test(text)) return ofUnit("this", "year", now);
  const year = OF_YEAR.exec(text)?.[1];
  const [month, name, ofYear] = OF_MONTH.exec(text) ?? [];
  if (month !== undefined && !/^\s*may\s*$/i.test(month)) return ofMonth(name!, ofYear ?? year, text, now);
  if (year === undefined) return null;
  const isOver = `${year}-12-31` < today && !SINCE.test(text);
  return period(`${year}-01-01`, isOver ? `${year}-12-31` : null);
}

const TO = "(?:\\s*[-–]\\s*|\\s+(?:to|until|till|through|and)\\s+)";
const YEARS = new RegExp(`\\b((?:19|20)\\d\\d)${TO}((?:19|20)\\d\\d)\\b`, "i");
const MONTHS_OF = new RegExp(`\\b${MONTH}(?: ((?:19|20)\\d\\d))?${TO}${MONTH} ((?:19|20)\\d\\d)\\b`, "i");
const QUARTER =
  /\bq([1-4])(?: (?:of )?((?:19|20)\d\d))?\b|\b((?:19|20)\d\d) ?q([1-4])\b|\b(first|second|third|fourth) quarter(?: of ((?:19|20)\d\d))?/i;
const ORDINALS = ["first", "second", "third", "fourth"];

/** Returns a range of years or months, or a quarter, that a text names; null if there is none. */
function rangeIn(text: string, now: Date): Period | null {
  const years = YEARS.exec(text);
  if (years !== null) {
    const [first, last] = years.slice(1).sort();
    return period(`${first}-01-01`, `${last}-12-31`);
  }
  const [, first, firstYear, last, lastYear] = MONTHS_OF.exec(text) ?? [];
  if (last !== undefined) {
    const end = Number(lastYear);
    const start =
      firstYear === undefined ? end - (monthOf(first!) > monthOf(last) ? 1 : 0) : Number(firstYear);
    return period(dateOf(Date.UTC(start, monthOf(first!), 1)), dateOf(Date.UTC(end, monthOf(last) + 1, 0)));
  }
  const quarter = QUARTER.exec(text);
  if (quarter === null) return null;
  const [, q, year, yearBefore, qAfter, word, yearOfWord] = quarter;
  const index = Number(q ?? qAfter ?? ORDINALS.indexOf(word?.toLowerCase() ?? "") + 1) - 1;
  const stated = year ?? yearBefore ?? yearOfWord;
  const isAhead = 3 * index > now.getUTCMonth();
  const of = stated === undefined ? now.getUTCFullYear() - (isAhead ? 1 : 0) : Number(stated);
  return period(dateOf(Date.UTC(of, 3 * index, 1)), dateOf(Date.UTC(of, 3 * index + 3, 0)));
}

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

const period = (from: string | null, to: string | null, more: Partial<Period> = {}): Period => ({
  from,
  to,
  days: null,
  ahead: false,
  ...more,
});

const onDay = (at: number, more: Partial<Period> = {}): Period => period(dateOf(at), dateOf(at), more);

/** Returns the days before now, or from now on. */
function lasting(days: number, now: Date, ahead: boolean): Period {
  const [today, other] = [now.getTime(), now.getTime() + (ahead ? days : -days) * DAY];
  return ahead
    ? period(dateOf(today), dateOf(other), { days, ahead })
    : period(dateOf(other), null, { days });
}

/** Returns a week, month, quarter or year: the current one so far, the last or the next one. */
function ofUnit(which: string, unit: Unit, now: Date): Period {
  const isNext = which === "next" || which === "coming";
  // "the last month" of prices or news means the days up to now
  if (unit === "hour" || unit === "day" || /last|past|previous/.test(which))
    return lasting(Math.ceil(DAYS[unit]), now, isNext);
  const [start, next] = [startOfUnit(unit, now, isNext ? 1 : 0), startOfUnit(unit, now, isNext ? 2 : 1)];
  const days = isNext ? DAYS[unit] : Math.ceil((now.getTime() - start) / DAY);
  return period(dateOf(start), dateOf(next - DAY), { days, ahead: isNext });
}

/** Returns the first day of the week, month, quarter or year that is `later` units after the current one, epoch ms. */
export function startOfUnit(unit: "week" | "month" | "quarter" | "year", now: Date, later: number): number {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  if (unit === "week") {
    const day = Math.floor(now.getTime() / DAY);
    return (day - ((now.getUTCDay() + 6) % 7) + 7 * later) * DAY;
  }
  if (unit === "year") return Date.UTC(year + later, 0, 1);
  return unit === "month"
    ? Date.UTC(year, month + later, 1)
    : Date.UTC(year, 3 * (Math.floor(month / 3) + later), 1);
}

function ofDates(text: string, dates: readonly DateInText[], today: string): Period {
  const [first, second] = [...new Map(dates.map((one) => [one.day, one])).values()].sort((a, b) =>
    a.day.localeCompare(b.day),
  );
  const { day, at } = first!;
  const before = text.slice(Math.max(0, at - 12), at);
  const ahead = day > today;
  if (second !== undefined) return period(day, second.day, { ahead });
  if (SINCE.test(before)) return period(day, null);
  return period(UNTIL.test(before) ? null : day, day, { ahead });
}

/** Returns a month: the last one of that name unless the request is about the future. */
function ofMonth(name: string, ofYear: string | undefined, text: string, now: Date): Period {
  const month = monthOf(name);
  const [thisYear, thisMonth] = [now.getUTCFullYear(), now.getUTCMonth()];
  const ahead = AHEAD.test(text);
  const guessed = ahead ? thisYear + (month < thisMonth ? 1 : 0) : thisYear - (month > thisMonth ? 1 : 0);
  const year = ofYear === undefined ? guessed : Number(ofYear);
  const from = Date.UTC(year, month, 1);
  const to = SINCE.test(text) && !ahead ? null : dateOf(Date.UTC(year, month + 1, 0));
  return period(dateOf(from), to, { ahead: from > now.getTime() });
}

/** Matches a text that means a period of the calendar, and no day. */
const PERIOD = new RegExp(
  `^(?:(?:this|current) (?:week|month|quarter|year)|ytd|year to date|(?:19|20)\\d\\d|${MONTH}(?: (?:of )?20\\d\\d)?|${QUARTER.source})$`,
  "i",
);
const NEXT_PERIOD = /^next (?:week|month|quarter|year)$/i;
const HAS_YEAR = /\b(?:19|20)\d\d\b/;

/**
 * Returns the first or last day of the period that a text means: `Q1 2025`, `March 2025`, `2025`, `this month`, `ytd`;
 * null for any other text. The last day of a current period is today. `isComing`: it is the end of the period, a month or
 * quarter without a year is the next one that is not over, and `next month` is a period too.
 */
export function dayOfPeriod(
  text: string,
  now: Date,
  { isLast, isComing }: { readonly isLast: boolean; readonly isComing: boolean },
): string | null {
  const plain = text.trim().replace(/^the /i, "");
  if (!PERIOD.test(plain) && !(isComing && NEXT_PERIOD.test(plain))) return null;
  const today = dateOf(now.getTime());
  const { from, to } = daysOf(plain, now) ?? {};
  if (from == null || to == null) return null;
  if (isComing && to < today && !HAS_YEAR.test(plain))
    return dayOfPeriod(`${plain} of ${Number(to.slice(0, 4)) + 1}`, now, { isLast, isComing });
  if (!isLast) return from;
  return from <= today && today < to && !isComing ? today : to;
}

function daysOf(plain: string, now: Date): Pick<Period, "from" | "to"> | null {
  return /^\d{4}$/.test(plain)
    ? { from: `${plain}-01-01`, to: `${plain}-12-31` }
    : periodIn(`in ${plain}`, now);
}
