import { MONTH, MONTHS, monthOf } from "../../../analytics/contracts/dates.ts";
import type { QuestionIntent } from "../../../domain/questions/interpretation.ts";
import { numberOf, numberWords } from "./numbers.ts";

/** The past time that a question is about. */
export interface Past {
  /** The exact day; null if there is none. */
  readonly day: string | null;
  /** true: the question names a date, or a time before last week. */
  readonly dated: boolean;
}

const DAY = 86_400_000;
const NTH = "([0-3]?\\d)(?:st|nd|rd|th)?";
const YEAR = "((?:19|20)\\d\\d)";

const ISO = new RegExp(`(?<![\\w-])${YEAR}-(\\d\\d)-(\\d\\d)(?![\\w-])`, "g");
const SLASHED = new RegExp(`(?<![\\w/])(\\d{1,2})/(\\d{1,2})/${YEAR}(?![\\w/])`, "g");
const SHORT_SLASHED = /\bon (\d{1,2})\/(\d{1,2})(?![\w/])/g;
const MONTH_FIRST = new RegExp(`\\b${MONTH}\\.? ${NTH}(?:,? ${YEAR})?\\b(?!:)`, "gi");
const DAY_FIRST = new RegExp(`\\b${NTH} (?:of )?${MONTH}\\.?(?:,? ${YEAR})?\\b`, "gi");
const AGO = new RegExp(`\\b(\\d{1,4}|an?|${numberWords()}) (trading )?days? (?:ago|back|earlier)\\b`, "i");
const YEARS = new RegExp(
  `\\b(?:in|during|of|since|back in|before|after|until|by|from|for|early|mid|late|year|summer|winter|spring|fall|autumn|q[1-4]|${MONTH})[ -]*(?:of )?${YEAR}\\b(?![-./]?\\d)`,
  "gi",
);
const WEEKDAYS = "mon|tue|wed|thu|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday";
const VAGUE = new RegExp(
  `\\b(?:last|previous|past) (?:week|weekend|night|${WEEKDAYS})\\b|\\bweeks? (?:ago|back|earlier)\\b|\\b(?:earlier this week|the other day)\\b`,
  "i",
);
/** Matches a weekday, which is past or future depending on the verb. */
const ON_WEEKDAY = new RegExp(`\\bon (?:${WEEKDAYS})\\b`, "i");
const HOLIDAY =
  "(?:christmas|xmas|boxing day|new year'?s?|easter|good friday|thanksgiving|halloween|valentine'?s?|black friday|cyber monday|prime day|labou?r day|memorial day|independence day|presidents'? day|juneteenth|election (?:day|night)|the fourth of july)";
const AT_HOLIDAY = new RegExp(
  `\\b(?:on|at|over|during|around|since|from|before|after|last) ${HOLIDAY}\\b`,
  "i",
);
const LONG_AGO = new RegExp(
  `\\b(?:last|previous|past) (?:month|year|summer|winter|spring|autumn|fall|christmas|decade|(?:\\w+ )?(?:months|years|decades)|${MONTH})\\b|\\b(?:months?|years?|decades?|a while|some time|quarters) (?:ago|back|earlier)\\b|\\b(?:long ago|back then|in the past|earlier this (?:month|year|quarter)|so far|to date|ytd)\\b|\\bin the (?:19|20)?\\d0s\\b`,
  "i",
);
/** Matches verbs with which a period such as `this year` is a past time. */
const DONE =
  /\b(was|were|wasn't|weren't|did|didn't|had|has|hasn't|(?<!\b(?:do|does|will|to|can)\b.{0,30})have|haven't|would have|gained|lost|rose|fell|bought|sold|traded)\b|\b(go|went) (up|down)\b/i;
const OPEN = new RegExp(
  `\\b(?:this|the|current) (?:week|month|quarter|year|summer|winter|spring|autumn|fall)\\b|\\b(?:in|during|over|through|until|till|before|after|by|between|early|mid|late) ${MONTH}\\b(?! \\d)|\\bin q[1-4]\\b`,
  "i",
);
const SINCE = new RegExp(
  `\\bsince (?:${MONTH}|${WEEKDAYS}|${HOLIDAY}|the|its|last|early|late|mid|\\d)\\b`,
  "i",
);
const LAST_QUARTER = /\b(?:last|previous|past) quarter\b/i;
/** Matches a month or season, which is past for intents in `LOOKS_BACK` even without a verb. */
const MONTH_OR_SEASON = new RegExp(
  `\\b(?:in|from|of|during|over) (?:the )?(?:${MONTH}|spring|summer|autumn|fall|winter)\\b(?! \\d)`,
  "i",
);
/** Matches words for a price: with a month other than the current one, they ask for a past price. */
const PRICED = /\b(prices?|quotes?|close|closed|closing|highs?|lows?|worth|traded)\b/i;
const LOOKS_BACK: ReadonlySet<QuestionIntent> = new Set(["news", "flow"]);
const WAS =
  /\b(was|were|wasn't|did|didn't|had|as of|back|would have|(should|could|might) (i|we|you|one|it) have)\b/i;
const SPAN = /\b(since|from|after|between|until|till|before|by|through)\W+(the )?$/i;
/**
 * Matches questions about the present that mention the past: `I bought it yesterday`, `it fell yesterday, should I
 * sell`.
 */
const OF_NOW =
  /\b(i|we|i've|ive|we've)( \w+)? (bought|sold|got|own|owned|hold|held|purchased|entered|shorted|inherited)\b|\b(now|today|currently|should i|should we|still)\b/i;
const PRESENT = /\b(is|are|isn't|aren't|should|will|can|could|what's|whats|does|do|going)\b/i;

/**
 * Returns the past time that a question is about; null if there is none. Days are in UTC; today and later days are not
 * past. For news and flow, a month without a verb is past. For earnings, the last quarter is the default and does not
 * count as past.
 */
export function pastIn(text: string, now: Date, intent: QuestionIntent = "signal"): Past | null {
  const today = now.toISOString().slice(0, 10);
  const was = WAS.test(text);
  if (OF_NOW.test(text) && !was) return null;
  const dates = datesIn(text, { today, was }).filter(({ day }) => day < today);
  const [first] = dates;
  if (first !== undefined) {
    const several = new Set(dates.map(({ day }) => day)).size > 1;
    return { day: several || SPAN.test(text.slice(0, first.at)) ? null : first.day, dated: true };
  }
  const days = daysAgo(text);
  if (days !== null) {
    const at = days > 0 && (was || !PRESENT.test(text)) && !/\bsince\b/i.test(text);
    return { day: at ? dayBefore(now, days) : null, dated: false };
  }
  const thisYear = Number(today.slice(0, 4));
  const years = [...text.matchAll(YEARS)];
  const done = DONE.test(text) && !AHEAD.test(text);
  if (years.some((match) => isOver(match, today) || (done && Number(match.at(-1)) === thisYear)))
    return { day: null, dated: true };
  // a weekday or holiday is past unless the question is about the future
  const isBehind = was || !(AHEAD.test(text) || PRESENT.test(text));
  const isLongAgo =
    LONG_AGO.test(text) ||
    SINCE.test(text) ||
    (done && OPEN.test(text)) ||
    (isBehind && AT_HOLIDAY.test(text)) ||
    (intent !== "earnings" && LAST_QUARTER.test(text)) ||
    ((LOOKS_BACK.has(intent) || (PRICED.test(text) && isBehind)) &&
      !AHEAD.test(text) &&
      isPastDate(MONTH_OR_SEASON.exec(text), today));
  if (isLongAgo) return { day: null, dated: true };
  return VAGUE.test(text) || (isBehind && ON_WEEKDAY.test(text)) ? { day: null, dated: false } : null;
}
/** Returns true if the match names a month other than this one, or a season. */
const isPastDate = (match: RegExpExecArray | null, today: string): boolean =>
  match !== null && monthOf(match[1] ?? "") + 1 !== Number(today.slice(5, 7));

/** Matches words for the future. */
const AHEAD =
  /\b(will|won't|going to|would|could|can|next|upcoming|odds|chances?|probabilit\w+|expected|expir\w+|forecasts?|predict\w*|targets?|to (?:buy|sell|trade|watch|short))\b/i;
/** Matches words after which a day is in the future unless the verb is in the past. */
const UNTIL = /\b(by|before|until|till)\W+(the )?$/i;

/** Returns true if the year, or the month named with it, is over. */
function isOver(match: RegExpMatchArray, today: string): boolean {
  const year = match.at(-1)!;
  const month = MONTHS.findIndex((name) => new RegExp(`\\b${name}`, "i").test(match[0])) + 1;
  const from = month === 0 ? year : `${year}-${String(month).padStart(2, "0")}`;
  return from < today.slice(0, from.length);
}

interface Dated {
  readonly day: string;
  readonly at: number;
}

function datesIn(text: string, { today, was }: { readonly today: string; readonly was: boolean }) {
  const found: Dated[] = [];
  const add = (at: number, year: number, month: number, day: number) => {
    const date = new Date(Date.UTC(year, month - 1, day));
    if (date.getUTCMonth() === month - 1 && date.getUTCDate() === day)
      found.push({ day: date.toISOString().slice(0, 10), at });
  };
  // a date without a year means its last occurrence if the question is about the past
  const named = (at: number, month: string, day: string, year: string | undefined) => {
    const number = Number(month) || monthOf(month) + 1;
    if (year !== undefined) return add(at, Number(year), number, Number(day));
    if (!was && (AHEAD.test(text) || UNTIL.test(text.slice(0, at)))) return;
    const thisYear = Number(today.slice(0, 4));
    const same = `${thisYear}-${String(number).padStart(2, "0")}-${day.padStart(2, "0")}`;
    if (was || same < today) add(at, same < today ? thisYear : thisYear - 1, number, Number(day));
  };
  for (const { index, 1: year, 2: month, 3: day } of text.matchAll(ISO))
    add(index, Number(year), Number(month), Number(day));
  for (const { index, 1: one, 2: two, 3: year } of text.matchAll(SLASHED)) {
    const [month, day] = Number(one) > 12 ? [two, one] : [one, two];
    add(index, Number(year), Number(month), Number(day));
  }
  for (const { index, 1: month, 2: day } of text.matchAll(SHORT_SLASHED))
    named(index, month!, day!, undefined);
  for (const { index, 1: month, 2: day, 3: year } of text.matchAll(MONTH_FIRST))
    named(index, month!, day!, year);
  if (found.length === 0)
    for (const { index, 1: day, 2: month, 3: year } of text.matchAll(DAY_FIRST))
      named(index, month!, day!, year);
  return found;
}

/** Returns how many days ago the question means; 0 if it counts trading days; null if not stated. */
function daysAgo(text: string): number | null {
  if (/\bday before yesterday\b/i.test(text)) return 2;
  if (/\byesterday\b/i.test(text)) return 1;
  const [, count, trading] = AGO.exec(text) ?? [];
  if (count === undefined) return null;
  // trading days are not supported: the exact day is unknown
  if (trading !== undefined) return 0;
  return numberOf(count);
}

const dayBefore = (now: Date, days: number): string =>
  new Date(now.getTime() - days * DAY).toISOString().slice(0, 10);
