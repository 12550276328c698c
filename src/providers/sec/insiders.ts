import { z } from "zod";
import { OPEN_MARKET } from "../../domain/company/insiders.ts";
import type { InsiderProvider } from "../../domain/company/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createBoundedCache } from "../../lib/bounded-cache.ts";
import { newYorkOffsetMs } from "../../lib/newyork.ts";
import { companyTicker } from "../shared/earnings.ts";
import { withoutReplaced } from "./amendments.ts";
import { createClient, filingsPath, type SecSetup } from "./client.ts";
import { type FilingFacts, type Form4, parseForm4 } from "./form4.ts";

const DAY = 86_400_000;
/** Time of day in New York until which a Form 4 is dated with the same day, ms. */
const LAST_FILING = 22 * 3_600_000;
/** Maximum number of filings about the company per request, of all documents read for them, and of those at once. */
const MAX_FILINGS = 24;
const MAX_DOCUMENTS = 96;
const BATCH_SIZE = 4;
/** Maximum number of cached filings, which never change. */
const MAX_CACHED = 1_000;

/** A company's newest filings as columns of equal length, newest first. */
const Filings = z.object({
  cik: z.union([z.string(), z.number()]).transform(Number),
  filings: z.object({
    recent: z
      .object({
        form: z.array(z.string()),
        filingDate: z.array(z.string()),
        accessionNumber: z.array(z.string()),
        primaryDocument: z.array(z.string()),
        /** Number of the issuer's registration if the company is the reporting owner; empty if it is the issuer. */
        fileNumber: z.array(z.string()).optional(),
      })
      .refine((columns) => new Set(Object.values(columns).map((column) => column?.length)).size === 1),
  }),
});

type Listed = FilingFacts & { readonly file: string };

/**
 * Creates the provider of transactions of insiders, from the newest Forms 4 about a company, without the rows that an
 * amendment replaces. It makes a call for the list of filings, one for each filing that was not read before, at most 24
 * about the company, and one a day for the list of tickers. Filings that are not readable are counted; those in which
 * the company reports on others are skipped. Written from the specification of the format and a recorded list of filings.
 * @see https://www.sec.gov/search-filings/edgar-search-assistance/accessing-edgar-data
 */
export function secInsiders(setup: SecSetup): InsiderProvider {
  const { numberOf, read, document } = createClient(setup);
  const known = createBoundedCache<string, { readonly form4: Form4 | null }>({
    name: "insider filings",
    max: MAX_CACHED,
  });

  async function filingOf(cik: number, { file, ...filing }: Listed, signal: AbortSignal) {
    const before = known.get(filing.accession);
    if (before !== undefined) return before;
    const xml = await document({ cik, accession: filing.accession, file }, signal);
    if (xml === null) return { form4: null };
    const found = { form4: readable(() => parseForm4(xml, filing)) };
    known.set(filing.accession, found);
    return found;
  }

  return {
    name: "sec",
    budget: { calls: 8, perMs: 1_000, atOnce: 4 },
    async call({ instrument, until, openMarket, count }, { signal }) {
      companyTicker(instrument);
      const cik = await numberOf(instrument, signal);
      const list = await read(filingsPath(cik), Filings, signal);
      if (list === null) throw new ProviderFailure("unknown_symbol", "the company has no filings");
      if (list.cik !== cik) throw new ProviderFailure("malformed", "filings of another company");
      const listed = form4sOf(list, until ?? Number.POSITIVE_INFINITY);
      const filings: Form4[] = [];
      let requested = 0;
      let unread = 0;
      const trades = () =>
        withoutReplaced(filings).filter(({ code }) => !openMarket || OPEN_MARKET.has(code));
      while (requested < Math.min(listed.length, MAX_DOCUMENTS) && trades().length < count) {
        const left = MAX_FILINGS - filings.length - unread;
        if (left === 0) break;
        const batch = listed.slice(requested, requested + Math.min(BATCH_SIZE, left));
        for (const { form4 } of await Promise.all(batch.map((one) => filingOf(cik, one, signal)))) {
          if (form4 === null) unread++;
          else if (form4.issuer === cik) filings.push(form4);
        }
        requested += batch.length;
      }
      if (unread > 0 && filings.length === 0)
        throw new ProviderFailure("malformed", "no filing about the company is readable");
      return { trades: [...trades()], read: filings.length, unread, more: requested < listed.length };
    },
  };
}

/** Returns the Forms 4 known by a time (epoch ms), newest first, without those that name the company as owner. */
function form4sOf({ filings: { recent } }: z.infer<typeof Filings>, until: number): readonly Listed[] {
  return recent.form.flatMap((form, i) => {
    const filed = recent.filingDate[i]!;
    const accession = recent.accessionNumber[i]!;
    // the listed document is a page made from the XML document of the same name
    const file = recent.primaryDocument[i]!.replace(/^xsl[^/]*\//, "");
    const isReadable = /^\d{10}-\d\d-\d{6}$/.test(accession) && /^[\w.-]+\.xml$/.test(file);
    if ((form !== "4" && form !== "4/A") || !isReadable || !(knownAt(filed) <= until)) return [];
    if (recent.fileNumber !== undefined && recent.fileNumber[i] !== "") return [];
    return [{ form, filed, accession, file }];
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
