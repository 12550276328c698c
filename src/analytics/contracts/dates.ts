import { MONTH, monthOf } from "../../lib/months.ts";

const DAY = 86_400_000;
/** Maximum distance between a venue's closing time and the date in the text at which both count as the same day. */
const MAX_CLOSING_OFFSET_MS = 1.5 * DAY;
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

interface DateMatch {
  /** End of the day, epoch ms; null if the text has no year and it cannot be inferred. */
  readonly end: number | null;
  readonly words: string;
}

/**
 * Returns when a question is decided, epoch ms: the date in its text, at the venue's closing time if that falls on the
 * same day; without a date, the closing time. A missing year is inferred as the one nearest to the closing time, or to
 * `at`. Null with neither.
 */
export function deadlineOf(
  { text, closeTime }: { readonly text: string; readonly closeTime: string | null },
  at: number,
): number | null {
  const closing = closeTime === null ? null : Date.parse(closeTime);
  const parsed = dateIn(text, closing ?? at)?.end ?? null;
  if (parsed === null) return closing;
  return closing !== null && Math.abs(closing - parsed) <= MAX_CLOSING_OFFSET_MS ? closing : parsed;
}

/** Returns the text without its date, so that equal questions match however the date is written. */
export function withoutDate(text: string): string {
  const parsed = dateIn(text, 0);
  return parsed === null ? text : text.replace(parsed.words, " ");
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
  // "may" is mostly a verb: it counts as a month only after a preposition or before a year
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

/** Returns the end of a day, epoch ms; null if the date does not exist. */
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
