import type { ProviderTimeframe } from "../../src/domain/market/bars.ts";
import type { PrintCondition } from "../../src/domain/off-exchange/prints.ts";
import type { OptionContract } from "../../src/domain/options-flow/options.ts";
import { newYorkDay, newYorkOffsetMs } from "../../src/lib/newyork.ts";
import { isoDate } from "../../src/providers/sample/time.ts";
import { instrumentOf, stockOf } from "./lookup.ts";
import { empty, json, page, type Reply, type Vendor } from "./vendor.ts";
import type { World, WorldBar } from "./world.ts";

const DAY = 86_400_000;
const KEY = "replay-only-massive-key";
const LENGTHS: Readonly<Record<string, ProviderTimeframe>> = {
  "1/day": "1d",
  "30/minute": "30m",
  "15/minute": "15m",
  "5/minute": "5m",
  "1/minute": "1m",
};
const REQUEST = { request_id: "5e5378d5ecaf3df794bb52e45d015d2e" };

const refused = (status: number, code: string, fields: object): Reply =>
  json({ status: code, ...REQUEST, ...fields }, status);
const TOO_MANY =
  "You've exceeded the maximum requests per minute, please wait or upgrade your subscription to continue.";

/**
 * Massive (formerly Polygon) on a plan with trades: days stamped at midnight in New York, extended hours among the
 * bars, nanoseconds.
 */
export const massiveVendor: Vendor = {
  name: "massive",
  key: KEY,
  latency: { p50: 120, p95: 450 },
  answer({ path, query, headers }, world) {
    if (headers.get("authorization") !== `Bearer ${KEY}`)
      return refused(401, "ERROR", { error: "Unknown API Key" });
    if (path === "/v2/reference/news") return news(query.get("ticker") ?? "", world);
    const [, traded] = /^\/v3\/trades\/([A-Z.]+)$/.exec(path) ?? [];
    if (traded !== undefined) return trades(traded, query, world);
    const [, underlying] = /^\/v3\/snapshot\/options\/([A-Z.]+)$/.exec(path) ?? [];
    if (underlying !== undefined) return chainPage(underlying, query, world);
    const [, symbol = "", length = "", from = "", to = ""] =
      /^\/v2\/aggs\/ticker\/([A-Z.]+)\/range\/(\d+\/[a-z]+)\/([\d-]+)\/([\d-]+)$/.exec(path) ?? [];
    const [, ticker = symbol] =
      /^\/v2\/snapshot\/locale\/us\/markets\/stocks\/tickers\/([A-Z.]+)$/.exec(path) ?? [];
    const known = stockOf(world, ticker)?.symbol ?? null;
    if (ticker !== symbol)
      return known === null
        ? refused(404, "NOT_FOUND", { message: "Ticker not found." })
        : json({ ...REQUEST, status: "OK", ticker: snapshot(ticker, known, world) });
    const timeframe = LENGTHS[length];
    if (timeframe === undefined) return { status: 404, body: "404 page not found" };
    const cursor = new URLSearchParams(atob(query.get("cursor") ?? ""));
    const limit = Number(query.get("limit") ?? cursor.get("limit") ?? 5_000);
    const rows = known === null ? [] : rowsOf(known, world, { timeframe, from, to });
    const shown = rows.slice(0, Math.floor(limit / Number.parseInt(length, 10)));
    const next = rows[shown.length];
    return json({
      ticker: symbol,
      queryCount: shown.length,
      resultsCount: shown.length,
      adjusted: true,
      ...(shown.length > 0 && { results: shown.map(rowOf) }),
      status: "OK",
      ...REQUEST,
      count: shown.length,
      ...(next && {
        next_url: `https://api.polygon.io/v2/aggs/ticker/${symbol}/range/${length}/${next.time}/${to}?cursor=${btoa(`limit=${limit}&sort=asc`)}`,
      }),
    });
  },
  limits: [
    refused(429, "ERROR", { error: TOO_MANY }),
    refused(200, "ERROR", { error: TOO_MANY }),
    empty(429),
  ],
  unauthorised: [
    refused(401, "ERROR", { error: "Unknown API Key" }),
    refused(401, "ERROR", { error: "API Key was not provided" }),
    empty(403),
  ],
  blocks: [page(403, "Attention Required!"), page(200)],
};

/** Options of one page. */
const OPTIONS_PAGE = 60;

/** Options of a plan with quotes and trades, and one of an adjusted root that covers other shares. */
function chainPage(ticker: string, query: URLSearchParams, world: World): Reply {
  const stock = stockOf(world, ticker);
  const trade = stock === null ? null : world.trade(stock.symbol);
  const contracts = trade === null ? [] : (world.chain(stock!, trade)?.contracts ?? []);
  const asset = {
    ticker,
    price: trade?.price,
    last_updated: (trade?.at ?? 0) * 1e6,
    timeframe: "REAL-TIME",
  };
  const rows = contracts.map((contract) => ({ ...optionOf(contract, world), underlying_asset: asset }));
  const adjusted = rows.slice(0, 1).map(({ details, ...row }) => {
    const symbol = details.ticker.replace(/(?=\d{6}[CP])/, "1");
    return { ...row, details: { ...details, ticker: symbol, shares_per_contract: 50 } };
  });
  const all = [...adjusted, ...rows];
  const from = Number(atob(query.get("cursor") ?? "") || 0);
  const until = from + OPTIONS_PAGE;
  return json({
    ...REQUEST,
    results: all.slice(from, until),
    status: "OK",
    ...(until < all.length && {
      next_url: `https://api.polygon.io/v3/snapshot/options/${ticker}?cursor=${btoa(String(until))}`,
    }),
  });
}

/** An option without a bid never traded and has no model; one that did not trade has the bar of an earlier day. */
function optionOf({ bid, ask, last, lastTradedAt, volume, ...row }: OptionContract, world: World) {
  const tradedAt = lastTradedAt === null ? null : Date.parse(lastTradedAt) * 1e6;
  const barAt = volume === 0 ? (world.now() - 7 * DAY) * 1e6 : tradedAt;
  return {
    day: tradedAt === null ? {} : { close: last, last_updated: barAt, volume: volume === 0 ? 3 : volume },
    details: {
      contract_type: row.type,
      exercise_style: "american",
      expiration_date: row.expiry,
      shares_per_contract: 100,
      strike_price: row.strike,
      ticker: `O:${row.symbol}`,
    },
    greeks: bid === null ? {} : { delta: row.delta, gamma: row.gamma, theta: row.theta, vega: row.vega },
    ...(bid !== null && { implied_volatility: row.iv }),
    last_quote: {
      ask: ask ?? 0,
      ask_size: row.askSize ?? 0,
      bid: bid ?? 0,
      bid_size: row.bidSize ?? 0,
      last_updated: world.now() * 1e6,
      timeframe: "REAL-TIME",
    },
    ...(tradedAt !== null && {
      last_trade: { price: last, sip_timestamp: tradedAt, size: 1, timeframe: "REAL-TIME" },
    }),
    open_interest: row.openInterest ?? undefined,
  };
}

/** Rows of one page of trades. */
const TRADES_PAGE = 20;
const SALE_CONDITIONS: Readonly<Partial<Record<PrintCondition, number>>> = {
  average_price: 2,
  derivative_priced: 10,
  prior_reference: 22,
  late: 32,
  contingent: 53,
};

/**
 * Trades of all venues, newest first: each off-exchange print under exchange 4 with its facility, and one on-exchange
 * trade.
 */
function trades(ticker: string, query: URLSearchParams, world: World): Reply {
  const cursor = new URLSearchParams(atob(query.get("cursor") ?? ""));
  const nanoseconds = (name: string) => Number(cursor.get(name) ?? query.get(name) ?? 0) / 1e6;
  const [from, until] = [nanoseconds("timestamp.gte"), nanoseconds("timestamp.lt")];
  const skip = Number(cursor.get("skip") ?? 0);
  const stock = stockOf(world, ticker);
  const rows = (stock === null ? [] : world.prints(stock, isoDate(from)))
    .filter(({ reportedAt }) => reportedAt >= from && reportedAt < until)
    .toReversed()
    .flatMap(({ executedAt, reportedAt, price, size, conditions }, i) => {
      const codes = conditions.flatMap((condition) => SALE_CONDITIONS[condition] ?? []);
      const onExchange = {
        exchange: 12,
        id: String(2 * i),
        price,
        size: 100,
        tape: 3,
        participant_timestamp: reportedAt * 1e6,
        sip_timestamp: reportedAt * 1e6,
      };
      const offExchange = {
        ...onExchange,
        exchange: 4,
        id: String(2 * i + 1),
        size,
        participant_timestamp: executedAt * 1e6,
        trf_id: 202,
        trf_timestamp: reportedAt * 1e6,
        ...(codes.length > 0 && { conditions: codes }),
        ...(conditions.includes("cancelled") && { correction: 8 }),
      };
      return [onExchange, offExchange];
    });
  const next = new URLSearchParams({
    "timestamp.gte": `${from}000000`,
    "timestamp.lt": `${until}000000`,
    skip: String(skip + TRADES_PAGE),
  });
  return json({
    results: rows.slice(skip, skip + TRADES_PAGE),
    status: "OK",
    ...REQUEST,
    ...(skip + TRADES_PAGE < rows.length && {
      next_url: `https://api.polygon.io/v3/trades/${ticker}?cursor=${btoa(String(next))}`,
    }),
  });
}

interface BarsQuery {
  readonly timeframe: ProviderTimeframe;
  readonly from: string;
  readonly to: string;
}

/** Bars between two bounds; each bound is a date, inclusive, or epoch ms. */
function rowsOf(symbol: string, world: World, { timeframe, from, to }: BarsQuery): readonly WorldBar[] {
  const at = (end: string, within: number) => (end.includes("-") ? Date.parse(end) + within : Number(end));
  const range = { from: at(from, 0), until: at(to, DAY - 1) };
  if (timeframe !== "1d") return world.bars(symbol, timeframe, { ...range, hours: "extended" });
  return world
    .bars(symbol, timeframe, range)
    .map((bar) => ({ ...bar, time: bar.time - newYorkOffsetMs(bar.time + DAY / 2) }));
}

const rowOf = ({ time, open, high, low, close, volume }: WorldBar) => ({
  v: volume,
  vw: (high + low + close) / 3,
  o: open,
  c: close,
  h: high,
  l: low,
  t: time,
  n: 82132,
});

function snapshot(ticker: string, symbol: string, world: World) {
  const { price, at, previousClose, open, high, low, volume } = world.trade(symbol)!;
  const today = newYorkDay(world.now());
  const begun = world.bars(symbol, "1d", { from: today, until: today }).length > 0;
  const none = { o: 0, h: 0, l: 0, c: 0, v: 0, vw: 0 };
  const nanoseconds = at * 1e6;
  return {
    ticker,
    day: begun ? { o: open, h: high, l: low, c: price, v: volume, vw: price } : none,
    lastQuote: { P: price + 0.01, S: 5, p: price - 0.01, s: 3, t: nanoseconds },
    lastTrade: { c: null, i: "121351", p: price, s: 200, t: nanoseconds, x: 12 },
    min: { av: volume, t: at, n: 5, o: price, h: price, l: price, c: price, v: 100, vw: price },
    prevDay: { ...none, c: previousClose, v: volume, vw: previousClose },
  };
}

/** News tagged with tickers for stocks and with `X:BTCUSD` for tokens; empty for an unknown symbol. */
function news(ticker: string, world: World): Reply {
  const found = instrumentOf(world, ticker.replace(/^X:(.+)USD$/, "$1-USD"));
  const results = world.headlines(found).map(({ id, title, publisher, url, publishedAt: at }) => ({
    id,
    publisher: { name: publisher, homepage_url: "https://news.example.com/" },
    title,
    author: publisher,
    published_utc: `${new Date(at).toISOString().slice(0, 19)}Z`,
    article_url: url,
    tickers: [ticker],
  }));
  return json({ results, status: "OK", ...REQUEST, count: results.length });
}
