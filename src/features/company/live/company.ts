import type { Company } from "../../../domain/company/company-port.ts";
import type { CompanyRecord } from "../../../domain/company/facts.ts";
import type { CompanyProvider } from "../../../domain/company/provider.ts";
import type { Instrument } from "../../../domain/market/market.ts";
import type { Clock, DataUnavailable } from "../../../domain/ports.ts";
import type { Guarded } from "../../../market/failover/guard.ts";
import { resourceOf } from "../../../market/failover/resource.ts";

const HOUR = 3_600_000;
/** Maximum number of cached companies; the facts of one take about a megabyte. */
const MAX_CACHED = 32;

interface CompanyOptions {
  readonly providers: readonly Guarded<CompanyProvider>[];
  readonly clock: Clock;
  /** Returned if no provider is enabled. */
  readonly missing: DataUnavailable;
  /** Name of the setting of each provider. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Creates the port for what companies file, cached for six hours, and for a week while no provider responds. */
export function liveCompany({ providers, clock, missing, settings }: CompanyOptions): Company {
  const fetchFacts = resourceOf<Instrument, CompanyRecord>({
    about: ({ symbol }) => `filings of ${symbol}`,
    providers,
    clock,
    settings,
    keyOf: ({ symbol }) => symbol,
    freshMs: 6 * HOUR,
    staleMs: 7 * 24 * HOUR,
    uncoveredMs: 6 * HOUR,
    maxCached: MAX_CACHED,
  });
  return {
    async facts(instrument, options) {
      if (providers.length === 0) return missing;
      const found = await fetchFacts(instrument, options);
      if (found === null)
        return {
          unavailable: "not_covered",
          reason: `No company files with the SEC as ${instrument.symbol}`,
        };
      const { answer, fetchedAt, ...origin } = found;
      return { record: answer, fetchedAt: new Date(fetchedAt).toISOString(), ...origin };
    },
  };
}
