import { type BarTimeframe, TIMEFRAME_MS } from "../../domain/market/bars.ts";
import { newYorkDay, newYorkOffsetMs } from "../../lib/newyork.ts";
import type { Picture } from "./picture.ts";
import type { PricedPicture } from "./price.ts";

const OLD_DAYS = 5;
const DAY_MS = 86_400_000;
const MAX_NAMED = 5;

const daysSince = (time: string, now: Date): number =>
  Math.floor((now.getTime() - Date.parse(time)) / DAY_MS);

/** Returns true if the last bar closed at least 5 days ago; a weekly bar, at least 12. */
export const isOld = (closed: string, now: Date, timeframe: BarTimeframe = "1d"): boolean =>
  daysSince(closed, now) >= OLD_DAYS + (timeframe === "1w" ? 7 : 0);

export function staleBarNotes(
  { decidedAt, timeframe }: Pick<Picture, "decidedAt"> & { readonly timeframe: BarTimeframe },
  now: Date,
): string[] {
  return isOld(decidedAt, now, timeframe)
    ? [`The newest closed ${timeframe} bar is ${daysSince(decidedAt, now)} days old: it closed ${decidedAt}.`]
    : [];
}

/** Returns a note if a file of another timeframe ends later or earlier than the bars of a signal from files. */
export function otherFileNotes({
  decidedAt,
  timeframe,
  price,
}: Pick<PricedPicture, "decidedAt" | "timeframe" | "price">): string[] {
  if (price.source !== "file_close" || price.as_of === null || price.as_of === decidedAt) return [];
  return [
    `The ${timeframe} bars end at ${decidedAt}; the price is the close of a file of another timeframe that ends at ${price.as_of}.`,
  ];
}

/** Delay after which every provider has published a closed bar, ms. */
const MAX_PUBLISH_DELAY_MS = 3_600_000;
/** Closing times of US exchanges on half and full days, ms after midnight in New York. */
const CLOSES: ReadonlySet<number> = new Set([13, 16].map((hour) => hour * 3_600_000));

/** Returns a note if a later bar should have closed but is not available yet. */
export function lateBarNotes(
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
  if (
    timeframe === "1d" ||
    requestedAt - decided < length ||
    now.getTime() - requestedAt > MAX_PUBLISH_DELAY_MS
  )
    return [];
  if (series.bars.zone !== "UTC" && !isTrading(decided, requestedAt)) return [];
  return [
    `The newest available ${timeframe} bar closed ${decidedAt.slice(0, 16)}Z: a later bar is not published yet, or nothing traded. A retry may include it.`,
  ];
}

/**
 * Returns true if the exchanges were still trading after a bar's close and `until` is on the same day. Ignores extended
 * hours.
 */
function isTrading(close: number, until: number): boolean {
  const clock = close + newYorkOffsetMs(close) - newYorkDay(close);
  return newYorkDay(close) === newYorkDay(until) && clock < Math.max(...CLOSES) && !CLOSES.has(clock);
}

/** Returns a note on rows of a list that are computed from old bars, with at most 5 of their symbols. */
export function staleRowNotes(
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
