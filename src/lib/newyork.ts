const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * Start and end of summer time: month (0-based) and earliest date of the Sunday on which clocks change, by first year
 * of the rule.
 */
const RULES = [
  { since: 2007, start: [2, 8], end: [10, 1] }, // second Sunday of March, first of November
  { since: 1987, start: [3, 1], end: [9, 25] }, // first Sunday of April, last of October
  { since: 1976, start: [3, 24], end: [9, 25] }, // last Sunday of April, last of October
] as const;

/**
 * Returns New York's offset from UTC in milliseconds at an instant (epoch ms): -4 h in summer time, -5 h otherwise.
 * Valid from 1976 on; the rule of 1976 is used for earlier instants.
 * @see Energy Policy Act of 2005, section 110; 15 U.S.C. 260a
 */
export function newYorkOffsetMs(epochMs: number): number {
  const date = new Date(epochMs);
  const month = date.getUTCMonth();
  if (month > 3 && month < 9) return -4 * HOUR; // clocks change in March or April, and in October or November
  if (month < 2 || month > 10) return -5 * HOUR;
  const year = date.getUTCFullYear();
  const { start, end } = RULES.find(({ since }) => year >= since) ?? RULES[2];
  // clocks change at 02:00 local time: 07:00 UTC out of standard time, 06:00 UTC out of summer time
  const summer =
    epochMs >= sundayFrom(year, start[0], start[1]) + 7 * HOUR &&
    epochMs < sundayFrom(year, end[0], end[1]) + 6 * HOUR;
  return (summer ? -4 : -5) * HOUR;
}

/** Returns 00:00 UTC of New York's calendar date at an instant, both in epoch ms: the timestamp of that day's bar. */
export function newYorkDay(epochMs: number): number {
  return Math.floor((epochMs + newYorkOffsetMs(epochMs)) / DAY) * DAY;
}

/** Returns New York's calendar date (`YYYY-MM-DD`) at an instant (epoch ms). */
export function newYorkDate(epochMs: number): string {
  return new Date(newYorkDay(epochMs)).toISOString().slice(0, 10);
}

function sundayFrom(year: number, month: number, day: number): number {
  const first = Date.UTC(year, month, day);
  return first + ((7 - new Date(first).getUTCDay()) % 7) * DAY;
}
