import { describe, expect, it } from "vitest";
import type { PriceProvider } from "../../src/domain/providers/price-provider.ts";
import type { Provider } from "../../src/domain/providers/provider.ts";
import { alpacaNews } from "../../src/providers/alpaca/news.ts";
import { alpaca } from "../../src/providers/alpaca/prices.ts";
import { alpacaPrints } from "../../src/providers/alpaca/prints.ts";
import { alphavantageEarnings } from "../../src/providers/alphavantage/earnings.ts";
import { alphavantageNews } from "../../src/providers/alphavantage/news.ts";
import { binance } from "../../src/providers/binance/prices.ts";
import { cboeChains } from "../../src/providers/cboe/chains.ts";
import { cboe } from "../../src/providers/cboe/prices.ts";
import { coinbase } from "../../src/providers/coinbase/prices.ts";
import { finnhubCongress } from "../../src/providers/finnhub/congress.ts";
import { finnhubEarnings, finnhubReportDays } from "../../src/providers/finnhub/earnings.ts";
import { finnhubNews } from "../../src/providers/finnhub/news.ts";
import { finraWeekly } from "../../src/providers/finra/weekly.ts";
import { fmpCongress } from "../../src/providers/fmp/congress.ts";
import { gdeltNews } from "../../src/providers/gdelt/news.ts";
import { kraken } from "../../src/providers/kraken/prices.ts";
import { massiveNews } from "../../src/providers/massive/news.ts";
import { massive } from "../../src/providers/massive/prices.ts";
import { massivePrints } from "../../src/providers/massive/prints.ts";
import { nasdaqEarnings, nasdaqReportDays } from "../../src/providers/nasdaq/earnings.ts";
import { nasdaq } from "../../src/providers/nasdaq/prices.ts";
import { okx } from "../../src/providers/okx/prices.ts";
import type { ProviderSetup } from "../../src/providers/shared/http-client.ts";
import { tiingo } from "../../src/providers/tiingo/prices.ts";
import { tradierChains } from "../../src/providers/tradier/chains.ts";
import { unusualWhalesCongress } from "../../src/providers/unusualwhales/congress.ts";
import { unusualWhalesFlow, unusualWhalesTide } from "../../src/providers/unusualwhales/flow.ts";
import { unusualWhalesPrices } from "../../src/providers/unusualwhales/price-levels.ts";
import { unusualWhalesMarket } from "../../src/providers/unusualwhales/prints.ts";
import { yahooChains } from "../../src/providers/yahoo/chains.ts";
import { yahooEarnings } from "../../src/providers/yahoo/earnings.ts";
import { yahooNews } from "../../src/providers/yahoo/news.ts";
import { yahoo } from "../../src/providers/yahoo/prices.ts";
import { reportsOn } from "../replay/reports.ts";
import { createWorld } from "../replay/shared-world.ts";
import { fetchFrom } from "../replay/vendor.ts";
import { VENDORS } from "../replay/vendors.ts";
import { parsed } from "../support/faulty-json.ts";
import { fixed, fixedWorld, MOMENT } from "../support/fixed-world.ts";
import { kindOf, signal } from "./requests.ts";

const DAY = 86_400_000;
const now = () => MOMENT;
const keyOf = (name: string) => VENDORS.find((vendor) => vendor.name === name)!.key!;
const [alpacaKey, alpacaSecret] = keyOf("alpaca").split(", ") as [string, string];
const ALPACA = { key: alpacaKey, secret: alpacaSecret, now };
const key = (name: string) => ({ key: keyOf(name), now });

/** One request of an adapter. */
type Ask = (setup: ProviderSetup) => Promise<unknown>;

const bars =
  (make: (setup: ProviderSetup) => PriceProvider, symbol = "AAPL"): Ask =>
  (setup) =>
    make(setup).history!(fixed(symbol), { timeframe: "1d", from: MOMENT - 40 * DAY, until: MOMENT, signal });
const call =
  <Q>(make: (setup: ProviderSetup) => Provider<Q, unknown>, question: Q): Ask =>
  (setup) =>
    make(setup).call(question, { signal });

const AAPL = fixed("AAPL");
const NEWS = { instrument: AAPL, from: MOMENT - 5 * DAY, until: MOMENT };
const PRINTS = { instrument: AAPL, date: "2025-12-02", minNotional: 200_000 };
const FILINGS = {
  chamber: "house" as const,
  ticker: "AAPL",
  since: "2025-09-01",
  until: "2025-12-01",
  known: new Set<string>(),
};

/** A day on which several companies of the shared world report. */
const SHARED = createWorld({ now });
const REPORT_DAY = {
  date: Array.from({ length: 90 }, (_, i) => new Date(MOMENT + i * DAY).toISOString().slice(0, 10)).find(
    (date) => reportsOn(date, SHARED).length > 1,
  )!,
};

/** Every adapter that maps a list of rows, by vendor. */
const ADAPTERS: readonly (readonly [vendor: string, what: string, ask: Ask])[] = [
  ["okx", "bars", bars(okx, "BTC-USD")],
  ["binance", "bars", bars(binance, "BTC-USD")],
  ["coinbase", "bars", bars(coinbase, "BTC-USD")],
  ["kraken", "bars", bars(kraken, "BTC-USD")],
  ["alpaca", "bars", bars((setup) => alpaca({ ...setup, ...ALPACA }))],
  ["massive", "bars", bars((setup) => massive({ ...setup, ...key("massive") }))],
  ["nasdaq", "bars", bars(nasdaq)],
  ["cboe", "bars", bars(cboe)],
  ["yahoo", "bars", bars(yahoo)],
  ["cboe", "chain", call((setup) => cboeChains(setup), AAPL)],
  ["yahoo", "chain", call((setup) => yahooChains({ ...setup, now }), AAPL)],
  ["tradier", "chain", call((setup) => tradierChains({ ...setup, ...key("tradier") }), AAPL)],
  ["alphavantage", "news", call((setup) => alphavantageNews({ ...setup, ...key("alphavantage") }), NEWS)],
  ["alpaca", "news", call((setup) => alpacaNews({ ...setup, ...ALPACA }), NEWS)],
  ["massive", "news", call((setup) => massiveNews({ ...setup, ...key("massive") }), NEWS)],
  ["finnhub", "news", call((setup) => finnhubNews({ ...setup, ...key("finnhub") }), NEWS)],
  ["yahoo", "news", call((setup) => yahooNews(setup), NEWS)],
  ["gdelt", "news", call((setup) => gdeltNews({ ...setup, now }), NEWS)],
  [
    "alphavantage",
    "earnings",
    call((setup) => alphavantageEarnings({ ...setup, ...key("alphavantage") }), AAPL),
  ],
  ["finnhub", "earnings", call((setup) => finnhubEarnings({ ...setup, ...key("finnhub") }), AAPL)],
  ["nasdaq", "earnings", call(nasdaqEarnings, AAPL)],
  ["yahoo", "earnings", call((setup) => yahooEarnings({ ...setup, now }), AAPL)],
  ["finnhub", "report days", call((setup) => finnhubReportDays({ ...setup, ...key("finnhub") }), REPORT_DAY)],
  ["nasdaq", "report days", call(nasdaqReportDays, REPORT_DAY)],
  ["fmp", "disclosures", call((setup) => fmpCongress({ ...setup, ...key("fmp") }), FILINGS)],
  ["finnhub", "disclosures", call((setup) => finnhubCongress({ ...setup, ...key("finnhub") }), FILINGS)],
  [
    "unusualwhales",
    "disclosures",
    call((setup) => unusualWhalesCongress({ ...setup, ...key("unusualwhales") }), FILINGS),
  ],
  ["alpaca", "prints", call((setup) => alpacaPrints({ ...setup, ...ALPACA }), PRINTS)],
  ["massive", "prints", call((setup) => massivePrints({ ...setup, ...key("massive") }), PRINTS)],
  [
    "unusualwhales",
    "market prints",
    call((setup) => unusualWhalesMarket({ ...setup, ...key("unusualwhales") }), PRINTS),
  ],
  [
    "unusualwhales",
    "flow",
    call((setup) => unusualWhalesFlow({ ...setup, ...key("unusualwhales") }), {
      instrument: AAPL,
      from: MOMENT - DAY,
    }),
  ],
  ["unusualwhales", "tide", call((setup) => unusualWhalesTide({ ...setup, ...key("unusualwhales") }), null)],
  [
    "unusualwhales",
    "levels",
    call((setup) => unusualWhalesPrices({ ...setup, ...key("unusualwhales") }), PRINTS),
  ],
  ["finra", "weeks", call((setup) => finraWeekly(setup), { instrument: AAPL })],
];

/** Lists of rows of a body, the longest first. */
function listsIn(value: unknown): unknown[][] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap(listsIn);
  const own = Array.isArray(value) && value.length > 1 && typeof value[0] === "object" ? [value] : [];
  return [...own, ...inside].sort((a, b) => b.length - a.length);
}
const isColumn = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.length > 1 &&
  value.every((cell) => cell === null || typeof cell === "number");

/** Replaces one row of the longest list, or all of its rows; in a chart of columns, cells of one column. */
function spoil(body: unknown, which: "one" | "all"): boolean {
  const chart = (body as { chart?: { result?: [{ indicators: { quote: [{ high?: unknown }] } }] } } | null)
    ?.chart;
  const column = chart?.result?.[0].indicators.quote[0].high;
  const list = isColumn(column) ? (column as unknown[]) : listsIn(body)[0];
  if (list === undefined) return false;
  for (let i = 0; i < list.length; i++) if (which === "all" || i === 1) list[i] = "unreadable";
  return true;
}

/** Requests an adapter over its replayed vendor with spoiled responses; returns the kind of failure and the counts. */
async function ask([vendor, what, request]: (typeof ADAPTERS)[number], which: "one" | "all") {
  const world = ["disclosures", "report days"].includes(what) ? SHARED : fixedWorld();
  const honest = fetchFrom(VENDORS.find(({ name }) => name === vendor)!, world);
  const dropped: number[] = [];
  let spoiled = 0;
  const outcome = await kindOf(
    request({
      onUnreadable: (rows) => dropped.push(rows),
      async fetch(input, init) {
        const response = await honest(input, init);
        const text = await response.text();
        const body = parsed(text.replace(/^\uFEFF/, ""));
        const { status, headers } = response;
        if (status !== 200 || !spoil(body, which)) return new Response(text, { status, headers });
        spoiled++;
        return new Response(JSON.stringify(body), { status, headers });
      },
    }),
  );
  return { outcome, dropped: dropped.reduce((sum, rows) => sum + rows, 0), spoiled };
}

describe.each(ADAPTERS)("%s, %s", (...adapter) => {
  it("are returned without the one row of a page that cannot be read, which is counted", async () => {
    const { outcome, dropped, spoiled } = await ask(adapter, "one");
    expect([outcome, spoiled > 0, dropped]).toEqual(["answered", true, spoiled]);
  });

  it("are malformed if no row can be read", async () => {
    expect((await ask(adapter, "all")).outcome).toBe("malformed");
  });
});

describe("daily bars of Tiingo", () => {
  const make = (change: (row: Record<string, unknown>) => object) => {
    const honest = fetchFrom(VENDORS.find(({ name }) => name === "tiingo")!, fixedWorld());
    return tiingo({
      key: keyOf("tiingo"),
      fetch: async (input, init) => {
        const rows = (await (await honest(input, init)).json()) as Record<string, unknown>[];
        return new Response(JSON.stringify(rows.map((row, i) => (i === 3 ? change(row) : row))));
      },
    });
  };
  const request = (provider: PriceProvider) => bars(() => provider)({} as ProviderSetup);

  it("are returned without a bar that cannot be read, but not without a split", async () => {
    expect(await kindOf(request(make((row) => ({ ...row, high: "x" }))))).toBe("answered");
    expect(await kindOf(request(make((row) => ({ ...row, splitFactor: "x" }))))).toBe("malformed");
  });
});
