import { datesIn, ISO_DATE } from "../../../domain/recognisers/dates-in.ts";
import type { QuestionIntent } from "../../../domain/requests/interpretation.ts";
import { MONTH, MONTHS, monthOf } from "../../../lib/months.ts";
import { numberOf, numberWords } from "../../../lib/number-words.ts";
import words from "../data/words.json" with { type: "json" };
import { patterns } from "../phrases.ts";

const SAYS = patterns(words.past, words.names);

/** The past time that a question is about. */
export interface Past {
  /** The exact day; null if there is none. */
  readonly day: string | null;
  /** true: the question names a date, or a time before last week. */
  readonly dated: boolean;
}

const DAY = 86_400_000;
const YEAR = "((?:19|20)\\d\\d)";
const AGO = new RegExp(`\\b(\\d{1,4}|an?|${numberWords()}) (trading )?days? (?:ago|back|earlier)\\b`, "i");
const YEARS = new RegExp(
  `\\b(?:in|during|of|since|back in|before|after|until|by|from|for|early|mid|late|year|summer|winter|spring|fall|autumn|q[1-4]|${MONTH})[ -]*(?:of )?${YEAR}\\b(?![-./]?\\d)`,
  "gi",
);
/** Matches verbs with which a period such as `this year` is a past time. */
const DONE =
  /\b(was|were|wasn't|weren't|did|didn't|had|has|hasn't|(?<!\b(?:do|does|will|to|can)\b.{0,30})have|haven't|would have|gained|lost|rose|fell|bought|sold|traded)\b|\b(go|went) (up|down)\b/i;
/** Matches a month or season, which is past for intents in `LOOKS_BACK` even without a verb. */
const MONTH_OR_SEASON = new RegExp(
  `\\b(?:in|from|of|during|over) (?:the )?(?:${MONTH}|spring|summer|autumn|fall|winter)\\b(?! \\d)`,
  "i",
);
const LOOKS_BACK: ReadonlySet<QuestionIntent> = new Set(["news", "flow"]);
const SPAN = /\b(since|from|after|between|until|till|before|by|through)\W+(the )?$/i;
/**
 * Returns the past time that a question is about; null if there is none. Days are in UTC; today and later days are not
 * past. For news and flow, a month without a verb is past. For earnings, the last quarter is the default and does not
 * count as past.
 */
export function pastIn(text: string, now: Date, intent: QuestionIntent = "signal"): Past | null {
  const today = now.toISOString().slice(0, 10);
  const was = SAYS.was.test(text);
  if (SAYS.ofNow.test(text) && !was) return null;
  const dates = pastDatesIn(text, { today, was }).filter(({ day }) => day < today);
  const [first] = dates;
  if (first !== undefined) {
    const several = new Set(dates.map(({ day }) => day)).size > 1;
    return { day: several || SPAN.test(text.slice(0, first.at)) ? null : first.day, dated: true };
  }
  const days = daysAgo(text);
  if (days !== null) {
    const at = days > 0 && (was || !SAYS.present.test(text)) && !/\bsince\b/i.test(text);
    return { day: at ? dayBefore(now, days) : null, dated: false };
  }
  const thisYear = Number(today.slice(0, 4));
  const years = [...text.matchAll(YEARS)];
  const done = DONE.test(text) && !SAYS.ahead.test(text);
  if (years.some((match) => isOver(match, today) || (done && Number(match.at(-1)) === thisYear)))
    return { day: null, dated: true };
  // a weekday or holiday is past unless the question is about the future
  const isBehind = was || !(SAYS.ahead.test(text) || SAYS.present.test(text));
  const isLongAgo =
    SAYS.longAgo.test(text) ||
    SAYS.since.test(text) ||
    (done && SAYS.open.test(text)) ||
    (isBehind && SAYS.atHoliday.test(text)) ||
    (intent !== "earnings" && SAYS.lastQuarter.test(text)) ||
    ((LOOKS_BACK.has(intent) || (SAYS.priced.test(text) && isBehind)) &&
      !SAYS.ahead.test(text) &&
      isPastDate(MONTH_OR_SEASON.exec(text), today));
  if (isLongAgo) return { day: null, dated: true };
  return SAYS.vague.test(text) || (isBehind && SAYS.onWeekday.test(text))
    ? { day: null, dated: false }
    : null;
}

/** Returns the first date in a text that is after today or not on the calendar; null if there is none. */
export function unusableDayIn(text: string, now: Date): string | null {
  const today = now.toISOString().slice(0, 10);
  const days = pastDatesIn(text, { today, was: false }).map(({ day }) => day);
  const written = [...text.matchAll(ISO_DATE)].map(([day]) => day);
  return days.find((day) => day > today) ?? written.find((day) => !days.includes(day)) ?? null;
}

/** Returns true if the match names a month other than this one, or a season. */
const isPastDate = (match: RegExpExecArray | null, today: string): boolean =>
  match !== null && monthOf(match[1] ?? "") + 1 !== Number(today.slice(5, 7));

/** Matches words after which a day is in the future unless the verb is in the past. */
const UNTIL = /\b(by|before|until|till)\W+(the )?$/i;

/** Returns true if the year, or the month named with it, is over. */
function isOver(match: RegExpMatchArray, today: string): boolean {
  const year = match.at(-1)!;
  const month = MONTHS.findIndex((name) => new RegExp(`\\b${name}`, "i").test(match[0])) + 1;
  const from = month === 0 ? year : `${year}-${String(month).padStart(2, "0")}`;
  return from < today.slice(0, from.length);
}

/** Returns the dates that a text names. `was`: the text is about the past. */
const pastDatesIn = (text: string, { today, was }: { readonly today: string; readonly was: boolean }) =>
  datesIn(text, today, (isBefore, at) => {
    const isAhead = SAYS.ahead.test(text) || UNTIL.test(text.slice(0, at));
    // a date without a year means its last occurrence if the question is about the past
    if (was) return isBefore ? 0 : -1;
    return isBefore && !isAhead ? 0 : null;
  });

/** Returns how many days ago the question means; 0 if it counts trading days; null if not stated. */
function daysAgo(text: string): number | null {
  if (/\bday before yesterday\b/i.test(text)) return 2;
  if (/\byesterday\b/i.test(text)) return 1;
  const [, count, trading] = AGO.exec(text) ?? [];
  // trading days are not supported: the exact day is unknown
  return count === undefined ? null : trading === undefined ? numberOf(count) : 0;
}

const dayBefore = (now: Date, days: number): string =>
  new Date(now.getTime() - days * DAY).toISOString().slice(0, 10);
