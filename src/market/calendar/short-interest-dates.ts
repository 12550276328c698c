import { newYorkOffsetMs } from "../../lib/newyork.ts";
import { sessionOn } from "./calendar.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Business days from a settlement date to the publication of its short interest. */
const LAG_BUSINESS_DAYS = 7;
/** New York time by which a day's publication is complete, ms after midnight. */
const EVENING = 18 * HOUR;
const VETERANS_DAY = "11-11";

/**
 * Returns the scheduled publication of the short interest of a settlement date (00:00 UTC, epoch ms): the evening of
 * the seventh business day after it. Bank holidays with trading do not count, so that no report is known too early.
 * @see https://www.finra.org/filing-reporting/regulatory-filing-systems/short-interest
 */
export function shortInterestPublishedAt(settlement: number): number {
  let day = settlement;
  for (let left = LAG_BUSINESS_DAYS; left > 0; ) {
    day += DAY;
    if (isBusinessDay(day)) left--;
  }
  return day + EVENING - newYorkOffsetMs(day + DAY / 2);
}

/**
 * Returns the settlement dates (00:00 UTC, epoch ms) within [from, until]: the 15th and the last day of each month, or
 * the business day before.
 */
export function shortInterestSettlements(from: number, until: number): readonly number[] {
  const first = new Date(from);
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth()];
  const dates: number[] = [];
  for (let i = 0; Date.UTC(year, month + i) <= until + 31 * DAY; i++)
    dates.push(
      businessDayUpTo(Date.UTC(year, month + i, 15)),
      businessDayUpTo(Date.UTC(year, month + i + 1, 0)),
    );
  return dates.filter((date) => date >= from && date <= until);
}

function businessDayUpTo(day: number): number {
  return isBusinessDay(day) ? day : businessDayUpTo(day - DAY);
}

/** Returns true for a session that is no bank holiday. */
function isBusinessDay(day: number): boolean {
  const date = new Date(day);
  const isColumbusDay =
    date.getUTCMonth() === 9 && date.getUTCDay() === 1 && date.getUTCDate() > 7 && date.getUTCDate() <= 14;
  const isVeteransDay = [0, -DAY].some(
    // a holiday on a Sunday is kept on Monday
    (back) => isoMonthDay(day + back) === VETERANS_DAY && (back === 0 || date.getUTCDay() === 1),
  );
  return sessionOn(day) !== null && !isColumbusDay && !isVeteransDay;
}

const isoMonthDay = (day: number): string => new Date(day).toISOString().slice(5, 10);
