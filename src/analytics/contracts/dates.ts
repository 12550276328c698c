const DAY = 86_400_000;
/** How far a venue's closing time may lie from the date in the words and still be the time of that day. */
const MAX_CLOSING_OFFSET_MS = 1.5 * DAY;
/** The first three letters of months, January first. */
export const MONTHS: readonly string[] = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
/** The name of a month, whole or short, as a group of a pattern that takes capitals too. */
export const MONTH =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const YEAR = "(20\\d\\d)";
const ISO = /\b(20\d\d)-(\d\d)-(\d\d)\b/;
const MONTH_DAY = new RegExp(
  `(\\bweek of )?\\b${MONTH}\\s+(\\d{1,2})(?:st|nd|rd|th)?\\b(?!\\d|,\\d{3})(?:,?\\s+${YEAR})?`,
  "i",
);
const MONTH_ALONE = new RegExp(
  `\\b(before |by |in |of |at their |after )?(?:the )?${MONTH}(?![a-z])(?:,?\\s+${YEAR})?`,
  "i",
);
const YEAR_ALONE = /\b(before )?(20\d\d)\b/i;

/** A date found in a text, and its words. */
interface DateMatch {
  /** End of the day, epoch ms; null if the text has no year and it cannot be inferred. */
  readonly end: number | null;
  readonly words: string;
}

/**
 * When a question is decided, epoch ms: by the date in its words, at the time of the venue's closing where that is of the same day;
 * else by that closing. A year left out is the one that brings the date nearest to the closing, or else to `at`. Null without either.
 */
export function deadlineOf(
  { text, closeTime }: { readonly text: string; readonly closeTime: string | null },
  at: number,
): number | null {
  const closing = closeTime === null ? null : Date.parse(closeTime);
  const said = dateIn(text, closing ?? at)?.end ?? null;
  if (said === null) return closing;
  return closing !== null && Math.abs(closing - said) <= MAX_CLOSING_OFFSET_MS ? closing : said;
}

/** The text without the date in it, so that the same question is the same however its date is written. */
export function withoutDate(text: string): string {
  const said = dateIn(text, 0);
  return said === null ? text : text.replace(said.words, " ");
}

function dateIn(text: string, near: number): DateMatch | null {
  const iso = ISO.exec(text);
  if (iso !== null) return { end: endOf(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3])), words: iso[0] };
  const day = MONTH_DAY.exec(text);
  if (day !== null) {
    const [words, week, month, date, year] = day;
    const extra = week === undefined ? 0 : 4 * DAY;
    const of = (one: number) => endOf(one, monthOf(month!), Number(date));
    const end = year === undefined ? nearest(of, near) : of(Number(year));
    return { end: end === null ? null : end + extra, words };
  }
  const month = MONTH_ALONE.exec(text);
  // "may" is mostly a verb: it is a month only behind a word that says so, or before a year
  if (month !== null && (month[3] !== undefined || month[1] !== undefined)) {
    const [words, lead = "", name, year] = month;
    const before = /^before/i.test(lead);
    const of = (one: number) => Date.UTC(one, monthOf(name!) + (before ? 0 : 1), 1);
    return { end: year === undefined ? nearest(of, near) : of(Number(year)), words };
  }
  const year = YEAR_ALONE.exec(text);
  if (year === null) return null;
  return { end: Date.UTC(Number(year[2]) + (year[1] === undefined ? 1 : 0), 0, 1), words: year[0] };
}

/** Index of a month in its year, 0-11; -1 if it is not a month. */
export const monthOf = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase());

/** The end of a day; null where the calendar has no such day. */
function endOf(year: number, month: number, day: number): number | null {
  const at = Date.UTC(year, month, day);
  return new Date(at).getUTCMonth() === month && month >= 0 ? at + DAY : null;
}

function nearest(of: (year: number) => number | null, near: number): number | null {
  const year = new Date(near).getUTCFullYear();
  const all = [year - 1, year, year + 1].flatMap((one) => of(one) ?? []);
  return all.length === 0
    ? null
    : all.reduce((best, one) => (Math.abs(one - near) < Math.abs(best - near) ? one : best));
}
