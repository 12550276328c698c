import type { Market } from "../../domain/market/market.ts";
import type { UniverseName } from "../../domain/nightly/engine.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { sessionOf } from "../../market/calendar/calendar.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Delay from the session open at 09:30 to 16:20 New York time, also on early-close days. */
const DELAY_AFTER_OPEN_MS = 410 * MINUTE;
const DELAY_AFTER_MIDNIGHT_MS = 10 * MINUTE;

/** A universe with its schedule. */
export interface Plan {
  readonly universe: UniverseName;
  /** Returns the run time on a calendar date (00:00 UTC, epoch ms); null for no run. */
  readonly at: (day: number) => number | null;
}

const sessionDays = (day: number): number | null => {
  const session = sessionOf(new Date(day).toISOString().slice(0, 10));
  return session && session.open + DELAY_AFTER_OPEN_MS;
};
const everyDay = (day: number): number => day + DELAY_AFTER_MIDNIGHT_MS;

/**
 * Returns the plans of a market: stocks and funds at 16:20 New York time on every session day, crypto at 00:10 UTC, and
 * the sample market at 00:10 UTC.
 */
export const plansOf = (mode: Market["mode"]): readonly Plan[] =>
  mode === "sample"
    ? [{ universe: "all", at: everyDay }]
    : [
        { universe: "sp500", at: sessionDays },
        { universe: "crypto", at: everyDay },
      ];

/**
 * Returns the next run time of a plan after `now`, epoch ms. Not croner: cron patterns also match exchange holidays
 * such as Thanksgiving, so every date would have to be checked against the session calendar.
 */
export function nextRun({ at }: Plan, now: number): number {
  for (let day = newYorkDay(now) - DAY; ; day += DAY) {
    const moment = at(day);
    if (moment !== null && moment > now) return moment;
  }
}

/** Returns the last run time of a plan up to `now`, epoch ms. */
export function lastRun({ at }: Plan, now: number): number {
  for (let day = newYorkDay(now) + DAY; ; day -= DAY) {
    const moment = at(day);
    if (moment !== null && moment <= now) return moment;
  }
}
