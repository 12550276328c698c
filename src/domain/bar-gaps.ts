import { type Bars, TIMEFRAME_MS } from "./market/bars.ts";

const DAY = 86_400_000;
/** Maximum number of consecutive sessions without a bar, holidays and halts included, that is not a gap. */
const MAX_MISSING_SESSIONS = 10;

/** Consecutive sessions without a bar. */
export interface BarGap {
  /**
   * Start of the last bar before the gap (`after`; its Sunday for a weekly bar) and of the first bar after it
   * (`until`), epoch ms.
   */
  readonly after: number;
  readonly until: number;
  /** Number of days between these bars: weekdays only, or all days if the market never closes. */
  readonly sessions: number;
}

type GapBars = Pick<Bars, "time" | "zone" | "timeframe">;

/** Returns the gaps of more than 10 consecutive sessions, oldest first. */
export function findBarGaps({ time, zone, timeframe }: GapBars): readonly BarGap[] {
  const found: BarGap[] = [];
  // the last day of a bar
  const span = Math.max(0, TIMEFRAME_MS[timeframe] - DAY);
  for (let bar = 1; bar < time.length; bar++) {
    const [after, until] = [time[bar - 1]! + span, time[bar]!];
    if (until - after <= MAX_MISSING_SESSIONS * DAY) continue;
    const sessions = sessionsBetween(Math.floor(after / DAY), Math.floor(until / DAY), zone === "UTC");
    if (sessions > MAX_MISSING_SESSIONS) found.push({ after, until, sessions });
  }
  return found;
}

/** Describes the gaps in one sentence; null if there are none. */
export function describeBarGaps(bars: GapBars): string | null {
  const gaps = findBarGaps(bars);
  const [widest] = gaps.toSorted((a, b) => b.sessions - a.sessions);
  if (widest === undefined) return null;
  const date = (time: number) => new Date(time).toISOString().slice(0, 10);
  const which = `no bars for ${widest.sessions} sessions between ${date(widest.after)} and ${date(widest.until)}`;
  return gaps.length === 1 ? which : `${which}, the widest of ${gaps.length} gaps`;
}

/** Returns the number of days between two day numbers, both excluded: all days if `everyDay`, otherwise weekdays only. */
function sessionsBetween(from: number, to: number, everyDay: boolean): number {
  if (everyDay) return to - from - 1;
  return weekdaysBefore(to) - weekdaysBefore(from + 1);
}

/** Returns the number of weekdays before a day, counted from Monday, 1969-12-29. Day 0, 1970-01-01, is a Thursday. */
function weekdaysBefore(day: number): number {
  const sinceMonday = day + 3;
  const week = Math.floor(sinceMonday / 7);
  return 5 * week + Math.min(5, sinceMonday - 7 * week);
}
