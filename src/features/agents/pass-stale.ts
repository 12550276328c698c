import { isOld } from "../signal/notes.ts";

/** Why bars are not of now, as a clause; null where they are. Times are ISO 8601 UTC. */
export function staleBarsReason({
  as_of,
  stale,
  now,
}: {
  /** When the newest of them closed. */
  readonly as_of: string;
  /** Whether no source of them answers now. */
  readonly stale: boolean;
  readonly now: string;
}): string | null {
  if (stale) return `no source of its bars answers now, and those known end at ${as_of}`;
  return isOld(as_of, new Date(now)) ? `its newest bar closed long ago, at ${as_of}` : null;
}

/** Why an answer of others is not of now, as a clause; null where it is. */
export const staleAnswerReason = (of: string, stale: boolean): string | null =>
  stale ? `${of} do not answer now, and the last known answer is told` : null;
