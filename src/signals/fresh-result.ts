import type { EngineResult } from "../ports/index.ts";

const FRESH_MINUTES = 1440;

/** A nightly result while it may be shown: not older than 1440 minutes at `now`, and not from the future. */
export function freshResult(result: EngineResult | null, now: Date): EngineResult | null {
  if (result === null) return null;
  const minutes = (now.getTime() - Date.parse(result.runAt)) / 60_000;
  return minutes >= 0 && minutes <= FRESH_MINUTES ? result : null;
}
