import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixedWorld, MOMENT } from "../support/fixed-world.ts";
import { differences, type ShapeOptions, shapeOf } from "../support/recorded-shape.ts";
import { describeWithData, testData } from "../support/test-data.ts";
import { createWorld } from "./shared-world.ts";
import { VENDORS } from "./vendors.ts";

interface Endpoint extends ShapeOptions {
  readonly vendor: string;
  readonly what: string;
  /** Files of recordings. Default folder: that of the vendor. */
  readonly files: readonly string[];
  readonly folder?: string;
  /** Returns the bodies in a file. Default: its `response` or `body`, or the whole file. */
  readonly bodiesIn?: (file: unknown, text: string) => readonly unknown[];
  /** Path and query of the request to the replay. */
  readonly request: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly sent?: unknown;
  /** Parses the text of a recording and of the replay. Default: JSON. */
  readonly parse?: (text: string) => unknown;
  /** Returns the compared part of a body, the same for recordings and replay. Default: all of it. */
  readonly part?: (body: any) => unknown;
  /** True for a request that needs the larger world. */
  readonly shared?: boolean;
  /** Paths at which the replay may differ from the recordings, with the reason. */
  readonly allowed?: Readonly<Record<string, string>>;
}

const day = (back: number) => new Date(MOMENT - back * 86_400_000).toISOString();
const date = (back: number) => day(back).slice(0, 10);
const keyOf = (name: string) => VENDORS.find((vendor) => vendor.name === name)!.key ?? "";
const [apcaId = "", apcaSecret = ""] = keyOf("alpaca").split(", ");
const APCA = { "apca-api-key-id": apcaId, "apca-api-secret-key": apcaSecret };
const bearer = (name: string) => ({ authorization: `Bearer ${keyOf(name)}` });
const BROWSER = { "user-agent": "Mozilla/5.0" };
const CRUMB = { ...BROWSER, cookie: "A3=d=replay" };

/** The bodies of a file of documented answers. */
const documentedOf =
  (provider: string, ...starts: readonly string[]) =>
  (file: unknown): readonly unknown[] =>
    (file as { provider: string; what: string; body?: unknown }[])
      .filter(({ what }) => starts.some((start) => what.startsWith(start)))
      .filter((entry) => entry.provider === provider && entry.body !== undefined)
      .map(({ body }) => body);
const exampleOf =
  (...names: readonly string[]) =>
  (file: unknown): readonly unknown[] =>
    names.flatMap((name) => {
      const entry = (file as Record<string, { example?: unknown; examples?: Record<string, unknown> }>)[name];
      return entry === undefined ? [] : [entry.example ?? entry.examples?.["200"] ?? entry];
    });
const cassette = (_: unknown, text: string): readonly unknown[] =>
  [...text.matchAll(/body: \{string: '([\s\S]*?)'\}/g)].map(
    ([, body]) => JSON.parse(body!.replaceAll("''", "'").replace(/\n\s+/g, " ")) as unknown,
  );

/** The rows of a file of FINRA: columns by name, numbers as text. */
function volumeRows(text: string): unknown {
  const [head = "", ...lines] = text.trim().split(/\r?\n/);
  const names = head.split("|");
  return lines
    .filter((line) => line.includes("|"))
    .map((line) => Object.fromEntries(line.split("|").map((cell, i) => [names[i] ?? "?", cell])));
}

/** Vendors without a recorded answer of a used endpoint as JSON or text. */
const NOT_RECORDED: Readonly<Record<string, string>> = {
  alphavantage: "the recordings are of other functions than EARNINGS and NEWS_SENTIMENT",
  cnbc: "no recording; written from third-party documentation",
  coingecko: "no recording",
  fmp: "no recording",
  gdelt: "no recording",
  globenewswire: "no recording of its own; written from third-party tests",
  houseclerk: "a zip archive and PDF files, which the tests of the adapter read",
  legislators: "recorded as YAML, which the test of the roster reads",
  nasdaqfeed: "no recording",
  prnewswire: "no recording of its own; written from third-party tests",
  nasdaqtrader: "no recording",
  tradier: "no recording",
  yahoofeed: "no recording",
};

const ENDPOINTS: readonly Endpoint[] = [
  {
    vendor: "alpaca",
    what: "snapshots",
    files: ["historical_stock_data__get_snapshot.json"],
    request: "/v2/stocks/snapshots?symbols=AAPL&feed=iex",
    headers: APCA,
    named: /^\$$/,
    allowed: { "$.*.prevDailyBar.h": "the only recorded price happened to be whole" },
  },
  {
    vendor: "alpaca",
    what: "bars",
    files: [
      "historical_stock_data__get_bars.json",
      "historical_stock_data__get_bars_desc.json",
      "historical_stock_data__get_bars_multi_empty_response.json",
    ],
    request: `/v2/stocks/bars?symbols=AAPL&timeframe=1Day&start=${day(30)}&end=${day(1)}&limit=10000&adjustment=split&feed=sip`,
    headers: APCA,
    named: /^\$\.bars$/,
  },
  {
    vendor: "alpaca",
    what: "trades",
    files: [
      "historical_stock_data__get_trades.json",
      "historical_stock_data__get_trades_multi_empty_response.json",
    ],
    request: `/v2/stocks/trades?symbols=AAPL&feed=sip&sort=desc&limit=100&start=${day(1)}&end=${day(0.5)}`,
    headers: APCA,
    named: /^\$\.trades$/,
  },
  {
    vendor: "alpaca",
    what: "news",
    files: ["historical_news_data__get_news.json", "historical_news_data__get_news2.json"],
    request: `/v1beta1/news?symbols=AAPL&start=${day(5)}&end=${day(0)}&limit=50&sort=desc`,
    headers: APCA,
  },
  {
    vendor: "binance",
    what: "klines",
    files: ["nautilus_http_spot_market_klines.json", "nautilus_klines_response.json"],
    request: `/api/v3/klines?symbol=BTCUSDT&interval=1d&startTime=${MOMENT - 30 * 86_400_000}&endTime=${MOMENT}&limit=1000`,
    tuples: /^\$\[\]$/,
  },
  {
    vendor: "binance",
    what: "ticker",
    folder: "documented",
    files: ["errors_and_shapes.json"],
    bodiesIn: documentedOf("binance", "24h ticker"),
    request: "/api/v3/ticker/24hr?symbol=BTCUSDT",
  },
  {
    vendor: "cboe",
    what: "chain",
    files: ["mimir_cboe_options_mstr.json"],
    request: "/api/global/delayed_quotes/options/AAPL.json",
    allowed: { "$.data.options[].last_trade_time": "the recording was trimmed to options that traded" },
  },
  {
    vendor: "cboe",
    what: "quote",
    files: ["mimir_cboe_options_mstr.json"],
    request: "/api/global/delayed_quotes/quotes/AAPL.json",
  },
  {
    vendor: "cboe",
    what: "statistics",
    folder: "documented",
    files: ["errors_and_shapes.json"],
    bodiesIn: documentedOf("cboe", "daily options statistics", "same, legacy"),
    request: `/data/us/options/market_statistics/daily/${date(1)}_daily_options`,
  },
  {
    vendor: "coinbase",
    what: "ticker",
    files: ["mimir_coinbase_exchange_ticker.json", "xchange_coinbasepro_ticker.json"],
    request: "/products/BTC-USD/ticker",
    headers: BROWSER,
  },
  {
    vendor: "coinbase",
    what: "stats",
    files: ["xchange_coinbasepro_stats.json"],
    request: "/products/BTC-USD/stats",
    headers: BROWSER,
    allowed: {
      "$.last": "added since the recording of 2015",
      "$.volume_30day": "added since the recording of 2015",
    },
  },
  {
    vendor: "finnhub",
    what: "quote",
    folder: "documented",
    files: ["errors_and_shapes.json"],
    bodiesIn: documentedOf("finnhub", "quote ok"),
    request: "/api/v1/quote?symbol=AAPL",
    headers: { "x-finnhub-token": keyOf("finnhub") },
    allowed: {
      "$.h": "the documented values are illustrative whole numbers",
      "$.l": "the documented values are illustrative whole numbers",
      "$.o": "the documented values are illustrative whole numbers",
    },
  },
  {
    vendor: "finra",
    what: "daily file",
    files: ["CNMSshvol_real_rows.txt"],
    parse: volumeRows,
    bodiesIn: (file) => [file],
    request: `/equity/regsho/daily/CNMSshvol${date(1).replaceAll("-", "")}.txt`,
  },
  {
    vendor: "finra",
    what: "weekly summary",
    files: ["otcMarket_weeklySummary_AAPL.json"],
    request: "/data/group/otcMarket/name/weeklySummary",
    sent: {
      compareFilters: [
        { fieldName: "issueSymbolIdentifier", fieldValue: "AAPL" },
        { fieldName: "tierIdentifier", fieldValue: "T1" },
        { fieldName: "summaryTypeCode", fieldValue: "ATS_W_SMBL" },
      ],
    },
  },
  {
    vendor: "kadoa",
    what: "trades",
    folder: "congress",
    files: ["kadoa_trades_sample.json"],
    request: "/kadoa-org/congress-trading-monitor/main/public/data/trades.json",
    shared: true,
  },
  {
    vendor: "kalshi",
    what: "search",
    files: ["prod-2026-08_v1_search_series_fed.json"],
    request: "/v1/search/series?query=AAPL",
    shared: true,
    allowed: {
      "$.next_cursor": "empty on the last page, as documented",
      "$.current_page[].markets[].title":
        "recorded empty; the replay names the question of the world there, so that tests can compare it",
    },
  },
  {
    vendor: "kalshi",
    what: "markets",
    files: ["prod-2026-07_kalshi_markets.json", "demo-2026-06_markets__unauth_list.json"],
    request: "/trade-api/v2/markets?series_ticker=KXBTCD&status=open&mve_filter=exclude&limit=1000",
    shared: true,
    allowed: { "$.cursor": "empty on the last page, as documented" },
  },
  {
    vendor: "kraken",
    what: "OHLC",
    files: ["xchange_example-ohlc-data.json"],
    request: "/OHLC?pair=XBTUSD&interval=1440&since=0",
    named: /^\$\.result$/,
    tuples: /^\$\.result\.\*\[\]$/,
    part: ({ result: { last: _, ...result } }) => ({ result }),
  },
  {
    vendor: "kraken",
    what: "ticker",
    folder: "documented",
    files: ["errors_and_shapes.json"],
    bodiesIn: documentedOf("kraken", "ticker ok"),
    request: "/Ticker?pair=XBTUSD",
    named: /^\$\.result$/,
    tuples: /^\$\.result\.\*\.[a-z]$/,
  },
  {
    vendor: "manifold",
    what: "search",
    files: ["search-markets_fed_2026-08.json"],
    request: "/v0/search-markets?term=AAPL&limit=20",
    shared: true,
  },
  {
    vendor: "massive",
    what: "aggregates",
    folder: "polygon",
    files: ["aggs_AAPL_1day.json", "prev_AAPL.json"],
    request: `/v2/aggs/ticker/AAPL/range/1/day/${date(30)}/${date(1)}?adjusted=true&sort=asc&limit=50000`,
    headers: bearer("massive"),
  },
  {
    vendor: "massive",
    what: "snapshot",
    folder: "polygon",
    files: ["snapshot_AAPL.json"],
    request: "/v2/snapshot/locale/us/markets/stocks/tickers/AAPL",
    headers: bearer("massive"),
  },
  {
    vendor: "massive",
    what: "trades",
    folder: "polygon",
    files: ["trades_AAPL.json", "v3_trades_AAPL_limit2.json"],
    request: `/v3/trades/AAPL?timestamp.gte=${MOMENT - 86_400_000}000000&timestamp.lt=${MOMENT}000000&order=desc&sort=timestamp&limit=100`,
    headers: bearer("massive"),
  },
  {
    vendor: "massive",
    what: "news",
    folder: "polygon",
    files: ["v2_reference_news_NFLX.json", "news_NFLX.json"],
    request: `/v2/reference/news?ticker=AAPL&published_utc.gte=${day(5)}&published_utc.lte=${day(0)}&limit=100&order=desc&sort=published_utc`,
    headers: bearer("massive"),
  },
  {
    vendor: "nasdaq",
    what: "calendar",
    files: ["calendar_earnings_2024-07-03.json"],
    request: "/api/calendar/earnings?date=2026-01-29",
    headers: BROWSER,
    shared: true,
  },
  {
    vendor: "nasdaq",
    what: "historical",
    folder: "documented",
    files: ["errors_and_shapes.json"],
    bodiesIn: documentedOf("nasdaq", "historical OHLCV"),
    request: `/api/quote/AAPL/historical?assetclass=stocks&fromdate=${date(30)}&todate=${date(0)}&limit=9999`,
    headers: BROWSER,
  },
  {
    vendor: "okx",
    what: "candles",
    files: ["nautilus_http_get_candlesticks.json", "nautilus_http_get_candlesticks_full.json"],
    request: `/api/v5/market/candles?instId=BTC-USDT&bar=1Dutc&after=${MOMENT}&limit=100`,
    tuples: /^\$\.data\[\]$/,
  },
  {
    vendor: "polymarket",
    what: "search",
    files: [
      "public-search_or_event_2026-08_poly_search_meta.json",
      "public-search_or_event_2026-08_poly_search_polluted.json",
    ],
    request: "/public-search?q=AAPL&events_status=active&limit_per_type=10",
    shared: true,
    allowed: {
      "$.events[].id":
        "the ids of the world, so that tests can compare contracts; recorded ids are numbers as text",
      "$.events[].markets[].id": "the ids of the world, see above",
    },
  },
  {
    vendor: "sec",
    what: "tickers",
    files: ["company_tickers_first200.json"],
    request: "/files/company_tickers.json",
    headers: { "user-agent": keyOf("sec") },
    named: /^\$$/,
  },
  {
    vendor: "sec",
    what: "submissions",
    files: ["submissions_trimmed150.json"],
    request: "/submissions/CIK0000320193.json",
    headers: { "user-agent": keyOf("sec") },
  },
  {
    vendor: "sec",
    what: "facts",
    files: ["companyfacts_SNOW_trimmed.json"],
    request: "/api/xbrl/companyfacts/CIK0000320193.json",
    headers: { "user-agent": keyOf("sec") },
    named: /^\$\.facts\.us-gaap$|units$/,
    part: ({ facts, ...rest }) => ({ ...rest, facts: { "us-gaap": facts["us-gaap"] } }),
  },
  {
    vendor: "tiingo",
    what: "daily prices",
    files: ["ticker_price_with_date.yaml", "ticker_price.yaml", "ticker_price_weekly.yaml"],
    bodiesIn: cassette,
    request: `/tiingo/daily/AAPL/prices?startDate=${date(30)}`,
    headers: { authorization: `Token ${keyOf("tiingo")}` },
    allowed: { "$[].volume": "the volumes of the world have fractions, which the contract compares exactly" },
  },
  {
    vendor: "tiingo",
    what: "intraday prices",
    files: ["intraday_price.yaml"],
    bodiesIn: cassette,
    request: `/iex/AAPL/prices?startDate=${date(2)}&endDate=${date(0)}&resampleFreq=30min&columns=open,high,low,close,volume`,
    headers: { authorization: `Token ${keyOf("tiingo")}` },
    allowed: { "$[].volume": "requested by its columns, which the recorded request did not name" },
  },
  {
    vendor: "unusualwhales",
    what: "flow alerts",
    files: ["rest_examples_tested_2025-10-22.json", "openapi_examples_2026-08.json", "openapi_examples.json"],
    bodiesIn: exampleOf("GET /api/option-trades/flow-alerts", "Flow Alert", "/api/option-trades/flow-alerts"),
    request: `/api/option-trades/flow-alerts?ticker_symbol=AAPL&newer_than=${day(1)}&limit=200`,
    headers: bearer("unusualwhales"),
  },
  {
    vendor: "unusualwhales",
    what: "darkpool",
    files: ["rest_examples_tested_2025-10-22.json", "openapi_examples_2026-08.json", "openapi_examples.json"],
    bodiesIn: exampleOf(
      "GET /api/darkpool/recent",
      "GET /api/darkpool/{ticker}",
      "Darkpool Trade",
      "/api/darkpool/recent",
    ),
    request: `/api/darkpool/recent?date=${date(1)}&limit=200&min_premium=1`,
    headers: bearer("unusualwhales"),
    allowed: { "$.data[].ext_hour_sold_codes": "the recorded trades were all in extended hours" },
  },
  {
    vendor: "unusualwhales",
    what: "price levels",
    files: ["openapi_examples_2026-08.json"],
    bodiesIn: exampleOf("Darkpool Price Levels"),
    request: `/api/darkpool/AAPL/price-levels?date=${date(1)}`,
    headers: bearer("unusualwhales"),
  },
  {
    vendor: "unusualwhales",
    what: "tide",
    files: ["rest_examples_tested_2025-10-22.json", "openapi_examples_2026-08.json", "openapi_examples.json"],
    bodiesIn: exampleOf("GET /api/market/market-tide", "Daily Market Tide", "/api/market/market-tide"),
    request: "/api/market/market-tide?interval_5m=true",
    headers: bearer("unusualwhales"),
  },
  {
    vendor: "unusualwhales",
    what: "congress",
    files: ["rest_examples_tested_2025-10-22.json", "openapi_examples_2026-08.json"],
    bodiesIn: exampleOf("GET /api/congress/recent-trades", "GET /api/congress/late-reports", "Senate Stock"),
    request: "/api/congress/recent-trades?limit=200",
    headers: bearer("unusualwhales"),
    shared: true,
    allowed: { "$.data[].ticker": "all recorded trades were in listed stocks" },
  },
  {
    vendor: "yahoo",
    what: "chart of days",
    files: [
      "chart-AAPL-2020-08-31-to-2020-11-07.json",
      "chart-QQQ-2020-01-01-to-2020-01-03.json",
      "historical-via-chart-NVDA-split-2021-02-01-to-2022-01-31.csv.json",
      "historical-via-chart-MSFT-dividends-2021-02-01-to-2022-01-31.csv.json",
    ],
    request: `/v8/finance/chart/AAPL?interval=1d&period1=${MOMENT / 1_000 - 86_400 * 30}&period2=${Math.floor(MOMENT / 1_000)}`,
    headers: BROWSER,
    named: /events\.splits$/,
  },
  {
    vendor: "yahoo",
    what: "chart of a session",
    files: [
      "chart-AAPL-2025-02-01-to-2025-02-02-includePrePost-false-interval-1m.json",
      "chart-NVDA-1d-1h-2024-05-03.json",
      "chart-AAPL-2020-08-31-to-2020-11-07.json",
    ],
    request: "/v8/finance/chart/AAPL?interval=1m&range=1d&includePrePost=true",
    headers: BROWSER,
    allowed: {
      "$.chart.result[].indicators.quote":
        "the slot of the running minute is empty, which no chart was recorded in time to show",
    },
  },
  {
    vendor: "yahoo",
    what: "chart of a token",
    files: ["chart-BTC-USD-2020-01-01-to-2020-01-03.json"],
    request: `/v8/finance/chart/BTC-USD?interval=1d&period1=${MOMENT / 1_000 - 86_400 * 30}&period2=${Math.floor(MOMENT / 1_000)}`,
    headers: BROWSER,
    allowed: {
      "$.chart.result[].indicators.quote[].volume":
        "turnover is recorded in whole dollars; that of the world has fractions, which the contract compares exactly",
    },
  },
  {
    vendor: "yahoo",
    what: "options",
    files: ["options-AAPL.json"],
    request: "/v7/finance/options/AAPL?formatted=false&crumb=rEpLaY/crUmb",
    headers: CRUMB,
    allowed: {
      "$.optionChain.result[].options[].puts[].ask": "recorded before the open, when every ask was 0",
    },
  },
  {
    vendor: "yahoo",
    what: "search",
    files: ["search-AAPL.json", "search-BTC-USD.json", "search-ADH.json"],
    request: "/v1/finance/search?q=AAPL&newsCount=40&quotesCount=6",
    headers: BROWSER,
  },
  {
    vendor: "yahoo",
    what: "reports",
    files: [
      "quoteSummary-earningsHistory-AAPL.json",
      "quoteSummary-earnings-AAPL.json",
      "quoteSummary-calendarEvents-AAPL.json",
    ],
    request:
      "/v10/finance/quoteSummary/AAPL?formatted=false&modules=earningsHistory,earnings,calendarEvents,price&crumb=rEpLaY/crUmb",
    headers: CRUMB,
    allowed: { "$.quoteSummary.result[].price": "requested together with the others, but not recorded" },
  },
];

const bodyIn = (file: any): readonly unknown[] => {
  if (Array.isArray(file)) return [file];
  const { response, body } = file as { response?: any; body?: unknown };
  if (response !== undefined)
    return [
      response.bodyJson ??
        (typeof response.body === "string" ? JSON.parse(response.body) : (response.body ?? response)),
    ];
  return [body ?? file];
};

/** The body that the replay serves for the request of an endpoint. */
function served({ vendor, request, headers, sent, shared, parse = JSON.parse }: Endpoint): unknown {
  const url = new URL(request, "https://vendor.example");
  const { answer } = VENDORS.find(({ name }) => name === vendor)!;
  const world = shared ? createWorld({ now: () => MOMENT }) : fixedWorld();
  const reply = answer(
    {
      path: decodeURIComponent(url.pathname),
      query: url.searchParams,
      headers: new Headers(headers),
      host: null,
      sent,
    },
    world,
  );
  expect(reply.status, reply.body.slice(0, 200)).toBe(200);
  return parse(reply.body.replace(/^\uFEFF/, ""));
}

describe.each([...new Set(ENDPOINTS.map(({ vendor }) => vendor))])("the replay of %s", (vendor) => {
  describeWithData("fits the recorded answers", ["fixtures"], () => {
    it.each(ENDPOINTS.filter((endpoint) => endpoint.vendor === vendor))("of $what", (endpoint) => {
      const {
        folder = vendor,
        files,
        bodiesIn = bodyIn,
        part = (body: unknown) => body,
        allowed = {},
      } = endpoint;
      const recordings = files.flatMap((file) => {
        const text = readFileSync(join(testData("fixtures", folder)!, file), "utf8");
        const { parse = file.endsWith(".json") ? JSON.parse : () => null } = endpoint;
        return bodiesIn(parse(text), text).map(part);
      });
      expect(recordings.length).toBeGreaterThan(0);
      const options = { named: endpoint.named, tuples: endpoint.tuples } as ShapeOptions;
      const recorded = shapeOf(recordings, options);
      const shape = shapeOf([part(served(endpoint))], options);
      expect(differences(shape, recorded, allowed)).toEqual([]);
      // each exception is still needed
      for (const [name, reason] of Object.entries(allowed)) {
        const others = Object.fromEntries(Object.entries(allowed).filter(([path]) => path !== name));
        expect(differences(shape, recorded, others), `${name}: ${reason}`).not.toEqual([]);
      }
    });
  });
});

it("covers every replayed vendor of which an answer was recorded", () => {
  const names = [...new Set(ENDPOINTS.map(({ vendor }) => vendor)), ...Object.keys(NOT_RECORDED)];
  expect(names.sort()).toEqual(VENDORS.map(({ name }) => name).sort());
});

describe("the shape of answers", () => {
  const recorded = shapeOf(
    [
      {
        at: "2026-01-02",
        rows: [
          { price: 1.5, n: 2 },
          { price: 2, n: null },
        ],
        by: { A: "x" },
      },
    ],
    {
      named: /^\$\.by$/,
    },
  );
  const of = (body: unknown, allowed = {}) =>
    differences(shapeOf([body], { named: /^\$\.by$/ }), recorded, allowed);

  it("is fitted by the same fields, types and formats, also if there are fewer", () => {
    expect(of({ at: "2027-11-30", rows: [{ price: 3, n: 7 }], by: { B: "y", C: "z" } })).toEqual([]);
    expect(of({})).toEqual([]);
  });

  it("differs in another field, type, format or null", () => {
    expect(of({ more: 1 })).toEqual(["$.more: not in the recordings"]);
    expect(of({ at: "2026-01-02T00:00:00Z" })).toEqual(["$.at: UTC time, recorded as date"]);
    expect(of({ rows: [{ price: "1.5" }] })).toEqual([
      "$.rows[].price: number as text, recorded as decimal, integer",
    ]);
    expect(of({ rows: [{ price: null }] })).toEqual(["$.rows[].price: null, recorded as decimal, integer"]);
    expect(of({ rows: [{ n: 1.5 }] })).toEqual(["$.rows[].n: decimal, recorded as integer, null"]);
    expect(of({ more: { deep: 1 } }, { "$.more": "why" })).toEqual([]);
  });
});
