import type { EngineResult } from "../../domain/ports.ts";

const FRESH_MINUTES = 1440;

/** Returns a nightly result that is at most 1,440 minutes old at `now` and not in the future; null otherwise. */
export const freshResult = (result: EngineResult | null, now: Date): EngineResult | null =>
  result !== null && isFresh(result, now) ? result : null;

/** Returns true when a run is at most 1,440 minutes old at `now` and not in the future. */
export function isFresh({ runAt }: { readonly runAt: string }, now: Date): boolean {
  const minutes = (now.getTime() - Date.parse(runAt)) / 60_000;
  return minutes >= 0 && minutes <= FRESH_MINUTES;
}
