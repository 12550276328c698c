import type { z } from "zod";
import { OPEN_MARKET } from "../../domain/company/insiders.ts";
import type { InsiderProvider } from "../../domain/company/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createBoundedCache } from "../../lib/bounded-cache.ts";
import { newYorkOffsetMs } from "../../lib/newyork.ts";
import { companyTicker } from "../shared/earnings.ts";
import { withoutReplaced } from "./amendments.ts";
import { ACCESSION, createClient, filingsPath, type SecSetup } from "./client.ts";
import { listOf, orNull, pageOf, readPages, TextColumn } from "./filing-lists.ts";
import { type FilingFacts, type Form4, parseForm4 } from "./form4.ts";
import { predecessorOf } from "./registrants.ts";

const DAY = 86_400_000;
/** Time of day in New York until which a Form 4 is dated with the same day, ms. */
const LAST_FILING = 22 * 3_600_000;
/** Maximum number of filings about the company per request, of all documents read for them, and of those at once. */
const MAX_FILINGS = 24;
const MAX_DOCUMENTS = 96;
const BATCH_SIZE = 4;
/** Maximum number of cached filings, which never change. */
const MAX_CACHED = 1_000;

/** A page of filings about a company, or by it as owner, newest first. */
const Page = pageOf({
  form: TextColumn,
  filingDate: TextColumn,
  accessionNumber: TextColumn,
  primaryDocument: TextColumn,
  /** Number of the issuer's registration if the company is the reporting owner; empty if it is the issuer. */
  fileNumber: TextColumn.optional(),
});
type Page = z.infer<typeof Page>;
const Filings = listOf(Page);

type Listed = FilingFacts & { readonly cik: number; readonly file: string };

/**
 * Creates the provider of transactions of insiders, from the newest Forms 4 about a company, without the rows that an
 * amendment replaces. It makes a call for the list of filings, up to four for its older pages if the newest has too
 * few, one for each filing that was not read before, at most 24 about the company, and one a day for the list of
 * tickers. Of a company with a known earlier CIK, both lists are read. Filings that are not readable are counted; those
 * in which the company reports on others are skipped. Written from the specification of the format and a recorded list
 * of filings.
 * @see https://www.sec.gov/search-filings/edgar-search-assistance/accessing-edgar-data
 */
export function secInsiders(setup: SecSetup): InsiderProvider {
  const { numberOf, read, document } = createClient(setup);
  const known = createBoundedCache<string, { readonly form4: Form4 | null }>({
    name: "insider filings",
    max: MAX_CACHED,
  });

  async function filingOf({ cik, file, ...filing }: Listed, signal: AbortSignal) {
    const before = known.get(filing.accession);
    if (before !== undefined) return before;
    const xml = await document({ cik, accession: filing.accession, file }, signal);
    if (xml === null) return { form4: null };
    const found = { form4: readable(() => parseForm4(xml, filing)) };
    known.set(filing.accession, found);
    return found;
  }

  /** Returns the Forms 4 listed under one CIK; null if it has no list. `hasOlder`: further pages were not read. */
  async function listedOf(cik: number, until: number, signal: AbortSignal) {
    const list = await read(filingsPath(cik), Filings, signal);
    if (list === null) return null;
    if (list.cik !== cik) throw new ProviderFailure("malformed", "filings of another company");
    const form4sIn = (pages: readonly Page[]) => pages.flatMap((page) => form4sOf(cik, page, until));
    const { pages, unread } = await readPages(read, {
      list,
      page: Page,
      until,
      isEnough: (some) => form4sIn(some).length >= MAX_FILINGS,
      signal,
    });
    return { listed: form4sIn(pages), hasOlder: unread !== null };
  }

  return {
    name: "sec",
    budget: { calls: 8, perMs: 1_000, atOnce: 4 },
    async call({ instrument, until = Number.POSITIVE_INFINITY, openMarket, count }, { signal }) {
      companyTicker(instrument);
      const cik = await numberOf(instrument, signal);
      const earlier = predecessorOf(cik);
      const [current, before] = await Promise.all([
        listedOf(cik, until, signal),
        earlier === null ? null : orNull(listedOf(earlier, until, signal), signal),
      ]);
      if (current === null) throw new ProviderFailure("unknown_symbol", "the company has no filings");
      const listed = [...current.listed, ...(before?.listed ?? [])];
      const hasOlder = current.hasOlder || before?.hasOlder === true;
      const filings: Form4[] = [];
      let requested = 0;
      let unread = 0;
      const trades = () =>
        withoutReplaced(filings).filter(({ code }) => !openMarket || OPEN_MARKET.has(code));
      while (requested < Math.min(listed.length, MAX_DOCUMENTS) && trades().length < count) {
        const left = MAX_FILINGS - filings.length - unread;
        if (left === 0) break;
        const batch = listed.slice(requested, requested + Math.min(BATCH_SIZE, left));
        for (const { form4 } of await Promise.all(batch.map((one) => filingOf(one, signal)))) {
          if (form4 === null) unread++;
          else if (form4.issuer === cik || form4.issuer === earlier) filings.push(form4);
        }
        requested += batch.length;
      }
      if (unread > 0 && filings.length === 0)
        throw new ProviderFailure("malformed", "no filing about the company is readable");
      const more = requested < listed.length || hasOlder;
      return { trades: [...trades()], read: filings.length, unread, more };
    },
  };
}

/** Returns the Forms 4 known by a time (epoch ms), newest first, without those that name the company as owner. */
function form4sOf(cik: number, recent: Page, until: number): readonly Listed[] {
  return recent.form.flatMap((form, i) => {
    const filed = recent.filingDate[i]!;
    const accession = recent.accessionNumber[i]!;
    // the listed document is a page made from the XML document of the same name
    const file = recent.primaryDocument[i]!.replace(/^xsl[^/]*\//, "");
    const isReadable = ACCESSION.test(accession) && /^[\w.-]+\.xml$/.test(file);
    if ((form !== "4" && form !== "4/A") || !isReadable || !(knownAt(filed) <= until)) return [];
    if (recent.fileNumber !== undefined && recent.fileNumber[i] !== "") return [];
    return [{ cik, form, filed, accession, file }];
  });
}

function knownAt(filed: string): number {
  const day = Date.parse(filed);
  return day + LAST_FILING - newYorkOffsetMs(day + DAY / 2);
}

/** Returns the result of parsing; null for an unreadable document. */
function readable<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch (cause) {
    if (cause instanceof ProviderFailure && cause.kind === "malformed") return null;
    throw cause;
  }
}
