import { MISSING } from "../format.ts";

const COMPACT = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

/** Returns a large number in short, such as 12.3M. */
export const compact = (value: number | null | undefined): string =>
  value === null || value === undefined ? MISSING : COMPACT.format(value);

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const DAY_TIME = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});

/** Returns the day of an ISO time in UTC, such as 28 Nov. */
export const shortDay = (iso: string): string => DAY.format(new Date(iso));

/** Returns an ISO time as day and time of UTC. */
export const utcTime = (iso: string): string => `${DAY_TIME.format(new Date(iso)).replace(",", "")} UTC`;

/** Returns the day of the bar that closed at an ISO time: a bar that closed at 00:00 UTC is that of the day before. */
export const barDay = (closedAt: string): string =>
  shortDay(new Date(Date.parse(closedAt) - 1).toISOString());
