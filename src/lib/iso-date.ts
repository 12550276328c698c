const DAY_MS = 86_400_000;
/** Days from 1 March of year 0 to 1 January 1970, and days of 400 years. */
const EPOCH_DAYS = 719_468;
const ERA_DAYS = 146_097;
/** End of the year 9999, epoch ms; later years have more than four digits. */
const MAX_TIME = 253_402_300_800_000;

/**
 * Returns the UTC date of a time in epoch ms, as toISOString begins. Five times as fast as that, for series of times.
 * Throws RangeError for an invalid time.
 * @see Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", https://howardhinnant.github.io/date_algorithms.html
 */
export function isoDate(time: number): string {
  if (!(time >= 0 && time < MAX_TIME)) return new Date(time).toISOString().replace(/T.*/, "");
  // counted from 1 March, so that a leap day is the last day of its year
  const days = Math.floor(time / DAY_MS) + EPOCH_DAYS;
  const era = Math.floor(days / ERA_DAYS);
  const dayOfEra = days - era * ERA_DAYS;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${year}-${month < 10 ? "0" : ""}${month}-${day < 10 ? "0" : ""}${day}`;
}

/** Returns the time as toISOString does; times of whole minutes, such as the starts of bars, are as fast as dates. */
export function isoTime(time: number): string {
  const minutes = (time % DAY_MS) / 60_000;
  if (!(time >= 0 && time < MAX_TIME && Number.isInteger(minutes))) return new Date(time).toISOString();
  const hour = Math.floor(minutes / 60);
  const minute = minutes % 60;
  return `${isoDate(time)}T${hour < 10 ? "0" : ""}${hour}:${minute < 10 ? "0" : ""}${minute}:00.000Z`;
}
