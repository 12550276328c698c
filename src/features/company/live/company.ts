import type { Company, InsiderRequest } from "../../../domain/company/company-port.ts";
import type { CompanyRecord } from "../../../domain/company/facts.ts";
import type { InsiderFilings } from "../../../domain/company/insiders.ts";
import type { CompanyProvider, InsiderProvider } from "../../../domain/company/provider.ts";
import type { Instrument } from "../../../domain/market/market.ts";
import type { Clock, DataUnavailable } from "../../../domain/ports.ts";
import type { Guarded } from "../../../market/failover/guard.ts";
import { resourceOf } from "../../../market/failover/resource.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Maximum number of cached companies; the facts of one take about a megabyte. */
const MAX_CACHED = 32;

interface CompanyOptions {
  readonly providers: readonly Guarded<CompanyProvider>[];
  readonly insiders: readonly Guarded<InsiderProvider>[];
  readonly clock: Clock;
  /** Returned if no provider is enabled. */
  readonly missing: DataUnavailable;
  /** Name of the setting of each provider. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Creates the port for what companies file, cached for six hours, and for a week while no provider responds, and for
 * transactions of insiders, cached for ten minutes, and for a day.
 */
export function liveCompany({ providers, insiders, clock, missing, settings }: CompanyOptions): Company {
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
  const fetchInsiders = resourceOf<InsiderRequest & { readonly instrument: Instrument }, InsiderFilings>({
    about: ({ instrument: { symbol } }) => `insider trades of ${symbol}`,
    providers: insiders,
    clock,
    settings,
    keyOf: ({ instrument: { symbol }, until, openMarket, count }) =>
      `${symbol} ${until} ${openMarket} ${count}`,
    freshMs: 10 * MINUTE,
    staleMs: 24 * HOUR,
    uncoveredMs: 6 * HOUR,
  });
  const uncovered = ({ symbol }: Instrument) =>
    ({ unavailable: "not_covered", reason: `No company files with the SEC as ${symbol}` }) as const;
  return {
    async facts(instrument, options) {
      if (providers.length === 0) return missing;
      const found = await fetchFacts(instrument, options);
      if (found === null) return uncovered(instrument);
      const { answer, fetchedAt, ...origin } = found;
      return { record: answer, fetchedAt: new Date(fetchedAt).toISOString(), ...origin };
    },
    async insiders(instrument, { signal, ...request }) {
      if (insiders.length === 0) return missing;
      const found = await fetchInsiders({ instrument, ...request }, { signal });
      if (found === null) return uncovered(instrument);
      const { answer, fetchedAt, ...origin } = found;
      return { ...answer, fetchedAt: new Date(fetchedAt).toISOString(), ...origin };
    },
  };
}
