import { TIMEFRAME_MS } from "../../domain/market/bars.ts";
import { newYorkDay, newYorkOffsetMs } from "../../lib/newyork.ts";
import type { Picture } from "./picture.ts";

const OLD_DAYS = 5;
const DAY_MS = 86_400_000;
/** Maximum rows named in a note. */
const MAX_NAMED = 5;

const daysSince = (time: string, now: Date): number =>
  Math.floor((now.getTime() - Date.parse(time)) / DAY_MS);

/** True if bars whose last one closed then are too old to describe today. */
export const isOld = (closed: string, now: Date): boolean => daysSince(closed, now) >= OLD_DAYS;

/** Note on data too old to describe today. */
export function notesOn(
  { decidedAt, timeframe }: Pick<Picture, "decidedAt" | "timeframe">,
  now: Date,
): string[] {
  return isOld(decidedAt, now)
    ? [`The newest closed ${timeframe} bar is ${daysSince(decidedAt, now)} days old: it closed ${decidedAt}.`]
    : [];
}

/** Time after which every provider has published what traded, ms. */
const OUT_MS = 3_600_000;
/** When US exchanges close, ms after midnight in New York. */
const CLOSES: ReadonlySet<number> = new Set([13, 16].map((hour) => hour * 3_600_000));

/** Note that a later bar has closed but is not available yet. */
export function notesOnLate(
  {
    decidedAt,
    timeframe,
    requestedAt,
    series,
  }: Pick<Picture, "decidedAt" | "timeframe" | "requestedAt" | "series">,
  now: Date,
): string[] {
  const decided = Date.parse(decidedAt);
  const length = TIMEFRAME_MS[timeframe];
  if (timeframe === "1d" || requestedAt - decided < length || now.getTime() - requestedAt > OUT_MS) return [];
  if (series.bars.zone !== "UTC" && !isTrading(decided, requestedAt)) return [];
  return [
    `The newest ${timeframe} close had is that of ${decidedAt.slice(0, 16)}Z: a later one has passed and is not out yet, or nothing traded. A new request may include it.`,
  ];
}

/** True if exchanges kept trading after a close on its day. Ignores what trades outside regular hours. */
function isTrading(close: number, until: number): boolean {
  const clock = close + newYorkOffsetMs(close) - newYorkDay(close);
  return newYorkDay(close) === newYorkDay(until) && clock < Math.max(...CLOSES) && !CLOSES.has(clock);
}

/** Note on the rows of a list that rest on old bars, with some of their names. */
export function notesOnRows(
  lines: readonly { readonly symbol: string; readonly as_of: string }[],
  now: Date,
): string[] {
  const old = lines.filter(({ as_of }) => isOld(as_of, now));
  if (old.length === 0) return [];
  const named = old
    .slice(0, MAX_NAMED)
    .map(({ symbol, as_of }) => `${symbol} (closed ${as_of.slice(0, 10)})`);
  const more = old.length > MAX_NAMED ? ` and ${old.length - MAX_NAMED} more` : "";
  return [`Ranked on bars at least ${OLD_DAYS} days old: ${named.join(", ")}${more}`];
}
