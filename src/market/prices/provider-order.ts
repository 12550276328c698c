import type { Timeframe } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { MarketCache } from "../../domain/market/market-cache-port.ts";
import type { Clock } from "../../domain/ports.ts";
import type { Guarded } from "../failover/guard.ts";
import { baseOf, stepsTo } from "./aggregate.ts";

const DAY = 86_400_000;

/** What live quotes and bars are made from. */
export interface PriceDeps {
  /** Providers of an instrument in order of preference. */
  readonly chain: (instrument: Instrument) => readonly Guarded[];
  readonly memory: MarketCache;
  readonly clock: Clock;
}

/**
 * Providers that can give these bars: those that reach back far enough first, among them those with the fewest
 * aggregation steps.
 */
export function orderedProviders(
  guards: readonly Guarded[],
  timeframe: Timeframe,
  /** How far back the window starts and ends, ms. */
  back: { readonly needed: number; readonly end: number },
): readonly Guarded[] {
  const reach = ({ provider: { reaches } }: Guarded) => (reaches[baseOf(timeframe, reaches)!] ?? 0) * DAY;
  const able = guards.filter(
    (guarded) =>
      guarded.provider.history !== undefined &&
      baseOf(timeframe, guarded.provider.reaches) !== null &&
      reach(guarded) > back.end,
  );
  const isShort = (guarded: Guarded) => Number(reach(guarded) < back.needed);
  const steps = ({ provider }: Guarded) => stepsTo(timeframe, provider.reaches);
  return able.toSorted((a, b) => isShort(a) - isShort(b) || steps(a) - steps(b));
}
