import type { Picture } from "./picture.ts";

const OLD_DAYS = 5;
const DAY_MS = 86_400_000;

/** What to know before using a signal of now: data so old that it says little about today. */
export function notesOn(
  { decidedAt, timeframe }: Pick<Picture, "decidedAt" | "timeframe">,
  now: Date,
): string[] {
  const days = Math.floor((now.getTime() - Date.parse(decidedAt)) / DAY_MS);
  return days < OLD_DAYS
    ? []
    : [`The newest closed ${timeframe} bar is ${days} days old: it closed ${decidedAt}.`];
}
