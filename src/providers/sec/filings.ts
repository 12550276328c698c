import type { FilingsProvider } from "../../domain/earnings/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { companyTicker } from "../shared/earnings.ts";
import { acceptanceTimes, isRelease } from "./acceptance-times.ts";
import { CompanyFacts, createClient, type SecSetup, Submissions } from "./client.ts";
import { quartersOf } from "./quarters.ts";

/** Returns the times at which a company announced results (8-K, item 2.02), epoch ms, newest first. */
function releasesOf({ filings: { recent } }: Submissions): readonly number[] {
  return acceptanceTimes(recent)
    .flatMap((at, i) => (at !== null && isRelease(recent, i) ? [at] : []))
    .sort((a, b) => b - a);
}

/** Maximum number of quarters per request. */
const MAX_QUARTERS = 12;

/**
 * Creates the provider of figures filed by US companies and of the times of their results announcements. It makes two
 * calls per company, and one a day for the list of tickers. Of the published ten calls a second for all data, above
 * which an address is blocked, eight are used. The facts contain no segments.
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
