import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { ContractProviderAnswer } from "../../src/domain/prediction-markets/provider.ts";
import { alpacaNews } from "../../src/providers/alpaca/news.ts";
import { cboe } from "../../src/providers/cboe/prices.ts";
import { houseclerk } from "../../src/providers/houseclerk/congress.ts";
import { kalshiContracts } from "../../src/providers/kalshi/contracts.ts";
import { kraken } from "../../src/providers/kraken/prices.ts";
import { secFilings } from "../../src/providers/sec/filings.ts";
import { yahoo } from "../../src/providers/yahoo/prices.ts";
import { kindOf, type RecordedFetch, readJson, recorded, signal, stock, token } from "./requests.ts";

/** One answer of a vendor: the address requested, and what it served. */
interface Exchange {
  readonly url: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text, or a value served as JSON. */
  readonly body: unknown;
}

/** A recorded file of one vendor's answers. */
export interface VendorFile {
  readonly vendor: string;
  readonly what: string;
  /** The right reading, in words. */
  readonly right: string;
  readonly exchanges: readonly Exchange[];
}

/** Names of the files of a folder, and the file of a name. */
export const vendorFiles = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.slice(0, -".json".length));
export const readVendorFile = (folder: string, name: string): VendorFile =>
  readJson<VendorFile>(join(folder, `${name}.json`));

const responseOf = ({ status, headers, body }: Omit<Exchange, "url">): Response =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), {
    status,
    ...(headers && { headers }),
  });

/**
 * Serves the answers of a file by host and path, whatever the query; `more` are answers that the file does not have.
 * Any other request is a 404 of an unknown path.
 */
export const serve = (
  { exchanges }: VendorFile,
  more: (url: URL) => Omit<Exchange, "url"> | null = () => null,
): RecordedFetch =>
  recorded(async (input) => {
    const url = new URL(String(input));
    const found = exchanges.find((exchange) => {
      const own = new URL(exchange.url);
      return own.host === url.host && own.pathname === url.pathname;
    });
    return responseOf(found ?? more(url) ?? { status: 404, body: "" });
  });

/** Checks that the real adapter reads a file's answers as its `right` says. */
export type VendorCase = (file: VendorFile) => Promise<void>;

const hostsOf = ({ requests }: RecordedFetch): readonly string[] => [
  ...new Set(requests.map((url) => new URL(url).host)),
];
/** The same answers, as if the vendor's other host had served them. */
const atHost = (file: VendorFile, host: string): VendorFile => ({
  ...file,
  exchanges: file.exchanges.map((exchange) => {
    const url = new URL(exchange.url);
    url.host = host;
    return { ...exchange, url: url.href };
  }),
});

const VOO = { ...stock("VOO"), asset_class: "etf" } as const;
const VOO_CHART = {
  status: 200,
  body: {
    chart: {
      result: [
        {
          meta: {
            symbol: "VOO",
            currency: "USD",
            instrumentType: "ETF",
            regularMarketPrice: 640.5,
            regularMarketTime: 1_791_302_400,
            previousClose: 638,
            dataGranularity: "1m",
          },
          indicators: { quote: [{}] },
        },
      ],
      error: null,
    },
  },
};

const yahooOneHost: VendorCase = async (file) => {
  const hosts = ["query2.finance.yahoo.com", "query1.finance.yahoo.com"];
  for (const [refusing, serving] of [hosts, hosts.toReversed()] as [string, string][]) {
    const served = serve(atHost(file, refusing), ({ host }) => (host === serving ? VOO_CHART : null));
    const provider = yahoo({ fetch: served.fetch });
    expect(await provider.latest!(VOO, { signal })).toMatchObject({ price: 640.5, previousClose: 638 });
    // the host that served is asked first from then on
    const before = served.requests.length;
    await provider.latest!(VOO, { signal });
    expect(served.requests.slice(before).map((url) => new URL(url).host)).toEqual([serving]);
  }
};

/** Kalshi's answers at the host that the documentation recommends. */
const KALSHI_MARKET = {
  ticker: "KXBTCD-26OCT0917-T95000",
  event_ticker: "KXBTCD-26OCT0917",
  title: "Bitcoin price on Oct 9, 2026?",
  yes_sub_title: "$95,000 or above",
  yes_bid_dollars: "0.4100",
  yes_ask_dollars: "0.4300",
  close_time: "2026-10-09T21:00:00Z",
  status: "active",
  result: "",
};

const kalshiHost: VendorCase = async (file) => {
  const served = serve(file, ({ host, pathname }) =>
    host !== "external-api.kalshi.com"
      ? null
      : pathname === "/trade-api/v2/markets"
        ? { status: 200, body: { cursor: "", markets: [KALSHI_MARKET] } }
        : { status: 200, body: { total_results_count: 0, current_page: [], next_cursor: "" } },
  );
  const now = () => Date.parse("2026-10-07T12:00:00Z");
  const answer: ContractProviderAnswer = await kalshiContracts({ fetch: served.fetch, now }).call("bitcoin", {
    signal,
  });
  expect(answer.contracts).toMatchObject([{ id: KALSHI_MARKET.ticker, bid: 0.41, ask: 0.43 }]);
  expect(hostsOf(served)).toEqual(["api.elections.kalshi.com", "external-api.kalshi.com"]);
};

const cboeSpaceTime: VendorCase = async (file) => {
  const SPXA = stock("SPXA");
  const quote = await cboe({ fetch: serve(file).fetch }).latest!(SPXA, { signal });
  expect(quote).toMatchObject({ price: 7_777, tradedAt: Date.parse("2026-09-22T20:00:00Z") });
  const withT = {
    ...file,
    exchanges: JSON.parse(JSON.stringify(file.exchanges).replace("-22 16:", "-22T16:")),
  };
  expect(await cboe({ fetch: serve(withT).fetch }).latest!(SPXA, { signal })).toEqual(quote);
};

const quarterlyAsDaily: VendorCase = async (file) => {
  const daily = yahoo({ fetch: serve(file).fetch }).history!(stock("AAPL"), {
    timeframe: "1d",
    from: 0,
    until: 1_761_771_600_000,
    signal,
  });
  expect(await kindOf(daily)).toBe("malformed");
};

const alpacaEntities: VendorCase = async (file) => {
  const [from, until] = ["2026-09-01", "2026-10-03"].map((day) => Date.parse(day)) as [number, number];
  const setup = { fetch: serve(file).fetch, key: "id", secret: "secret", now: () => until };
  const XLU = { ...stock("XLU"), asset_class: "etf" } as const;
  const { headlines } = await alpacaNews(setup).call({ instrument: XLU, from, until }, { signal });
  expect(headlines.map(({ title }) => title)).toEqual(["Older & wiser"]);
};

const krakenWarning: VendorCase = async (file) => {
  const quote = await kraken({ fetch: serve(file).fetch }).latest!(token("BTC"), { signal });
  expect(quote).toMatchObject({ price: 82_998.9, bid: 82_998.9, ask: 82_999 });
};

const houseNewYear: VendorCase = async (file) => {
  const request = { chamber: "house", ticker: null, since: "2027-01-01", until: "2027-01-04" } as const;
  const provider = houseclerk({ fetch: serve(file).fetch });
  expect(await provider.call({ ...request, known: new Set() }, { signal })).toEqual({
    trades: [],
    unread: [],
    read: [],
    completeFrom: "2027-01-01",
    more: false,
    note: "The House has no list of filings of 2027 yet: nothing has been filed in that year so far",
  });
  // later in the year a missing list is an outage
  const later = { ...request, until: "2027-03-04", known: new Set<string>() };
  expect(await kindOf(provider.call(later, { signal }))).toBe("malformed");
};

const secTesla: VendorCase = async (file) => {
  const header = "<SEC-HEADER>\n<ACCEPTANCE-DATETIME>20261002090426\n</SEC-HEADER>";
  const { fetch } = serve(file, ({ pathname }) =>
    pathname.startsWith("/Archives/") ? { status: 200, body: header } : null,
  );
  const now = () => Date.parse("2026-10-07T12:00:00Z");
  const { releases } = await secFilings({ fetch, contact: "ops@example.com", now }).call(stock("TSLA"), {
    signal,
  });
  expect(releases.map((at) => new Date(at).toISOString())).toEqual(["2026-10-02T13:04:26.000Z"]);
};

/** The case of each file. */
export const VENDOR_CASES: Readonly<Record<string, VendorCase>> = {
  "alpaca-entities": alpacaEntities,
  "cboe-space-time": cboeSpaceTime,
  "house-new-year": houseNewYear,
  "kalshi-host": kalshiHost,
  "kraken-warning": krakenWarning,
  "sec-tsla-utc": secTesla,
  "yahoo-chart-one-host": yahooOneHost,
  "yahoo-quarterly-as-daily": quarterlyAsDaily,
};
