import { expect } from "vitest";
import type { ProviderFilings } from "../../src/domain/earnings/provider.ts";
import { secFilings } from "../../src/providers/sec/filings.ts";
import { fixed } from "../support/fixed-world.ts";

/** A file of `data/vendors`: responses of a vendor that were once read wrongly. */
export interface VendorFile {
  readonly exchanges: readonly { readonly url: string; readonly status: number; readonly body: unknown }[];
}

type Body = Readonly<Record<string, unknown>>;

/** A fetch that answers with the exchanges of a file and `more` responses by address; 404 for other addresses. */
function edgarOf({ exchanges }: VendorFile, more: Readonly<Record<string, string | Body>> = {}) {
  const requests: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    const url = String(input);
    requests.push(url);
    const found =
      exchanges.find((exchange) => exchange.url === url) ??
      (more[url] === undefined ? { status: 404, body: "" } : { status: 200, body: more[url] });
    const body = typeof found.body === "string" ? found.body : JSON.stringify(found.body);
    return new Response(body, { status: found.status });
  };
  const setup = { fetch, contact: "Acme admin@example.com", now: () => Date.parse("2026-10-06T14:00:00Z") };
  const { signal } = new AbortController();
  const filings = (symbol: string) => secFilings(setup).call({ ...fixed("AAPL"), symbol }, { signal });
  return { requests, filings };
}

const isoReleases = ({ releases }: ProviderFilings) => releases.map((at) => new Date(at).toISOString());
const ARCHIVE = "https://www.sec.gov/Archives/edgar/data";
const headerUrl = (cik: number, accession: string) =>
  `${ARCHIVE}/${cik}/${accession.replaceAll("-", "")}/${accession}-index-headers.html`;

/**
 * Checks of the files of the SEC, by file name: each reads the file through the adapters and expects the right value.
 */
export const SEC_CASES: Readonly<Record<string, (file: VendorFile) => Promise<void>>> = {
  "sec-jpm-shifted-twice": async (file) => {
    const right = ["2026-07-14T10:30:38.000Z"];
    expect(isoReleases(await edgarOf(file).filings("JPM"))).toEqual(right);
    const header = headerUrl(19617, "0000000000-26-000001");
    for (const [text, expected] of [
      ["&lt;ACCEPTANCE-DATETIME&gt;20260714063038\n", right],
      // no convention agrees with it: the header counts for its filing
      ["<ACCEPTANCE-DATETIME>20260714071500\n", ["2026-07-14T11:15:00.000Z"]],
      ["no header", right],
    ] as const)
      expect(isoReleases(await edgarOf(file, { [header]: text }).filings("JPM"))).toEqual(expected);
  },

  "sec-tsla-utc": async (file) => {
    const right = ["2026-10-02T13:04:26.000Z"];
    expect(isoReleases(await edgarOf(file).filings("TSLA"))).toEqual(right);
    const header = { [headerUrl(1318605, "0000000000-26-000000")]: "<ACCEPTANCE-DATETIME>20261002090426" };
    expect(isoReleases(await edgarOf(file, header).filings("TSLA"))).toEqual(right);
  },

  "sec-heavy-filer": async (file) => {
    const page = {
      form: ["424B2", "8-K", "8-K"],
      items: ["", "2.02,9.01", "5.02"],
      filingDate: ["2026-09-05", "2026-07-14", "2026-06-01"],
      reportDate: ["", "2026-07-14", "2026-06-01"],
      acceptanceDateTime: [
        "2026-09-05T12:00:00.000Z",
        "2026-07-14T10:30:38.000Z",
        "2026-06-01T21:45:00.000Z",
      ],
      accessionNumber: ["0000000000-26-000010", "0000000000-26-000009", "0000000000-26-000008"],
    };
    const older = "https://data.sec.gov/submissions/CIK0000019617-submissions-001.json";
    const read = edgarOf(file, { [older]: page });
    const found = await read.filings("JPM");
    expect(isoReleases(found)).toEqual(["2026-07-14T10:30:38.000Z"]);
    expect(found.notes).toBeUndefined();
    expect(read.requests).toContain(older);
    expect(await edgarOf(file).filings("JPM")).toEqual({
      releases: [],
      quarters: [],
      notes: [
        "The SEC's lists of filings up to 2026-09-05 were not read, so earlier announcements of results are unknown",
      ],
    });
  },

  "sec-changed-registrant": async (file) => {
    const missing = [
      "The company filed under CIK 34088 before it registered as CIK 2115436. The SEC did not return those filings, so figures filed before 2026-08-03 are missing",
    ];
    expect(await edgarOf(file).filings("XOM")).toMatchObject({
      quarters: [{ end: "2026-06-30", revenue: 5_000_000_000 }],
      notes: missing,
    });
    const empty = {
      form: [],
      items: [],
      filingDate: [],
      reportDate: [],
      acceptanceDateTime: [],
      accessionNumber: [],
    };
    const rows = ["2026-01-01 2026-03-31 2026-05-04", "2025-04-01 2025-06-30 2025-08-04"].map((row) => {
      const [start, end, filed] = row.split(" ");
      return { start, end, filed, form: "10-Q", val: 4_000_000_000 };
    });
    const both = edgarOf(file, {
      "https://data.sec.gov/submissions/CIK0000034088.json": {
        cik: "0000034088",
        filings: { recent: empty, files: [] },
      },
      "https://data.sec.gov/api/xbrl/companyfacts/CIK0000034088.json": {
        cik: 34088,
        facts: { "us-gaap": { Revenues: { units: { USD: rows } } } },
      },
    });
    const found = await both.filings("XOM");
    expect(found.quarters.map(({ end }) => end)).toEqual(["2026-06-30", "2026-03-31", "2025-06-30"]);
    expect(found.notes).toBeUndefined();
  },
};
