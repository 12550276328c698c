import type { Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { isStale } from "../../market/calendar/stale-bars.ts";

/** Returns the reason why bars are not current, as a clause; null when they are current. Times are ISO 8601 UTC. */
export function staleBarsReason({
  as_of,
  stale,
  now,
  ...kind
}: {
  /** Close of the newest bar. */
  readonly as_of: string;
  /** True when no provider of the bars responds. */
  readonly stale: boolean;
  readonly now: string;
  readonly timeframe: Timeframe;
  readonly asset_class: AssetClass;
}): string | null {
  if (stale) return `no provider of its bars responds, and the known bars end at ${as_of}`;
  return isStale({ closed: as_of, at: Date.parse(now), ...kind })
    ? `its newest bar closed long ago, at ${as_of}`
    : null;
}

/** Returns the reason why a cached response is not current, as a clause; null when it is current. */
export const staleAnswerReason = (subject: string, stale: boolean): string | null =>
  stale ? `${subject} do not respond, and this is the last known response` : null;
