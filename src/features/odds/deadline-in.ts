import { deadlineOf } from "../../analytics/contracts/dates.ts";
import { comingDayIn } from "../../domain/recognisers/coming-day.ts";

const DAY = 86_400_000;
/** Matches words for a time, including those that `deadlineIn` does not understand. */
const TIME =
  /\b(by|before|until|till|within|inside|in|on|at|over|during|for|after|around|next|this|coming|end of|early|mid|late)\W+(the |a |an |my |our |this |next |coming |first |second |third |fourth |last |few |couple of |several |end of |start of |beginning of |middle of |early |mid |late |turn of |\w+ (?=(days?|weeks?|months?|quarters?|years?|decades?)\b))*(hours?|days?|weeks?|weekend|months?|quarters?|years?|decades?|century|spring|summer|autumn|fall|winter|christmas|xmas|easter|thanksgiving|halloween|holidays?|new year'?s?|valentine'?s|independence day|labou?r day|memorial day|elections?|midterms?|inauguration|expiry|expiration|opex|halving|meeting|q[1-4]|h[12]|(20)?[3-9]0s|20[2-9]\d|jan(uary)?|feb(ruary)?|march|april|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?|birthday|retire\w*)\b|\b(tomorrow|tonight|today|eoy|eom|eow|eod)\b|\b(week|month|quarter|year)[ -]?end\b/;

const DATES = /\b\d{4}-\d\d-\d\d\b|\b20\d\d\b|\b[0-3]?\d(?:st|nd|rd|th)?\b(?! ?(?:%|percent))/g;

/** Removes words for a time from lower-case text. */
export const withoutTime = (words: string): string =>
  words.replace(new RegExp(TIME, "g"), " ").replace(DATES, " ");

/** Returns true if a text names a time, even one that `deadlineIn` does not understand. */
export const namesTime = (query: string): boolean => TIME.test(query.toLowerCase());

/**
 * Returns the deadline that a text names: the end of that day in UTC, epoch ms; null if it names no known time. A
 * week ends on its Friday. Why no library: chrono-node 2.10 returns the expected day for only 20 of the 37 texts in
 * the test; it does not parse the ends of quarters and years, or holidays.
 */
export function deadlineIn(query: string, at: number): number | null {
  const text = query.toLowerCase();
  const stated = deadlineOf({ text, closeTime: null }, at);
  const day = stated === null ? comingDayIn(text, new Date(at)) : null;
  return day === null ? stated : Date.parse(day) + DAY;
}
