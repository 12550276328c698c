import type { EventRisk, MarketDay } from "../../domain/earnings/calendar.ts";
import type { ScheduledReport } from "../../domain/earnings/earnings.ts";

const DAY = 86_400_000;
/** Number of bars after which a plan expires. */
const PLAN_BARS = 20;
/** Length of a regular session, ms. */
const SESSION = 6.5 * 3_600_000;

interface EventRiskInput {
  /** Today's date in the instrument's market. */
  readonly today: string;
  /** Length of a bar, ms; a day or part of one. */
  readonly barMs: number;
  /** False if it trades around the clock, every day. */
  readonly sessions: boolean;
  /** Days with a short session or none, from today on, ascending, for at least two months. */
  readonly days: readonly MarketDay[];
  readonly earnings: Pick<ScheduledReport, "date" | "hour" | "confirmed"> | null;
  /** Why no earnings date is known. */
  readonly reason: string | null;
  /** True if the instrument can report earnings. */
  readonly reports: boolean;
}

/**
 * Returns the distance of the next report and the next holiday in days, and whether they fall within the 20 bars of a
 * plan. Uses dates only.
 */
export function eventRiskOf({
  today,
  barMs,
  sessions,
  days,
  earnings,
  reason,
  reports,
}: EventRiskInput): EventRisk {
  const horizon = horizonOf({ today, barMs, sessions, days });
  const away = (date: string) => Math.round((Date.parse(date) - Date.parse(today)) / DAY);
  const within = (date: string) => date >= today && date <= horizon;
  const ahead = earnings !== null && earnings.date >= today ? earnings : null;
  const holiday = sessions ? days.find(({ date }) => date >= today) : undefined;
  const holidayWithin = holiday !== undefined && within(holiday.date);
  return {
    horizon,
    earnings: ahead && {
      date: ahead.date,
      hour: ahead.hour,
      confirmed: ahead.confirmed,
      days: away(ahead.date),
      within_horizon: within(ahead.date),
    },
    earnings_reason: ahead === null ? (reason ?? "No date of the next report is known") : null,
    holiday:
      holiday === undefined ? null : { ...holiday, days: away(holiday.date), within_horizon: holidayWithin },
    reports,
    within_horizon: holidayWithin || (ahead !== null ? within(ahead.date) : reports ? null : false),
  };
}

/** Returns the date on which the last bar of a plan ends if its first bar is the next one. */
export function horizonOf({
  today,
  barMs,
  sessions,
  days,
  bars = PLAN_BARS,
}: Pick<EventRiskInput, "today" | "barMs" | "sessions" | "days"> & {
  /** Number of bars. Default: those of a plan. */
  readonly bars?: number;
}): string {
  const start = Date.parse(today);
  if (!sessions) return dateOf(start + Math.ceil((bars * barMs) / DAY) * DAY);
  const perSession = barMs >= DAY ? 1 : Math.ceil(SESSION / barMs);
  const closed = new Set(days.filter(({ kind }) => kind === "closed").map(({ date }) => date));
  let day = start;
  for (let left = Math.ceil(bars / perSession); left > 0; ) {
    day += DAY;
    if (new Date(day).getUTCDay() % 6 !== 0 && !closed.has(dateOf(day))) left--;
  }
  return dateOf(day);
}

const dateOf = (day: number): string => new Date(day).toISOString().slice(0, 10);
