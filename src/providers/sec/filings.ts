import type { FilingsProvider } from "../../domain/earnings/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createClient, digitsOf, type SecSetup } from "./client.ts";
import { quartersOf } from "./quarters.ts";
import { releasesOf } from "./releases.ts";
import { CompanyFacts, Submissions } from "./wire.ts";

/** Quarters told; as many as one may ask about. */
const MAX_QUARTERS = 12;

/**
 * What US companies filed, as audited, and when they announced results. Two calls a company, and one a day for the list
 * of tickers. It publishes ten calls a second for everything together, after which an address is shut out: eight are used.
 * Funds file no earnings. Segments stand in the filings themselves and not in these facts.
 * @see https://www.sec.gov/search-filings/edgar-application-programming-interfaces
 */
export function secFilings(setup: SecSetup): FilingsProvider {
  const { numberOf, read } = createClient(setup);
  return {
    name: "sec",
    budget: { calls: 8, perMs: 1_000, atOnce: 4 },
    async call(instrument, { signal }) {
      if (instrument.asset_class !== "equity")
        throw new ProviderFailure("unsupported", "companies alone file");
      const number = await numberOf(instrument, signal);
      const digits = digitsOf(number);
      const [submissions, facts] = await Promise.all([
        read(`/submissions/CIK${digits}.json`, Submissions, signal),
        read(`/api/xbrl/companyfacts/CIK${digits}.json`, CompanyFacts, signal),
      ]);
      if (submissions === null) throw new ProviderFailure("unknown_symbol", "it has no filings of it");
      if (submissions.cik !== number || (facts !== null && facts.cik !== number))
        throw new ProviderFailure("malformed", "filings of another company");
      return {
        releases: releasesOf(submissions),
        quarters: facts === null ? [] : quartersOf(facts).slice(0, MAX_QUARTERS),
      };
    },
  };
}
