import { MONTH } from "../../lib/months.ts";
import { numberOf, numberWords } from "../../lib/number-words.ts";

/** Units of a length of time, for a pattern. */
export const UNITS =
  "bars?|candles?|sessions?|(?:trading|business|market|calendar) days?|days?|weeks?|wks?|months?|quarters?|years?|yrs?|hours?|hrs?|minutes?|mins?|[dhw]";
/** Numbers of units, for a pattern. */
export const COUNT = `\\d{1,4}(?:\\.\\d+)?|an?|one|${numberWords(2)}|(?:a )?couple(?: of)?|(?:a )?few`;

/** Other ways to write times, each with a way that is understood. */
const REWRITTEN: readonly (readonly [RegExp, string])[] = [
  [/\b(?:rest|remainder) of (?=the|this)\b/gi, "end of "],
  [/\bbetween (?:now|today) and\b/gi, "by"],
  [
    /(?<!\b(?:by|on|before|until|this|next|come|last|from|after) )\b((?:mon|tues|wednes|thurs|fri)day)\b/gi,
    "on $1",
  ],
  [/\b(?:an? |one )?fortnight\b/gi, "2 weeks"],
  [new RegExp(`\\bhalf (?:an? )?(${UNITS})\\b`, "gi"), "0.5 $1"],
  [new RegExp(`\\b(?:an?|one) (${UNITS}) and a half\\b`, "gi"), "1.5 $1"],
  [new RegExp(`\\b(?:an?|one) (${UNITS}) or two\\b`, "gi"), "2 $1"],
  [new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH}(?![a-z])`, "gi"), "$2 $1"],
];
const AND_A_HALF = new RegExp(`\\b(\\d{1,3}|one|${numberWords(2)}) and a half (?=(?:${UNITS})\\b)`, "gi");

/** Matches past times, and the time of a past move or price. */
const PAST = new RegExp(
  [
    `(?:\\b(?:in|over|during|for) )?(?:\\bthe )?\\b(?:last|past|previous|prior) (?:(?:${COUNT})[ -]?)?(?:${UNITS})\\b`,
    `\\b(?:${COUNT})[ -]?(?:${UNITS}) ago\\b`,
    "~ (?:already |so far )?(?:today|this (?:week|month|quarter|year)|in (?:an?|one|two|three|\\d+) (?:day|week|month|year)s?)\\b",
    "\\bsince \\S+(?: (?:week|month|quarter|year)\\b)?",
  ].join("|"),
  "gi",
);

/** Matches times that are not understood although a part of them looks like a known time. */
const UNCLEAR = new RegExp(
  `(?<!\\d)\\d{1,2}[./]\\d{1,2}(?![\\d ]*(?:${UNITS})\\b)|(?<!${MONTH} )\\b\\d{1,2}(?:st|nd|rd|th)\\b|(?<!\\b(?:by|before|until) (?:the |this |next )?)\\bweekend|\\bfortnights|\\bday after tomorrow|\\b(?:${UNITS}) (?:after|before|from (?!now|today))|\\bafter next\\b|\\b(?:first|second|third|last) (?:half|third|week|days?|part) of\\b|\\b(?:start|beginning|middle|early|mid|late)[ -](?:of |in )?(?:the |next |this )?(?:${MONTH}|${UNITS}|20\\d\\d)\\b|\\b(?:soon|eventually|ever|someday|lifetime|forever)\\b`,
  "i",
);
/** Matches words that probably begin a time, apart from those of prices and moves. */
const TIME_LEAD =
  /\b(?:by|before|until|till|within|during|after|in|next|this|coming)\s+(?!\S+ing\b|(?:(?:the|this|my|its|an?) )?(?:stock|share|price|chart|market|direction|case|stop|target|value|level|position|row)|(?:percent|dollars|general|total|terms|comparison|it|or|and|then|any|either|both)\b)[\p{L}\d]/iu;

/** Returns a text without past times, with other times as they are understood. */
export function rewrittenTimes(text: string): string {
  const ahead = text.replace(PAST, " ");
  const halves = ahead.replace(AND_A_HALF, (_, count: string) => `${numberOf(count) + 0.5} `);
  return REWRITTEN.reduce((left, [words, time]) => left.replace(words, time), halves);
}

/** Returns true if a text names a time of which only a part would be understood. */
export const isUnclearTime = (text: string): boolean => UNCLEAR.test(text);

/** Returns true if a text has words that probably begin a time. */
export const beginsTime = (text: string): boolean => TIME_LEAD.test(text);
