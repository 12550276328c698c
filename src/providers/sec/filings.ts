import type { FilingsProvider } from "../../domain/earnings/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { companyTicker } from "../shared/earnings.ts";
import { createClient, type SecSetup } from "./client.ts";
import { quartersOf } from "./quarters.ts";
import { releasesOf } from "./releases.ts";
import { CompanyFacts, Submissions } from "./wire.ts";

/** Maximum number of quarters of a request. */
const MAX_QUARTERS = 12;

/**
 * Figures that US companies filed, and when they announced results. Two calls per company, and one a day for
 * the list of tickers. Of the published ten calls a second for all data, above which an address is blocked,
 * eight are used. Segments are not part of these facts.
 * @see https://www.sec.gov/search-filings/edgar-application-programming-interfaces
 */
export function secFilings(setup: SecSetup): FilingsProvider {
  const { numberOf, read } = createClient(setup);
  return {
    name: "sec",
    budget: { calls: 8, perMs: 1_000, atOnce: 4 },
    async call(instrument, { signal }) {
      companyTicker(instrument);
      const number = await numberOf(instrument, signal);
      const digits = String(number).padStart(10, "0");
      const [submissions, facts] = await Promise.all([
        read(`/submissions/CIK${digits}.json`, Submissions, signal),
        read(`/api/xbrl/companyfacts/CIK${digits}.json`, CompanyFacts, signal),
      ]);
      if (submissions === null) throw new ProviderFailure("unknown_symbol", "the company has no filings");
      if (submissions.cik !== number || (facts !== null && facts.cik !== number))
        throw new ProviderFailure("malformed", "filings of another company");
      return {
        releases: releasesOf(submissions),
        quarters: facts === null ? [] : quartersOf(facts).slice(0, MAX_QUARTERS),
      };
    },
  };
}
