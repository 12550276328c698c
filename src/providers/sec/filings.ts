import type { FilingsProvider } from "../../domain/earnings/provider.ts";
import { acceptanceTimes, isRelease } from "./acceptance-times.ts";
import { createClient, readCompany, type SecSetup, Submissions } from "./client.ts";
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
  const client = createClient(setup);
  return {
    name: "sec",
    budget: { calls: 8, perMs: 1_000, atOnce: 4 },
    async call(instrument, { signal }) {
      const { filings, facts } = await readCompany(client, { instrument, shape: Submissions, signal });
      return {
        releases: releasesOf(filings),
        quarters: facts === null ? [] : quartersOf(facts).slice(0, MAX_QUARTERS),
      };
    },
  };
}
