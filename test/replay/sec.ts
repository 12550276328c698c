import { newYorkDate, newYorkOffsetMs } from "../../src/lib/newyork.ts";
import { DAY_MS, isoDate } from "../../src/providers/sample/time.ts";
import { instrumentOf } from "./lookup.ts";
import { reportsOf, type WorldReport } from "./reports.ts";
import { empty, json, page, type Reply, type Vendor } from "./vendor.ts";
import type { World } from "./world.ts";

/** The contact address clients must send. */
const CONTACT = "Replay admin@example.com";
const EXCEEDED = "SEC.gov | Request Rate Threshold Exceeded";

/**
 * EDGAR: companies by number, filings as columns, figures by tag with their dates; an error page for
 * clients without a contact address.
 */
export const secVendor: Vendor = {
  name: "sec",
  key: CONTACT,
  latency: { p50: 150, p95: 600 },
  answer({ path, query, headers }, world) {
    if (!/\S+@\S+/.test(headers.get("user-agent") ?? "")) return page(403, EXCEEDED);
    if (path === "/cgi-bin/browse-edgar") return feed(query.get("CIK") ?? "", world);
    const companies = companiesOf(world);
    if (path === "/files/company_tickers.json")
      return json(
        Object.fromEntries(
          companies.map(({ cik, ticker }, i) => [i, { cik_str: cik, ticker, title: ticker }]),
        ),
      );
    const [, what, digits] = /^\/(submissions|api\/xbrl\/companyfacts)\/CIK(\d{10})\.json$/.exec(path) ?? [];
    const company = companies.find(({ cik }) => cik === Number(digits));
    if (company === undefined)
      return { status: 404, body: "<?xml version='1.0'?><Error><Code>NoSuchKey</Code></Error>" };
    const now = world.now();
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

const companiesOf = (world: World): readonly Company[] =>
  world.instruments().flatMap((instrument, i) => {
    const reports = reportsOf(instrument, world).filter(({ out }) => out);
    return reports.length === 0
      ? []
      : [{ cik: 320_193 + i, ticker: instrument.symbol.replace(".", "-"), reports }];
  });

/** An earnings release and, a day later, the quarterly or yearly report. */
function submissions({ cik, reports }: Company, now: number): Reply {
  const all = reports.flatMap(({ at, end, quarter }) => [
    { form: quarter === 4 ? "10-K" : "10-Q", items: "", at: at + DAY_MS - 4 * 3_600_000, end },
    { form: "8-K", items: "2.02,9.01", at, end },
  ]);
  const rows = all.filter(({ at }) => at <= now);
  // labelled UTC: as it is for one half of the companies, as New York time for the other
  const stamp = (at: number) => new Date(cik % 2 === 0 ? at : at + newYorkOffsetMs(at)).toISOString();
  return json({
    cik: String(cik).padStart(10, "0"),
    filings: {
      recent: {
        form: rows.map(({ form }) => form),
        items: rows.map(({ items }) => items),
        filingDate: rows.map(({ at }) => newYorkDate(at)),
        reportDate: rows.map(({ end }) => end),
        acceptanceDateTime: rows.map(({ at }) => stamp(at)),
      },
    },
  });
}

function facts({ cik, reports }: Company): Reply {
  const fact = (report: WorldReport, start: string, val: number, form: string) => ({
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
  return {
    status: 200,
    headers: { "content-type": "application/atom+xml" },
    body: `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<feed xmlns="http://www.w3.org/2005/Atom"><title>A company</title>${entries.join("")}</feed>\n`,
  };
}
