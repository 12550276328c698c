import type { SessionZone } from "../../domain/market/bars.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { isTradingDate } from "../../market/prices/row-check.ts";
import type { RawRows } from "./rows.ts";
import { toInstant } from "./written-time.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;
/** A stamp in the last minute of a day is the end of that day. */
export const LAST_MINUTE = DAY - MINUTE;
const MIN_ROWS = 10;
const SUNDAY = 0;
const MONDAY = 1;
const FRIDAY = 5;
const SATURDAY = 6;

/** How the date of a daily bar follows from its stamp: as written, or as the date of the instant in a zone. */
export type DayRule = "written" | SessionZone;

/** Returns the date of a daily bar (its 00:00 UTC, epoch ms) by a rule. `clock` is the zone of times without an offset. */
export function dayOf(wall: number, offset: number, rule: DayRule, clock: SessionZone): number {
  if (rule === "written") return Math.floor(wall / DAY) * DAY;
  const instant = toInstant({ wall, offset }, clock, -Infinity);
  return rule === "UTC" ? Math.floor(instant / DAY) * DAY : newYorkDay(instant);
}

/** Decides over all rows which dates their stamps mean. Returns the reason if it is not clear. */
export function decideDay(
  rows: RawRows,
  zone: SessionZone,
  clock: SessionZone,
): { readonly day: DayRule; readonly notes: readonly string[] } | string {
  const { wall, offset, length } = rows;
  const instants = Float64Array.from({ length }, (_, at) =>
    toInstant({ wall: wall[at]!, offset: offset[at]! }, clock, -Infinity),
  );
  if (zone === "UTC") return decideDayOfCoins(instants);
  const isMidnight = (times: Float64Array) => times.subarray(0, length).every((time) => time % DAY === 0);
  const preferred: DayRule = isMidnight(wall) ? "written" : isMidnight(instants) ? "UTC" : "America/New_York";
  const naive = offset.subarray(0, length).every(Number.isNaN);
  const isPlain = naive && isMidnight(wall) && clock !== "UTC";
  const rules: readonly DayRule[] = isPlain
    ? ["written"]
    : [...new Set<DayRule>([naive ? "written" : preferred, "America/New_York", "UTC", "written"])];
  const fits = rules.map((rule) => weekdaysOf(rows, rule, clock));
  const fewest = Math.min(...fits.map(({ closed }) => closed));
  const at = fits.findIndex(({ closed }) => closed === fewest);
  const [rule, { days }] = [rules[at]!, fits[at]!];
  const missing = (day: number) => days[day] === 0;
  if (length >= MIN_ROWS && !missing(SUNDAY) && missing(FRIDAY) && missing(SATURDAY))
    return "its daily rows are on Sundays to Thursdays: its dates are a day early";
  if (length >= MIN_ROWS && !missing(SATURDAY) && missing(SUNDAY) && missing(MONDAY))
    return "its daily rows are on Tuesdays to Saturdays: its dates are a day late";
  const isMoved =
    rule !== "written" &&
    Array.from({ length }, (_, row) => row).some(
      (row) => dayOf(wall[row]!, offset[row]!, rule, clock) !== Math.floor(wall[row]! / DAY) * DAY,
    );
  return {
    day: rule,
    notes: isMoved ? [`its dates are those of its stamps in ${rule === "UTC" ? "UTC" : "New York"}`] : [],
  };
}

/** Days of coins begin at 00:00 UTC: a day that begins later would be known before its end. */
function decideDayOfCoins(instants: Float64Array): { day: DayRule; notes: readonly string[] } | string {
  const counts = new Map<number, number>();
  for (const instant of instants) {
    const time = ((instant % DAY) + DAY) % DAY;
    const begin = time >= LAST_MINUTE ? 0 : time;
    counts.set(begin, (counts.get(begin) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  if (most === undefined || most[0] === 0) return { day: "UTC", notes: [] };
  const begin = new Date(most[0]).toISOString().slice(11, 16);
  return `its days begin at ${begin} UTC, and days of coins are those of UTC: a day would be known before its end; bring days that begin at 00:00 UTC, or hourly bars`;
}

/** Returns the number of rows on dates without a session, and by day of the week from Sunday. */
function weekdaysOf({ wall, offset, length }: RawRows, rule: DayRule, clock: SessionZone) {
  const days = [0, 0, 0, 0, 0, 0, 0];
  let closed = 0;
  for (let at = 0; at < length; at++) {
    const day = dayOf(wall[at]!, offset[at]!, rule, clock);
    days[new Date(day).getUTCDay()]!++;
    if (!isTradingDate(day)) closed++;
  }
  return { days, closed };
}
