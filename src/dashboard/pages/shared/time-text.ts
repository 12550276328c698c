import { dayText, fixed } from "../../views/format.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Returns how long ago a time was, such as `5 min ago`; "never" without a time, and the day after a month. */
export function agoText(time: string | null, now = Date.now()): string {
  if (time === null) return "never";
  const passed = now - Date.parse(time);
  if (passed < MINUTE_MS) return "just now";
  if (passed < HOUR_MS) return `${Math.floor(passed / MINUTE_MS)} min ago`;
  if (passed < DAY_MS) return `${Math.floor(passed / HOUR_MS)} h ago`;
  if (passed < 31 * DAY_MS) return `${Math.floor(passed / DAY_MS)} d ago`;
  return dayText(time);
}

/** Returns how long ago the hour was that begins at a time; "never" without a time. */
export const hourAgoText = (time: string | null, now = Date.now()): string =>
  time !== null && now - Date.parse(time) < HOUR_MS ? "this hour" : agoText(time, now);

/** Returns a size in bytes for readers, in units of 1,000. */
export function bytesText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"] as const;
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const amount = bytes / 1_000 ** power;
  return `${fixed(amount, amount >= 100 || power === 0 ? 0 : 1)} ${units[power]}`;
}
