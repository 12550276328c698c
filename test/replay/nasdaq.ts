import type { Instrument } from "../../src/domain/market/market.ts";
import { newYorkDay, newYorkOffsetMs } from "../../src/lib/newyork.ts";
import { marketStateAt, sessionOn } from "../../src/market/calendar/calendar.ts";
import { dividendsOf, dividendsOn, splitsOn, usDate } from "./events.ts";
import { stockOf } from "./lookup.ts";
import { reportsOf, reportsOn } from "./reports.ts";
import { empty, json, page, type Reply, type Vendor } from "./vendor.ts";
import type { World } from "./world.ts";

const DAY = 86_400_000;

const answered = (data: unknown): Reply =>
  json({ data, message: null, status: { rCode: 200, bCodeMessage: null, developerMessage: null } });
const refused = (code: number, errorMessage: string, status = 200): Reply =>
  json(
    {
      data: null,
      message: null,
      status: { rCode: 400, bCodeMessage: [{ code, errorMessage }], developerMessage: null },
    },
    status,
  );

/**
 * Nasdaq.com's API: amounts as text with dollar signs and commas, newest first, separate paths for stocks and funds, a
 * leading byte order mark.
 */
export const nasdaqVendor: Vendor = {
  name: "nasdaq",
  key: null,
  latency: { p50: 250, p95: 1500 },
  answer({ path, query, headers }, world) {
    if (!/Mozilla/.test(headers.get("user-agent") ?? "")) return page(403, "Access Denied");
    const reports = reported(path, query, world);
    if (reports !== null) return reports;
    const events = eventsOf(path, query, world);
    if (events !== null) return events;
    const [, ticker = "", what = ""] = /^\/api\/quote\/([A-Z.]+)\/(info|historical)$/.exec(path) ?? [];
    if (what === "") return refused(1000, "Something went wrong.Please try again later.", 404);
    const instrument = stockOf(world, ticker);
    if (instrument === null) return refused(1001, "Symbol not exists.", 400);
    const fund = instrument.asset_class === "etf";
    if (query.get("assetclass") !== (fund ? "etf" : "stocks")) return refused(1001, "Symbol not exists.");
    if (what === "info") return marked(answered(info(ticker, instrument, world)));
    const [from, until] = [query.get("fromdate") ?? "", query.get("todate") ?? ""];
    if (!(from < until)) return refused(1011, "Provided date is less than from date");
    const rows = days(instrument, world, { from: Date.parse(from), until: Date.parse(until) });
    const shown = rows.slice(0, Number(query.get("limit") ?? 14));
    const headings = {
      date: "Date",
      close: "Close/Last",
      volume: "Volume",
      open: "Open",
      high: "High",
      low: "Low",
    };
    return marked(
      answered({
        symbol: ticker,
        totalRecords: rows.length,
        tradesTable: { asOf: null, headers: headings, rows: shown },
      }),
    );
  },
  limits: [empty(429), page(429, "Too Many Requests")],
  unauthorised: [],
  blocks: [page(403, "Access Denied"), page(200, "Access Denied")],
};

/** A calendar of dividends, splits or IPOs, or the dividends of a stock; null for any other path. */
function eventsOf(path: string, query: URLSearchParams, world: World): Reply | null {
  const date = query.get("date") ?? "";
  if (path === "/api/calendar/dividends") {
    const rows = dividendsOn(date, world).map(({ ticker, name, paid, amount }) => ({
      companyName: name,
      symbol: ticker,
      dividend_Ex_Date: usDate(date),
      payment_Date: usDate(paid),
      record_Date: usDate(date),
      dividend_Rate: amount,
      indicated_Annual_Dividend: 4 * amount,
      announcement_Date: "N/A",
    }));
    return marked(answered({ calendar: { asOf: null, headers: {}, rows: rows.length === 0 ? null : rows } }));
  }
  if (path === "/api/calendar/splits") {
    const rows = splitsOn(date, world).map(({ ticker, name, ratio }) => ({
      symbol: ticker,
      name,
      ratio,
      payableDate: usDate(date),
      executionDate: usDate(date),
      announcedDate: "N/A",
    }));
    return marked(answered({ headers: {}, rows }));
  }
  if (path === "/api/ipo/calendar") return marked(answered(ipos(date)));
  const [, ticker] = /^\/api\/quote\/([A-Z.]+)\/dividends$/.exec(path) ?? [];
  if (ticker === undefined) return null;
  const instrument = stockOf(world, ticker);
  if (instrument === null) return refused(1001, "Symbol not exists.", 400);
  const rows = dividendsOf(instrument, world).map(({ date: ex, paid, amount }) => ({
    exOrEffDate: padded(ex),
    type: "Cash",
    amount: `$${amount.toFixed(2)}`,
    declarationDate: "N/A",
    recordDate: padded(ex),
    paymentDate: padded(paid),
    currency: "USD",
  }));
  return marked(
    answered({ exDividendDate: rows[0]?.exOrEffDate ?? "N/A", dividends: { headers: {}, rows } }),
  );
}

/** `08/31/2026` of a date. */
const padded = (date: string): string => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`;

/** One IPO of a month at each stage. */
function ipos(month: string) {
  const offer = (ticker: string | null, price: string) => ({
    dealID: `${ticker}-1`,
    proposedTickerSymbol: ticker,
    companyName: `${ticker ?? "Private"} Holdings, Inc.`,
    proposedExchange: "NASDAQ Global Select",
    proposedSharePrice: price,
    sharesOffered: "20,000,000",
    dollarValueOfSharesOffered: "$391,000,000",
  });
  return {
    priced: { rows: [{ ...offer("ZZPR", "17.00"), pricedDate: usDate(`${month}-04`) }] },
    upcoming: {
      upcomingTable: {
        rows: [{ ...offer("ZZUP", "15.00-17.00"), expectedPriceDate: usDate(`${month}-18`) }],
      },
    },
    filed: { rows: [{ ...offer("ZZFI", ""), filedDate: usDate(`${month}-02`) }] },
    withdrawn: { rows: [{ ...offer(null, ""), withdrawDate: usDate(`${month}-11`) }] },
  };
}

const marked = (reply: Reply): Reply => ({ ...reply, body: `\uFEFF${reply.body}` });

/** Completed days, newest first. */
function days({ symbol, asset_class }: Instrument, world: World, range: { from: number; until: number }) {
  const until = Math.min(range.until, newYorkDay(world.now()) - DAY);
  const sign = asset_class === "etf" ? "" : "$";
  return world
    .bars(symbol, "1d", { from: range.from, until })
    .map(({ time, open, high, low, close, volume }) => {
      const [year, month, day] = new Date(time).toISOString().slice(0, 10).split("-");
      return {
        date: `${month}/${day}/${year}`,
        close: sign + grouped(close),
        volume: grouped(volume, 0),
        open: sign + grouped(open),
        high: sign + grouped(high),
        low: sign + grouped(low),
      };
    })
    .toReversed();
}

/**
 * The newest trade; outside of the session with the last close as secondary data; at night only the close, without a
 * time.
 */
function info(ticker: string, instrument: Instrument, world: World) {
  const now = world.now();
  const trade = world.trade(instrument.symbol)!;
  const state = marketStateAt(now, "equity");
  const sessions = world.bars(instrument.symbol, "1d", { from: now - 15 * DAY, until: now });
  const over = sessions.filter(
    ({ time }) => time < newYorkDay(now) || state === "post" || state === "closed",
  );
  const [before, last] = over.slice(-2) as [(typeof over)[number], (typeof over)[number]];
  const close = { price: last.close, than: before.close, volume: last.volume };
  const night = state === "closed" || newYorkDay(trade.at) < newYorkDay(now);
  const primary = night
    ? { ...sale(close, dated(last.time)), isRealTime: false }
    : {
        ...sale({ price: trade.price, than: last.close, volume: trade.volume }, timed(trade.at)),
        isRealTime: true,
      };
  const secondary =
    night || state === "regular" ? null : sale(close, `Closed at ${timed(sessionOn(last.time)!.close)}`);
  return {
    symbol: ticker,
    companyName: `${instrument.name} Common Stock`,
    stockType: "Common Stock",
    exchange: "NASDAQ-GS",
    primaryData: primary,
    secondaryData: secondary,
    marketStatus: {
      pre: "Pre-Market",
      regular: "Open",
      post: "After-Hours",
      closed: "Closed",
      always_open: "Open",
    }[state],
    assetClass: instrument.asset_class === "etf" ? "ETF" : "STOCKS",
  };
}

function sale({ price, than, volume }: { price: number; than: number; volume: number }, when: string) {
  const change = price - than;
  const sign = change < 0 ? "-" : "+";
  return {
    lastSalePrice: `$${grouped(price)}`,
    netChange: `${sign}${grouped(Math.abs(change))}`,
    percentageChange: `${sign}${grouped(Math.abs(100 * (price / than - 1)))}%`,
    deltaIndicator: change < 0 ? "down" : "up",
    lastTradeTimestamp: when,
    isRealTime: false,
    volume: grouped(volume, 0),
    currency: null,
  };
}

/** `5,123.40`: at least two decimals. */
const grouped = (figure: number, least = 2): string =>
  figure.toLocaleString("en-US", { minimumFractionDigits: least, maximumFractionDigits: Math.max(least, 4) });

/** `Nov 20, 2026` of a day given as its 00:00 UTC. */
const dated = (day: number): string =>
  new Date(day).toLocaleDateString("en-US", {
    timeZone: "UTC",
    month: "short",
    day: "numeric",
    year: "numeric",
  });

/** `Nov 20, 2026 3:59 PM ET`: to the minute. */
function timed(at: number): string {
  const shown = new Date(at + newYorkOffsetMs(at));
  const clock = shown.toLocaleTimeString("en-US", { timeZone: "UTC", hour: "numeric", minute: "2-digit" });
  return `${dated(shown.getTime())} ${clock.replace(/\s/, " ")} ET`;
}

/** The last four quarters of a company, or one day of the earnings calendar; null for any other path. */
function reported(path: string, query: URLSearchParams, world: World): Reply | null {
  const month = (end: string) => new Date(end).toLocaleString("en-US", { month: "short", timeZone: "UTC" });
  if (path === "/api/calendar/earnings") {
    const date = query.get("date") ?? "";
    const day = new Date(date);
    const asOf = `${day.toLocaleString("en-US", { weekday: "short", timeZone: "UTC" })}, ${month(date)} ${day.getUTCDate()}, ${day.getUTCFullYear()}`;
    const rows = reportsOn(date, world).map((report) => ({
      symbol: report.symbol,
      name: `${report.symbol} Inc.`,
      time: "time-after-hours",
      fiscalQuarterEnding: `${month(report.end)}/${report.end.slice(0, 4)}`,
      epsForecast: `$${report.epsEstimate.toFixed(2)}`,
      ...(report.out && { eps: `$${report.eps.toFixed(2)}`, surprise: "1" }),
    }));
    return marked(answered({ asOf, headers: {}, rows: rows.length === 0 ? null : rows }));
  }
  const [, ticker] = /^\/api\/company\/([A-Z.]+)\/earnings-surprise$/.exec(path) ?? [];
  if (ticker === undefined) return null;
  const known = reportsOf(stockOf(world, ticker), world);
  if (known.length === 0) return refused(1001, "Symbol not exists.", 400);
  const rows = known
    .filter(({ out }) => out)
    .slice(0, 4)
    .map(({ end, date, eps, epsEstimate }) => ({
      fiscalQtrEnd: `${month(end)} ${end.slice(0, 4)}`,
      dateReported: `${Number(date.slice(5, 7))}/${Number(date.slice(8))}/${date.slice(0, 4)}`,
      eps,
      consensusForecast: String(epsEstimate),
    }));
  return marked(answered({ symbol: ticker, earningsSurpriseTable: { headers: {}, rows } }));
}
