import type { Instrument } from "../../../domain/market/market.ts";
import type { Clock, DataUnavailable } from "../../../domain/ports.ts";
import type { ShortInterestProvider, ShortInterestReports } from "../../../domain/short-interest/provider.ts";
import type { ShortInterest } from "../../../domain/short-interest/short-interest-port.ts";
import type { Guarded } from "../../../market/failover/guard.ts";
import { resourceOf } from "../../../market/failover/resource.ts";

const HOUR = 3_600_000;

interface ShortInterestOptions {
  readonly providers: readonly Guarded<ShortInterestProvider>[];
  readonly clock: Clock;
  /** Returned if no provider is enabled. */
  readonly missing: DataUnavailable;
}

/**
 * Creates the port for short interest of live providers, cached for six hours, and for two weeks while none responds.
 */
export function liveShortInterest({ providers, clock, missing }: ShortInterestOptions): ShortInterest {
  const fetchReports = resourceOf<{ readonly instrument: Instrument }, ShortInterestReports>({
    about: ({ instrument: { symbol } }) => `short interest of ${symbol}`,
    providers,
    clock,
    keyOf: ({ instrument: { symbol } }) => symbol,
    freshMs: 6 * HOUR,
    staleMs: 14 * 24 * HOUR,
    uncoveredMs: HOUR,
  });
  return {
    async reports(instrument, options) {
      if (providers.length === 0) return missing;
      const found = await fetchReports({ instrument }, options);
      if (found === null)
        return {
          unavailable: "not_covered",
          reason: `No short interest is reported for ${instrument.symbol}`,
        };
      const { answer, fetchedAt, ...origin } = found;
      return { ...answer, fetchedAt: new Date(fetchedAt).toISOString(), ...origin };
    },
  };
}
