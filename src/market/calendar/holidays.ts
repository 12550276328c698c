const DAY = 86_400_000;
const SUNDAY = 0;
const MONDAY = 1;
const WEDNESDAY = 3;
const THURSDAY = 4;
const FRIDAY = 5;

/** Session of the New York Stock Exchange on a date: `full`, `half` (closes at 13:00) or `closed` (none). */
export type TradingDay = "full" | "half" | "closed";

const datesOf = (...dates: readonly string[]): ReadonlySet<number> => new Set(dates.map(Date.parse));

/** Closures that follow no rule: mourning, attacks, storms. */
const CLOSED_ONCE = datesOf(
  "1994-04-27", // mourning for Richard Nixon
  "2001-09-11",
  "2001-09-12",
  "2001-09-13",
  "2001-09-14",
  "2004-06-11", // mourning for Ronald Reagan
  "2007-01-02", // mourning for Gerald Ford
  "2012-10-29", // hurricane Sandy
  "2012-10-30",
  "2018-12-05", // mourning for George H. W. Bush
  "2025-01-09", // mourning for Jimmy Carter
);

/** Half days that follow no rule: Fridays after a Christmas Day on a Thursday. */
const HALF_ONCE = datesOf("1997-12-26", "2003-12-26");

/**
 * Returns the session of a date (its 00:00 UTC, epoch ms). Computed by rule; correct from 1998 on, when the current
 * rules began.
 * @see NYSE Rule 7.2 (holidays and early closings)
 */
export function tradingDay(day: number): TradingDay {
  const date = new Date(day);
  const weekday = date.getUTCDay();
  if (weekday === SUNDAY || weekday === 6) return "closed";
  const [year, month, dayOfMonth] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  if (isHoliday(day, year, month, dayOfMonth, weekday)) return "closed";
  if (CLOSED_ONCE.has(day)) return "closed";
  return isHalfDay(year, month, dayOfMonth, weekday) || HALF_ONCE.has(day) ? "half" : "full";
}

function isHoliday(day: number, year: number, month: number, dayOfMonth: number, weekday: number): boolean {
  /** Returns true if this day observes a holiday: one on Saturday is observed on Friday, one on Sunday on Monday. */
  const observes = (on: number) =>
    dayOfMonth === on ||
    (weekday === FRIDAY && dayOfMonth === on - 1) ||
    (weekday === MONDAY && dayOfMonth === on + 1);
  const nth = Math.ceil(dayOfMonth / 7);
  switch (month) {
    case 1: // New Year's Day on a Saturday is not observed on Friday
      return dayOfMonth === 1 || (weekday === MONDAY && (dayOfMonth === 2 || nth === 3));
    case 2:
      return weekday === MONDAY && nth === 3;
    case 5:
      return weekday === MONDAY && dayOfMonth > 24;
    case 6:
      return year >= 2022 && observes(19);
    case 7:
      return observes(4);
    case 9:
      return weekday === MONDAY && nth === 1;
    case 11:
      return weekday === THURSDAY && nth === 4;
    case 12:
      return observes(25);
    default:
      return weekday === FRIDAY && day === easterSunday(year) - 2 * DAY;
  }
}

function isHalfDay(year: number, month: number, dayOfMonth: number, weekday: number): boolean {
  if (month === 11) return weekday === FRIDAY && dayOfMonth >= 23 && dayOfMonth <= 29;
  if (month === 12) return dayOfMonth === 24; // on a Friday the 24th is the observed holiday, handled above
  if (month !== 7) return false;
  // if Independence Day is a Thursday, the half day was the Friday after it until 2012, and since then the Wednesday before it
  if (year < 2013 && weekday === FRIDAY) return dayOfMonth === 5;
  return dayOfMonth === 3 && (year >= 2013 || weekday !== WEDNESDAY);
}

/**
 * Returns 00:00 UTC of Easter Sunday, epoch ms. @see Meeus, Astronomical Algorithms, chapter 8 (1991), Gregorian Easter
 */
function easterSunday(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const yearInCentury = year % 100;
  const solar = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - solar + 15) % 30;
  const toSunday =
    (32 + 2 * (century % 4) + 2 * Math.floor(yearInCentury / 4) - epact - (yearInCentury % 4)) % 7;
  const correction = Math.floor((golden + 11 * epact + 22 * toSunday) / 451);
  const marchDays = epact + toSunday - 7 * correction + 114;
  return Date.UTC(year, Math.floor(marchDays / 31) - 1, (marchDays % 31) + 1);
}
