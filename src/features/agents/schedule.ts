import type { AgentRecord } from "../../domain/agents/automation-port.ts";
import type { Market } from "../../domain/market/market.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { sessionOf } from "../../market/calendar/calendar.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Delay after a session's open; by then the previous daily bar is final and stock orders are accepted. */
const OPEN_DELAY_MS = 5 * MINUTE;
/** Delay after the end of a UTC day. */
const MIDNIGHT_DELAY_MS = 10 * MINUTE;
/** Tolerance for daylight saving changes, when consecutive session opens are less than 24 hours apart. */
const DST_MARGIN_MS = 2 * 60 * MINUTE;

type AgentTiming = Pick<AgentRecord, "every" | "calendar" | "startedAt">;

/**
 * Returns the calendar of an interval in seconds: multiples of a day follow daily bars (stocks after the next open, coins
 * and sample prices at 00:10 UTC); other intervals are fixed.
 */
export function calendarOf(
  every: number,
  { mode, coins }: { readonly mode: Market["mode"]; readonly coins: boolean },
): AgentRecord["calendar"] {
  if ((every * 1_000) % DAY !== 0) return "interval";
  return mode === "sample" || coins ? "utc_midnight" : "session_open";
}

/** Returns the time of an agent's first run, epoch ms. */
export const firstRunAt = (timing: AgentTiming): number =>
  firstRunSince(timing, Date.parse(timing.startedAt));

/** Returns the first time at or after `since` at which an agent can run, both epoch ms. */
export const firstRunSince = ({ calendar }: Pick<AgentTiming, "calendar">, since: number): number =>
  calendar === "interval" ? since : nextDailyRun(calendar, since);

/**
 * Returns the run time that follows a due time, epoch ms. Not croner: it supports neither trading sessions nor missed
 * runs.
 */
export function nextRunAfter({ every, calendar }: AgentTiming, due: number): number {
  if (calendar === "interval") return due + every * 1_000;
  return nextDailyRun(calendar, due + every * 1_000 - DAY + DST_MARGIN_MS);
}

/** Returns the first run time after now, and the number of runs missed since `due`. */
export function resumeSchedule(
  timed: AgentTiming,
  { due, now }: { readonly due: number; readonly now: number },
): { readonly next: number; readonly missed: number } {
  if (timed.calendar === "interval") {
    const missed = Math.max(0, Math.floor((now - due) / (timed.every * 1_000)));
    return { next: due + (missed + 1) * timed.every * 1_000, missed };
  }
  for (let next = nextRunAfter(timed, due), missed = 0; ; next = nextRunAfter(timed, next), missed++)
    if (next > now) return { next, missed };
}

/** Returns the first time after `after` at which orders can be placed on a new daily bar. */
function nextDailyRun(calendar: "session_open" | "utc_midnight", after: number): number {
  const first = calendar === "session_open" ? newYorkDay(after) - DAY : Math.floor(after / DAY) * DAY;
  for (let day = first; ; day += DAY) {
    const moment = calendar === "session_open" ? sessionRunTime(day) : day + MIDNIGHT_DELAY_MS;
    if (moment !== null && moment > after) return moment;
  }
}

const sessionRunTime = (day: number): number | null => {
  const session = sessionOf(new Date(day).toISOString().slice(0, 10));
  return session && session.open + OPEN_DELAY_MS;
};
