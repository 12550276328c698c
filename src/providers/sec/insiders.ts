import { LRUCache } from "lru-cache";
import { z } from "zod";
import { type InsiderTrade, OPEN_MARKET } from "../../domain/company/insiders.ts";
import type { InsiderProvider } from "../../domain/company/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { newYorkOffsetMs } from "../../lib/newyork.ts";
import { companyTicker } from "../shared/earnings.ts";
import { createClient, filingsPath, type SecSetup } from "./client.ts";
import { type FilingFacts, parseForm4 } from "./form4.ts";

const DAY = 86_400_000;
/** Time of day in New York until which a Form 4 is dated with the same day, ms. */
const LAST_FILING = 22 * 3_600_000;
/** Maximum number of filings read per request, and of those requested together. */
const MAX_FILINGS = 24;
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
      })
      .refine((columns) => new Set(Object.values(columns).map(({ length }) => length)).size === 1),
  }),
});

type Listed = FilingFacts & { readonly file: string };

/**
 * Creates the provider of transactions of insiders, from the newest Forms 4 about a company. It makes a call for the
 * list of filings, one for each filing that was not read before, at most 24, and one a day for the list of tickers.
 * Filings that are not readable are counted. Written from the specification of the format and a recorded list of
 * filings.
 * @see https://www.sec.gov/search-filings/edgar-search-assistance/accessing-edgar-data
 */
export function secInsiders(setup: SecSetup): InsiderProvider {
  const { numberOf, read, document } = createClient(setup);
  const known = new LRUCache<string, { readonly trades: readonly InsiderTrade[] | null }>({
    max: MAX_CACHED,
  });

  async function tradesOf(cik: number, { file, ...filing }: Listed, signal: AbortSignal) {
    const before = known.get(filing.accession);
    if (before !== undefined) return before;
    const xml = await document({ cik, accession: filing.accession, file }, signal);
    if (xml === null) return { trades: null };
    const found = { trades: readable(() => parseForm4(xml, cik, filing)) };
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
      const newest = listed.slice(0, MAX_FILINGS);
      const trades: InsiderTrade[] = [];
      let requested = 0;
      let unread = 0;
      while (requested < newest.length && trades.length < count) {
        const batch = newest.slice(requested, requested + BATCH_SIZE);
        for (const found of await Promise.all(batch.map((one) => tradesOf(cik, one, signal)))) {
          if (found.trades === null) unread++;
          trades.push(...(found.trades ?? []).filter(({ code }) => !openMarket || OPEN_MARKET.has(code)));
        }
        requested += batch.length;
      }
      if (unread > 0 && unread === requested) throw new ProviderFailure("malformed", "no filing is readable");
      return { trades, read: requested - unread, unread, more: requested < listed.length };
    },
  };
}

/** Returns the Forms 4 known by a time (epoch ms), newest first. */
function form4sOf({ filings: { recent } }: z.infer<typeof Filings>, until: number): readonly Listed[] {
  return recent.form.flatMap((form, i) => {
    const filed = recent.filingDate[i]!;
    const accession = recent.accessionNumber[i]!;
    // the listed document is a page made from the XML document of the same name
    const file = recent.primaryDocument[i]!.replace(/^xsl[^/]*\//, "");
    const isReadable = /^\d{10}-\d\d-\d{6}$/.test(accession) && /^[\w.-]+\.xml$/.test(file);
    if ((form !== "4" && form !== "4/A") || !isReadable || !(knownAt(filed) <= until)) return [];
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
