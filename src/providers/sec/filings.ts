import type { FilingsProvider } from "../../domain/earnings/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { newYorkOffsetMs } from "../../lib/newyork.ts";
import { companyTicker } from "../shared/earnings.ts";
import { parseNewYorkTime } from "../shared/timestamps.ts";
import { CompanyFacts, createClient, type SecSetup, Submissions } from "./client.ts";
import { quartersOf } from "./quarters.ts";

const HOUR = 3_600_000;
/** Times of day in New York between which EDGAR accepts filings, ms. */
const OPENS = 6 * HOUR;
const CLOSES = 22 * HOUR + 60_000;

/**
 * Returns the times at which a company announced results (8-K, item 2.02), epoch ms, newest first. They are
 * labelled UTC, but in some responses they are New York times, recognizable by filings outside EDGAR's hours. If
 * both are possible, the later one is used, so that no fact is known too early.
 */
function releasesOf({ filings: { recent } }: Submissions): readonly number[] {
  const stamps = recent.acceptanceDateTime.map((text) => text.slice(0, 19));
  const asUtc = stamps.map((text) => Date.parse(`${text}Z`));
  const possibleAsUtc = asUtc.every((at) => {
    const clock = (((at + newYorkOffsetMs(at)) % (24 * HOUR)) + 24 * HOUR) % (24 * HOUR);
    return clock >= OPENS && clock <= CLOSES;
  });
  const asNewYork = stamps.map((text) => parseNewYorkTime(text));
  const impossibleAsNewYork = stamps.some((text) => {
    const [hours = 0, minutes = 0] = text.slice(11).split(":").map(Number);
    const clock = hours * HOUR + minutes * 60_000;
    return clock < OPENS || clock > CLOSES;
  });
  const times = possibleAsUtc && impossibleAsNewYork ? asUtc : asNewYork;
  return recent.form
    .flatMap((form, i) => {
      const at = times[i];
      const results = (recent.items[i] ?? "").split(",").includes("2.02");
      return form.startsWith("8-K") && results && typeof at === "number" && !Number.isNaN(at) ? [at] : [];
    })
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
