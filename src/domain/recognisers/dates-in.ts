import { MONTH, monthOf } from "../../lib/months.ts";

const NTH = "(?<day>[0-3]?\\d)(?:st|nd|rd|th)?";
const YEAR = "(?<year>(?:19|20)\\d\\d)";
const NAMED_MONTH = `(?<month>${MONTH})`;
/** Matches dates such as `2026-01-15`. */
export const ISO_DATE = new RegExp(`(?<![\\w-])${YEAR}-(?<month>\\d\\d)-(?<day>\\d\\d)(?![\\w-])`, "g");
/** Patterns of dates with the groups `month`, `day` and, for most, `year`. */
const DATES = [
  ISO_DATE,
  new RegExp(`(?<![\\w/])(?<month>0?\\d|1[0-2])/(?<day>\\d{1,2})/${YEAR}(?![\\w/])`, "g"),
  new RegExp(`(?<![\\w/])(?<day>1[3-9]|[2-9]\\d)/(?<month>\\d{1,2})/${YEAR}(?![\\w/])`, "g"),
  /\bon (?<month>\d{1,2})\/(?<day>\d{1,2})(?![\w/])/g,
  new RegExp(`\\b${NAMED_MONTH}\\.? ${NTH}(?:,? ${YEAR})?\\b(?!:)`, "gi"),
];
/** Searched only if there is no other date. */
const DAY_FIRST = new RegExp(`\\b${NTH} (?:of )?${NAMED_MONTH}\\.?(?:,? ${YEAR})?\\b`, "gi");

/** A date as `YYYY-MM-DD`, with its position in a text. */
export interface DateInText {
  readonly day: string;
  readonly at: number;
}

/**
 * Returns the dates that a text names. `yearsFromNow` returns the year of a date without one, as years from this one,
 * by whether the date is before today and where it stands; null: it is no date.
 */
export function datesIn(
  text: string,
  today: string,
  yearsFromNow: (isBefore: boolean, at: number) => number | null,
): readonly DateInText[] {
  const found = DATES.flatMap(matches);
  return found.length > 0 ? found : matches(DAY_FIRST);

  function matches(pattern: RegExp): readonly DateInText[] {
    return [...text.matchAll(pattern)].flatMap(({ index: at, groups = {} }) => {
      const month = Number(groups.month) || monthOf(groups.month!) + 1;
      const year = Number(groups.year ?? yearOf(at, month, groups.day!));
      const date = new Date(Date.UTC(year, month - 1, Number(groups.day)));
      const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === Number(groups.day);
      return exists ? [{ day: date.toISOString().slice(0, 10), at }] : [];
    });
  }

  function yearOf(at: number, month: number, day: string): number {
    const thisYear = Number(today.slice(0, 4));
    const date = `${thisYear}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`;
    const years = yearsFromNow(date < today, at);
    return years === null ? Number.NaN : thisYear + years;
  }
}
