import type { FilingsProvider } from "../../domain/earnings/provider.ts";
import { createBoundedCache } from "../../lib/bounded-cache.ts";
import { parseNewYorkTime } from "../shared/timestamps.ts";
import { acceptanceTimes, isRelease } from "./acceptance-times.ts";
import { ACCESSION, createClient, FilingPage, type SecClient, type SecSetup, Submissions } from "./client.ts";
import { readCompany } from "./company-filings.ts";
import { orNull, readPages } from "./filing-lists.ts";
import { quartersOf } from "./quarters.ts";

/** Maximum number of quarters per request. */
const MAX_QUARTERS = 12;
/** Number of results announcements after which no older page is read. */
const ENOUGH_RELEASES = 4;
/** Maximum number of cached headers, which never change. */
const MAX_CACHED = 1_000;

/** Pages of filings under one CIK. */
interface FiledPages {
  readonly cik: number;
  readonly pages: readonly FilingPage[];
}

/**
 * Creates the provider of figures filed by US companies and of the times of their results announcements. It makes two
 * calls per company and one or two for the header of its newest announcement, which tells the convention of the listed
 * times; further ones for older pages of the list if the newest does not reach a year back, as for banks, or if the
 * company had another CIK before; and one a day for the list of tickers. Of the published ten calls a second for all
 * data, above which an address is blocked, eight are used. The facts contain no segments.
 * @see https://www.sec.gov/search-filings/edgar-application-programming-interfaces
 */
export function secFilings(setup: SecSetup): FilingsProvider {
  const client = createClient(setup);
  const headers = createBoundedCache<string, number>({ name: "filing headers", max: MAX_CACHED });

  /** Returns the acceptance time in the header of a filing, epoch ms; null if it cannot be read. */
  async function headerTimeOf(cik: number, accession: string, signal: AbortSignal): Promise<number | null> {
    const known = headers.get(accession);
    if (known !== undefined || !ACCESSION.test(accession)) return known ?? null;
    const found = await orNull(readHeaderTime(client, { cik, accession, signal }), signal);
    if (found !== null) headers.set(accession, found);
    return found;
  }

  /** Returns the times at which a company announced results (8-K, item 2.02), epoch ms, newest first. */
  async function releasesOf(filed: readonly FiledPages[], signal: AbortSignal): Promise<readonly number[]> {
    const lists = filed.flatMap(({ cik, pages }) =>
      pages.map((page) => ({ cik, page, times: acceptanceTimes(page) })),
    );
    const releases = lists.flatMap(({ cik, page, times }) =>
      times.flatMap((at, index) => (at !== null && isRelease(page, index) ? [{ cik, page, index, at }] : [])),
    );
    const [newest] = releases.toSorted((a, b) => b.at - a.at);
    if (newest === undefined) return [];
    const accession = newest.page.accessionNumber?.[newest.index] ?? "";
    const at = await headerTimeOf(newest.cik, accession, signal);
    const corrected = at === null ? null : acceptanceTimes(newest.page, { index: newest.index, at });
    return releases
      .flatMap((one) => (one.page === newest.page && corrected ? (corrected[one.index] ?? []) : one.at))
      .sort((a, b) => b - a);
  }

  return {
    name: "sec",
    budget: { calls: 8, perMs: 1_000, atOnce: 4 },
    async call(instrument, { signal }) {
      const found = await readCompany(client, { instrument, shape: Submissions, signal });
      const { pages, unread } = await readPages(client.read, {
        list: found.filings,
        page: FilingPage,
        isEnough: hasEnoughReleases,
        signal,
      });
      const before =
        found.before === null ? [] : [{ cik: found.before.cik, pages: [found.before.filings.recent] }];
      const releases = await releasesOf([{ cik: found.cik, pages }, ...before], signal);
      const notes =
        unread === null || releases.length > 0 ? found.notes : [...found.notes, unreadNote(unread)];
      return {
        releases,
        quarters: found.facts === null ? [] : quartersOf(found.facts).slice(0, MAX_QUARTERS),
        ...(notes.length > 0 && { notes }),
      };
    },
  };
}

const unreadNote = (day: string): string =>
  `The SEC's lists of filings up to ${day} were not read, so earlier announcements of results are unknown`;

function hasEnoughReleases(pages: readonly FilingPage[]): boolean {
  const counts = pages.map((page) => page.form.filter((_, i) => isRelease(page, i)).length);
  return counts.reduce((sum, count) => sum + count, 0) >= ENOUGH_RELEASES;
}

/**
 * Reads the acceptance time in the SGML header of a filing, epoch ms, which is New York time; null without one. Older
 * filings have it only in the second file.
 */
async function readHeaderTime(
  { document }: Pick<SecClient, "document">,
  {
    cik,
    accession,
    signal,
  }: { readonly cik: number; readonly accession: string; readonly signal: AbortSignal },
): Promise<number | null> {
  for (const ending of ["-index-headers.html", ".hdr.sgml"]) {
    const header = await document({ cik, accession, file: `${accession}${ending}` }, signal);
    const digits = /(?:<|&lt;)ACCEPTANCE-DATETIME(?:>|&gt;)\s*(\d{14})(?!\d)/.exec(header ?? "")?.[1];
    if (digits !== undefined)
      return parseNewYorkTime(digits.replace(/^(....)(..)(..)(..)(..)(..)$/, "$1-$2-$3T$4:$5:$6"));
  }
  return null;
}
