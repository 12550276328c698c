import { horizonOf } from "../../analytics/earnings/event-risk.ts";
import type { MarketFacts } from "../../analytics/risk/situation.ts";
import { TIMEFRAME_MS } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { dayAfter } from "../../lib/day-after.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { sessionOf } from "../../market/calendar/calendar.ts";
import { nextReport } from "../earnings/calendar.ts";

/** Number of calendar days that always contain 60 sessions. */
const DAYS_AHEAD = 120;

/** Returns the date on which a number of sessions from a time ends, `YYYY-MM-DD`. */
export function dateAfterSessions(
  moment: number,
  sessions: number,
  { marketDays }: Pick<Ports, "marketDays">,
): string {
  const today = newYorkDate(moment);
  const days = marketDays.between(today, dayAfter(today, DAYS_AHEAD));
  return horizonOf({ today, barMs: TIMEFRAME_MS["1d"], sessions: true, days, bars: sessions });
}

/** Returns the number of sessions after a time up to a date, this included; 0 for a date that is not later. */
export function sessionsUntil(moment: number, date: string): number {
  let sessions = 0;
  for (let day = dayAfter(newYorkDate(moment), 1); day <= date; day = dayAfter(day, 1))
    if (sessionOf(day) !== null) sessions++;
  return sessions;
}

/**
 * Returns the next report of a company and the last day of the trade; undefined for an instrument that reports nothing,
 * null if no date is known.
 */
export async function reportOf(
  instrument: Instrument,
  {
    moment,
    isPast,
    sessions,
    until,
    signal,
  }: {
    readonly moment: number;
    readonly isPast: boolean;
    readonly sessions: number;
    /** Last day of the trade. Default: that of the sessions. */
    readonly until?: string;
    readonly signal: AbortSignal;
  },
  ports: Pick<Ports, "earnings" | "marketDays">,
): Promise<MarketFacts["report"]> {
  if (instrument.asset_class !== "equity") return undefined;
  const { next } = await nextReport(instrument, { past: isPast ? moment : undefined, signal }, ports);
  return next === null
    ? null
    : { date: next.date, until: until ?? dateAfterSessions(moment, sessions, ports) };
}
