import { TIMEFRAME_MS } from "../../domain/market/bars.ts";
import { newYorkDay, newYorkOffsetMs } from "../../lib/newyork.ts";
import { type AgedBars, isStale, MAX_MISSED_BARS } from "../../market/calendar/stale-bars.ts";
import type { Picture } from "./picture.ts";
import type { PricedPicture } from "./price.ts";

const HOUR_MS = 3_600_000;
const MAX_NAMED = 5;
/** Returns the note on stale bars; null if they are current. */
export function staleNote(bars: AgedBars): string | null {
  if (!isStale(bars)) return null;
  const hours = Math.floor((bars.at - Date.parse(bars.closed)) / HOUR_MS);
  const age = hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
  return `Stale: the newest closed ${bars.timeframe} bar is ${age} old: it closed ${bars.closed}.`;
}

/** Returns the note on stale bars as a list of at most one. */
export const staleBarNotes = (bars: AgedBars): string[] => {
  const note = staleNote(bars);
  return note === null ? [] : [note];
};

/** Returns the bars of a picture with the time for which it was requested. */
export const agedBars = ({
  decidedAt,
  requestedAt,
  timeframe,
  resolution,
}: Pick<Picture, "decidedAt" | "requestedAt" | "timeframe" | "resolution">): AgedBars => ({
  closed: decidedAt,
  at: requestedAt,
  timeframe,
  asset_class: resolution.instrument.asset_class,
});

/** Returns the tier of a picture's signal: NEUTRAL on stale bars. */
export const servedTier = (picture: Picture): Picture["consensus"]["tier"] =>
  isStale(agedBars(picture)) ? "NEUTRAL" : picture.consensus.tier;

/** Notes of an answer; those on stale bars also stand in `stale_notes`, which is absent without any. */
export interface AnswerNotes {
  readonly notes: readonly string[];
  readonly stale_notes?: readonly string[] | undefined;
}

/** Returns the notes of an answer, those on stale bars first. */
export const withStaleNotes = (
  stale: readonly string[],
  others: readonly string[],
): { notes: string[]; stale_notes?: string[] | undefined } => ({
  notes: [...stale, ...others],
  ...(stale.length > 0 && { stale_notes: [...stale] }),
});

/** Separates the notes on stale bars, which texts show first, from the others. */
export const splitNotes = ({ notes, stale_notes: first = [] }: AnswerNotes) => ({
  first,
  others: notes.filter((note) => !first.includes(note)),
});

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

/** Returns a note on rows of a list whose bars are stale, with at most 5 of their symbols. */
export function staleRowNotes(
  lines: readonly (Pick<AgedBars, "asset_class"> & { readonly symbol: string; readonly as_of: string })[],
  { at, timeframe }: Pick<AgedBars, "at" | "timeframe">,
): string[] {
  const old = lines.filter(({ as_of, asset_class }) =>
    isStale({ closed: as_of, at, timeframe, asset_class }),
  );
  if (old.length === 0) return [];
  const named = old
    .slice(0, MAX_NAMED)
    .map(({ symbol, as_of }) => `${symbol} (closed ${as_of.slice(0, 10)})`);
  const more = old.length > MAX_NAMED ? ` and ${old.length - MAX_NAMED} more` : "";
  return [
    `Stale: more than ${MAX_MISSED_BARS} later ${timeframe} bars are missing: ${named.join(", ")}${more}`,
  ];
}
