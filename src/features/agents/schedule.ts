import type { AgentRecord } from "../../domain/agents/automation-port.ts";
import type { Market } from "../../domain/market/market.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { sessionOf } from "../../market/calendar/calendar.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
/** From a session's open at 09:30 to 09:35: the bar of the day before is decided on, and orders of stocks are taken again. */
const OPEN_DELAY_MS = 5 * MINUTE;
/** From the end of a UTC day. */
const MIDNIGHT_DELAY_MS = 10 * MINUTE;
/** Closes of two sessions are at least so much nearer than their days where clocks change between them. */
const DST_MARGIN_MS = 2 * 60 * MINUTE;

type AgentTiming = Pick<AgentRecord, "every" | "calendar" | "startedAt">;

/** Whether runs follow daily bars, and when: whole days do, of stocks shortly after the next open, of coins and simulated prices at 00:10 UTC. */
export function calendarOf(
  every: number,
  { mode, coins }: { readonly mode: Market["mode"]; readonly coins: boolean },
): AgentRecord["calendar"] {
  if ((every * 1_000) % DAY !== 0) return "interval";
  return mode === "sample" || coins ? "utc_midnight" : "session_open";
}

/** When an agent that was started just now first runs, epoch ms: at once, or on the next daily bar. */
export function firstRunAt({ calendar, startedAt }: AgentTiming): number {
  const started = Date.parse(startedAt);
  return calendar === "interval" ? started : nextDailyRun(calendar, started);
}

/** The moment of a schedule after one of its moments, epoch ms. */
export function nextRunAfter({ every, calendar }: AgentTiming, due: number): number {
  if (calendar === "interval") return due + every * 1_000;
  return nextDailyRun(calendar, due + every * 1_000 - DAY + DST_MARGIN_MS);
}

/** The first moment of a schedule after now that follows on one of its moments, and how many lie between the two. */
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

/** The first time after a moment at which a new daily bar can be acted on. */
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
