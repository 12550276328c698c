import type { Disclosure } from "../../domain/congress/congress.ts";
import type { DisclosureProvider, Filings, RetryableFiling } from "../../domain/congress/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { dayAfter } from "../../lib/day-after.ts";
import { toDisclosure } from "../shared/disclosure.ts";
import { createHttpClient, type HttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { extractZipFile, type ListedReport, parseFilingList } from "./filing-list.ts";
import { pdfText } from "./pdf-text.ts";
import { parseReportRows, toTextLines } from "./report.ts";

const BASE_URL = "https://disclosures-clerk.house.gov";
const DOCUMENT_URL = `${BASE_URL}/public_disc/ptr-pdfs`;
/** Maximum number of reports read per request. */
const MAX_REPORTS_PER_ANSWER = 10;
/** Minimum number of letters of a readable report; one with fewer is a scan. */
const MIN_LETTERS = 50;
const MAX_BYTES = 16 * 1024 * 1024;
/** Size from which a report is taken for a scan, bytes; one with text has some hundred kilobytes. */
const MAX_TEXT_BYTES = 2 * 1024 * 1024;
const FIRST_MONTH = "01";

/**
 * Creates the provider of the House's periodic transaction reports, newest first, ten per request: one call for the
 * Clerk's list of each year and one call for each report. Scanned reports are returned as unread. No limit is
 * published; 30 calls a minute are used, two at a time.
 * @see https://disclosures-clerk.house.gov/FinancialDisclosure
 */
export function houseclerk(setup: ProviderSetup): DisclosureProvider {
  const client = createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? BASE_URL, maxBytes: MAX_BYTES });
  return {
    name: "houseclerk",
    budget: { calls: 30, perMs: 60_000, atOnce: 2 },
    async call({ chamber, ticker, since, until, known }, { signal }): Promise<Filings> {
      if (chamber !== "house" || ticker !== null)
        throw new ProviderFailure("unsupported", "House reports cannot be requested by ticker");
      const { listed, missingYear } = await fetchFilingLists(client, { since, until, signal });
      const unknown = listed.filter(({ docId }) => !known.has(docId));
      const trades: Disclosure[] = [];
      const unread: RetryableFiling[] = [];
      const done: string[] = [];
      for (const report of unknown.slice(0, MAX_REPORTS_PER_ANSWER)) {
        const read = await fetchReport(client, report, signal).catch((cause: unknown) => {
          // the reports read so far are returned; the next request begins with the failed one
          if (done.length === 0 || signal.aborted) throw cause;
          return null;
        });
        if (read === null) break;
        if ("why" in read) unread.push(read);
        else trades.push(...read.trades);
        if ("partly" in read && read.partly !== null) unread.push(read.partly);
        done.push(report.docId);
      }
      const next = unknown[done.length];
      return {
        trades,
        unread,
        read: done,
        completeFrom: next === undefined ? since : dayAfter(next.filed),
        more: next !== undefined,
        ...(missingYear !== null && {
          note: `The House has no list of filings of ${missingYear} yet: nothing has been filed in that year so far`,
        }),
      };
    },
  };
}

type FilingListRequest = { readonly since: string; readonly until: string; readonly signal: AbortSignal };

/**
 * Reads the lists of all years of a range, newest first. The list of a year appears with its first filing:
 * `missingYear` is a new year that has no list yet. That is accepted in its first month, and when the list of the year
 * before was read too.
 */
async function fetchFilingLists(
  client: HttpClient,
  { since, until, signal }: FilingListRequest,
): Promise<{ readonly listed: readonly ListedReport[]; readonly missingYear: number | null }> {
  const [first, last] = [Number(since.slice(0, 4)), Number(until.slice(0, 4))];
  const mayBeMissing = last > first || until.slice(5, 7) === FIRST_MONTH;
  const listed: ListedReport[] = [];
  let missingYear: number | null = null;
  for (let year = last; year >= first; year--) {
    const { status, body } = await client.bytes(`/public_disc/financial-pdfs/${year}FD.zip`, {
      signal,
      accept: year === last && mayBeMissing ? [404] : [],
    });
    if (status === 404) {
      missingYear = year;
      continue;
    }
    if (body[0] === 0x3c) throw new ProviderFailure("blocked", "HTML page instead of data");
    const xml = new TextDecoder().decode(extractZipFile(body, "FD.xml"));
    listed.push(...parseFilingList(xml).filter(({ filed }) => filed >= since && filed <= until));
  }
  return { listed, missingYear };
}

interface ReadReport {
  readonly trades: readonly Disclosure[];
  /** The report to retry because some of its rows could not be read; null if all were read. */
  readonly partly: RetryableFiling | null;
}

async function fetchReport(
  client: HttpClient,
  report: ListedReport,
  signal: AbortSignal,
): Promise<ReadReport | RetryableFiling> {
  const { docId, filed, name, state } = report;
  const path = `${filed.slice(0, 4)}/${docId}.pdf`;
  const docUrl = `${DOCUMENT_URL}/${path}`;
  const unread = (why: string, again = false): RetryableFiling => ({
    doc_id: docId,
    member: name,
    chamber: "house",
    filing_date: filed,
    doc_url: docUrl,
    why,
    retryable: again,
  });
  const { status, body } = await client.bytes(`/public_disc/ptr-pdfs/${path}`, { signal, accept: [404] });
  // for a missing report, the Clerk returns an HTML page with any status
  if (status === 404 || body[0] === 0x3c) return unread("The report is not (yet) available", true);
  if (body.length > MAX_TEXT_BYTES) return unread("The report is larger than 2 MB; it is probably a scan");
  const pages = pdfText(body);
  if (pages === null) return unread("The report is not a PDF", true);
  const lines = toTextLines(pages);
  if (lines.join("").replace(/\s/g, "").length < MIN_LETTERS)
    return unread("The report contains no text; it is probably a scan");
  const { rows, whole: complete } = parseReportRows(lines);
  if (rows.length === 0) return unread("No row of the report could be read");
  const trades = rows.map((row, i) =>
    toDisclosure({
      ...row,
      id: `houseclerk:${docId}:${i}`,
      chamber: "house",
      member: name,
      state,
      assetType: row.asset_type,
      filed,
      docUrl,
      asFiled: row.as_filed,
    }),
  );
  return { trades, partly: complete ? null : unread("Some rows of the report could not be read") };
}
