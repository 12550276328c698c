import { newYorkDate, newYorkOffsetMs } from "../../src/lib/newyork.ts";
import { DAY_MS, isoDate } from "../../src/providers/sample/time.ts";
import { instrumentOf } from "./lookup.ts";
import { reportsOf, type WorldReport } from "./reports.ts";
import { xml } from "./rss.ts";
import { empty, json, page, type Reply, type Vendor } from "./vendor.ts";
import { releasesOf } from "./wires.ts";
import type { World } from "./world.ts";

/** The contact address clients must send. */
const CONTACT = "Replay admin@example.com";
const EXCEEDED = "SEC.gov | Request Rate Threshold Exceeded";

/**
 * EDGAR: companies by number, filings as columns with older pages, headers of filings, figures by tag with their dates;
 * an error page for clients without a contact address.
 */
export const secVendor: Vendor = {
  name: "sec",
  key: CONTACT,
  latency: { p50: 150, p95: 600 },
  answer({ path, query, headers }, world) {
    if (!/\S+@\S+/.test(headers.get("user-agent") ?? "")) return page(403, EXCEEDED);
    if (path === "/cgi-bin/browse-edgar")
      return query.get("action") === "getcurrent"
        ? currentFilings(world)
        : feed(query.get("CIK") ?? "", world);
    const companies = companiesOf(world);
    if (path === "/files/company_tickers.json")
      return json(
        Object.fromEntries(
          filersOf(world).map(({ cik, ticker }, i) => [i, { cik_str: cik, ticker, title: ticker }]),
        ),
      );
    const [, filer] = /^\/Archives\/edgar\/data\/(\d+)\/\d{18}\/form4\.xml$/.exec(path) ?? [];
    const issuer = companies.find(({ cik }) => cik === Number(filer));
    if (issuer !== undefined) return form4(issuer);
    const now = world.now();
    const header = headerAt(path, companies, now);
    if (header !== null) return header;
    const [, what, digits, older] =
      /^\/(submissions|api\/xbrl\/companyfacts)\/CIK(\d{10})(-submissions-001)?\.json$/.exec(path) ?? [];
    const company = companies.find(({ cik }) => cik === Number(digits));
    if (company === undefined || (older !== undefined && !isHeavyFiler(company)))
      return { status: 404, body: "<?xml version='1.0'?><Error><Code>NoSuchKey</Code></Error>" };
    if (older !== undefined) return json(columnsOf(company, filingsOf(company, now).slice(NEWEST_PAGE)));
    if (what === "submissions") return submissions(company, now);
    // quarterly and yearly reports are filed a day after the announcement
    return facts({ ...company, reports: company.reports.filter(({ at }) => at + DAY_MS <= now) });
  },
  limits: [empty(429)],
  unauthorised: [
    {
      status: 403,
      headers: { "content-type": "application/xml" },
      body: "<Error><Code>AccessDenied</Code></Error>",
    },
  ],
  blocks: [page(403, EXCEEDED), page(200, EXCEEDED)],
};

interface Company {
  readonly cik: number;
  readonly ticker: string;
  readonly reports: readonly WorldReport[];
}

/** Every stock with its CIK; those without reports have no list of filings. */
const filersOf = (world: World): readonly Company[] =>
  world.instruments().flatMap((instrument, i) => {
    if (instrument.asset_class !== "equity") return [];
    const reports = reportsOf(instrument, world).filter(({ out }) => out);
    return [{ cik: 320_193 + i, ticker: instrument.symbol.replace(".", "-"), reports }];
  });

const companiesOf = (world: World): readonly Company[] =>
  filersOf(world).filter(({ reports }) => reports.length > 0);

const accessionOf = (cik: number, at: number): string =>
  `${String(cik).padStart(10, "0")}-${isoDate(at).slice(2, 4)}-${String(Math.floor(at / 60_000) % 1e6).padStart(6, "0")}`;

/** A sale of an officer. */
function form4({ cik }: Company): Reply {
  const value = (name: string, text: string) => `<${name}><value>${text}</value></${name}>`;
  return {
    status: 200,
    headers: { "content-type": "text/xml" },
    body: `<?xml version="1.0"?><ownershipDocument><documentType>4</documentType>
      <issuer><issuerCik>${String(cik).padStart(10, "0")}</issuerCik></issuer>
      <reportingOwner><reportingOwnerId><rptOwnerName>Doe Jane</rptOwnerName></reportingOwnerId>
        <reportingOwnerRelationship><isOfficer>1</isOfficer><officerTitle>CFO</officerTitle></reportingOwnerRelationship>
      </reportingOwner>
      <nonDerivativeTable><nonDerivativeTransaction>
        ${value("securityTitle", "Common Stock")}${value("transactionDate", "2025-11-03")}
        <transactionCoding><transactionCode>S</transactionCode></transactionCoding>
        <transactionAmounts>${value("transactionShares", "100")}${value("transactionPricePerShare", "20.5")}
          ${value("transactionAcquiredDisposedCode", "D")}</transactionAmounts>
        <postTransactionAmounts>${value("sharesOwnedFollowingTransaction", "900")}</postTransactionAmounts>
        <ownershipNature>${value("directOrIndirectOwnership", "D")}</ownershipNature>
      </nonDerivativeTransaction></nonDerivativeTable></ownershipDocument>`,
  };
}

interface Filed {
  readonly form: string;
  readonly items: string;
  readonly at: number;
  readonly end: string;
}

/** Number of filings on the newest page of a company with many. */
const NEWEST_PAGE = 2;

/** True for every third company: its newest page has only two filings, so that no results are on it. */
const isHeavyFiler = ({ cik }: Company): boolean => cik % 3 === 2;

/** An earnings release and, a day later, the quarterly or yearly report and a report of an insider; newest first. */
const filingsOf = ({ reports }: Company, now: number): readonly Filed[] =>
  reports
    .flatMap(({ at, end, quarter }) => [
      { form: quarter === 4 ? "10-K" : "10-Q", items: "", at: at + DAY_MS - 4 * 3_600_000, end },
      { form: "4", items: "", at: at + DAY_MS - 6 * 3_600_000, end },
      { form: "8-K", items: "2.02,9.01", at, end },
    ])
    .filter(({ at }) => at <= now);

/** An acceptance time, labelled UTC: in UTC, New York time, or with New York's offset added twice, by company. */
function stampOf(cik: number, at: number): string {
  const shift = [0, newYorkOffsetMs(at), -newYorkOffsetMs(at)][cik % 3]!;
  return new Date(at + shift).toISOString();
}

const columnsOf = ({ cik }: Company, rows: readonly Filed[]) => ({
  form: rows.map(({ form }) => form),
  accessionNumber: rows.map(({ at }) => accessionOf(cik, at)),
  primaryDocument: rows.map(({ form }) => (form === "4" ? "xslF345X05/form4.xml" : "report.htm")),
  items: rows.map(({ items }) => items),
  filingDate: rows.map(({ at }) => newYorkDate(at)),
  reportDate: rows.map(({ end }) => end),
  acceptanceDateTime: rows.map(({ at }) => stampOf(cik, at)),
});

function submissions(company: Company, now: number): Reply {
  const rows = filingsOf(company, now);
  const older = isHeavyFiler(company) ? rows.slice(NEWEST_PAGE) : [];
  const digits = String(company.cik).padStart(10, "0");
  return json({
    cik: digits,
    name: "A company",
    sicDescription: "Services",
    tickers: [],
    exchanges: ["Nasdaq"],
    stateOfIncorporation: "DE",
    fiscalYearEnd: "1231",
    filings: {
      recent: columnsOf(company, rows.slice(0, rows.length - older.length)),
      files:
        older.length === 0
          ? []
          : [
              {
                name: `CIK${digits}-submissions-001.json`,
                filingCount: older.length,
                filingFrom: newYorkDate(older.at(-1)!.at),
                filingTo: newYorkDate(older[0]!.at),
              },
            ],
    },
  });
}

/** The SGML header of a filing, escaped in a page, with its acceptance time in New York; null for another path. */
function headerAt(path: string, companies: readonly Company[], now: number): Reply | null {
  const [, filer, accession] =
    /^\/Archives\/edgar\/data\/(\d+)\/\d{18}\/([\d-]{20})-index-headers\.html$/.exec(path) ?? [];
  const company = companies.find(({ cik }) => cik === Number(filer));
  const filed =
    company && filingsOf(company, now).find(({ at }) => accessionOf(company.cik, at) === accession);
  if (filed === undefined) return null;
  const shown = new Date(filed.at + newYorkOffsetMs(filed.at)).toISOString().slice(0, 19);
  return {
    status: 200,
    headers: { "content-type": "text/html" },
    body: `<html><body><pre>&lt;SEC-HEADER&gt;
&lt;ACCEPTANCE-DATETIME&gt;${shown.replace(/\D/g, "")}
ACCESSION NUMBER:		${accession}
</pre></body></html>`,
  };
}

function facts({ cik, reports }: Company): Reply {
  const fact = (report: WorldReport, start: string, val: number, form: string) => ({
    accn: `${String(cik).padStart(10, "0")}-${report.end.slice(2, 4)}-00000${report.quarter}`,
    start,
    end: report.end,
    val,
    form,
    fy: report.year,
    fp: `Q${report.quarter}`,
    filed: isoDate(report.at + DAY_MS),
  });
  const line = (of: (report: WorldReport) => number, perShare = false) =>
    reports.flatMap((report) => {
      if (report.quarter < 4) return [fact(report, report.start, of(report), "10-Q")];
      const year = reports.filter((other) => other.year === report.year);
      if (year.length < 4) return [];
      const sum = year.reduce((total, other) => total + of(other), 0);
      return [fact(report, `${report.year}-01-01`, perShare ? sum / 4 : sum, "10-K")];
    });
  const eps = line(({ eps: value }) => value).map((report) => ({
    ...report,
    val: Math.round(100 * report.val) / 100,
  }));
  return json({
    cik,
    entityName: "A company",
    facts: {
      "us-gaap": {
        Revenues: { label: "Revenues", units: { USD: line(({ revenue }) => revenue) } },
        NetIncomeLoss: { label: "Net income", units: { USD: line(({ netIncome }) => netIncome) } },
        EarningsPerShareDiluted: { label: "EPS", units: { "USD/shares": eps } },
        WeightedAverageNumberOfDilutedSharesOutstanding: {
          label: "Shares",
          units: { shares: line(({ shares }) => shares, true) },
        },
      },
    },
  });
}

/** The Atom feed of a company's newest filings; an error page for an unknown ticker. */
function feed(ticker: string, world: World): Reply {
  const found = instrumentOf(world, ticker.replace("-", "."));
  if (found?.asset_class !== "equity") return page(200, "No matching Ticker Symbol.");
  const entries = world.headlines(found).map(
    ({ title, url, publishedAt: at }) => `<entry>
      <category label="form type" scheme="https://www.sec.gov/" term="8-K" />
      <content type="text/xml"><filing-date>${isoDate(at)}</filing-date><items-desc>${title}</items-desc></content>
      <id>urn:tag:sec.gov,2008:accession-number=${at}</id>
      <link href="${url}" rel="alternate" type="text/html" />
      <summary type="html"> &lt;b&gt;Filed:&lt;/b&gt; today</summary>
      <title>8-K  - Current report</title>
      <updated>${new Date(at - 4 * 3_600_000).toISOString().slice(0, 19)}-04:00</updated>
    </entry>`,
  );
  return atom(entries, "A company");
}

const atom = (entries: readonly string[], title: string): Reply => ({
  status: 200,
  headers: { "content-type": "application/atom+xml" },
  body: `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<feed xmlns="http://www.w3.org/2005/Atom"><title>${title}</title>${entries.join("")}</feed>\n`,
});

/** The Atom feed of the current 8-K filings of all companies. */
function currentFilings(world: World): Reply {
  const ciks = new Map(filersOf(world).map(({ cik, ticker }) => [ticker, cik]));
  const entries = releasesOf(world).flatMap(({ title, url, publishedAt: at, ticker, company }) => {
    const cik = ciks.get(ticker.replace(".", "-"));
    if (cik === undefined) return [];
    return `<entry>
      <title>8-K - ${xml(company)} (${String(cik).padStart(10, "0")}) (Filer)</title>
      <link href="${xml(url)}" rel="alternate" type="text/html"/>
      <summary type="html"> &lt;b&gt;Filed:&lt;/b&gt; ${isoDate(at)} &lt;b&gt;AccNo:&lt;/b&gt; ${accessionOf(cik, at)} &lt;b&gt;Size:&lt;/b&gt; 5 MB&lt;br&gt;Item 8.01: ${xml(title)}</summary>
      <updated>${new Date(at - 4 * 3_600_000).toISOString().slice(0, 19)}-04:00</updated>
      <category scheme="https://www.sec.gov/" label="form type" term="8-K"/>
      <id>urn:tag:sec.gov,2008:accession-number=${accessionOf(cik, at)}-${cik}</id>
    </entry>`;
  });
  return atom(entries, "Latest Filings");
}
