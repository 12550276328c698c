import type { Picture } from "./picture.ts";

const OLD_DAYS = 5;
const DAY_MS = 86_400_000;
/** Lines of a list that a note names. */
const NAMED = 5;

const daysSince = (time: string, now: Date): number =>
  Math.floor((now.getTime() - Date.parse(time)) / DAY_MS);

/** Whether bars of which the last closed then say little about today. */
export const isOld = (closed: string, now: Date): boolean => daysSince(closed, now) >= OLD_DAYS;

/** What to know before using a signal of now: data so old that it says little about today. */
export function notesOn(
  { decidedAt, timeframe }: Pick<Picture, "decidedAt" | "timeframe">,
  now: Date,
): string[] {
  return isOld(decidedAt, now)
    ? [`The newest closed ${timeframe} bar is ${daysSince(decidedAt, now)} days old: it closed ${decidedAt}.`]
    : [];
}

/** The same of a list: which of its lines rest on old bars, a few of them by name. */
export function notesOnLines(
  lines: readonly { readonly symbol: string; readonly as_of: string }[],
  now: Date,
): string[] {
  const old = lines.filter(({ as_of }) => isOld(as_of, now));
  if (old.length === 0) return [];
  const named = old.slice(0, NAMED).map(({ symbol, as_of }) => `${symbol} (closed ${as_of.slice(0, 10)})`);
  const more = old.length > NAMED ? ` and ${old.length - NAMED} more` : "";
  return [`Ranked on bars at least ${OLD_DAYS} days old: ${named.join(", ")}${more}`];
}
