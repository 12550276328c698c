import type { Timeframe } from "../../src/domain/market/bars.ts";
import { newYorkDay, newYorkOffsetMs } from "../../src/lib/newyork.ts";
import { headlinesOf } from "./headlines.ts";
import { tickered, tradesOf } from "./tape/off-exchange.ts";
import { json, type Reply, type Vendor } from "./vendor.ts";
import type { World, WorldBar } from "./world.ts";

const DAY = 86_400_000;
const KEY = "replay-only-massive-key";
const LENGTHS: Readonly<Record<string, Timeframe>> = {
  "1/day": "1d",
  "30/minute": "30m",
  "15/minute": "15m",
  "5/minute": "5m",
};
const REQUEST = { request_id: "5e5378d5ecaf3df794bb52e45d015d2e" };

const refused = (status: number, said: string, words: object): Reply =>
  json({ status: said, ...REQUEST, ...words }, status);
const TOO_MANY =
  "You've exceeded the maximum requests per minute, please wait or upgrade your subscription to continue.";

/** Massive, once Polygon, for a plan with trades: days stamped at New York's midnight, evenings among the bars, nanoseconds. */
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
    const [, symbol = "", length = "", from = "", to = ""] =
      /^\/v2\/aggs\/ticker\/([A-Z.]+)\/range\/(\d+\/[a-z]+)\/([\d-]+)\/([\d-]+)$/.exec(path) ?? [];
    const [, asked = symbol] =
      /^\/v2\/snapshot\/locale\/us\/markets\/stocks\/tickers\/([A-Z.]+)$/.exec(path) ?? [];
    const found = world.instrument(asked) ?? world.instrument(`${asked}.US`);
    const known = found === null || found.asset_class === "crypto" ? null : found.symbol;
    if (asked !== symbol)
      return known === null
        ? refused(404, "NOT_FOUND", { message: "Ticker not found." })
        : json({ ...REQUEST, status: "OK", ticker: snapshot(asked, known, world) });
    const timeframe = LENGTHS[length];
    if (timeframe === undefined) return { status: 404, body: "404 page not found" };
    const cursor = new URLSearchParams(atob(query.get("cursor") ?? ""));
    const limit = Number(query.get("limit") ?? cursor.get("limit") ?? 5_000);
    const rows = known === null ? [] : rowsOf(known, world, { timeframe, from, to });
    const page = rows.slice(0, Math.floor(limit / Number.parseInt(length, 10)));
    const next = rows[page.length];
    return json({
      ticker: symbol,
      queryCount: page.length,
      resultsCount: page.length,
      adjusted: true,
      ...(page.length > 0 && { results: page.map(rowAs) }),
      status: "OK",
      ...REQUEST,
      count: page.length,
      ...(next && {
        next_url: `https://api.polygon.io/v2/aggs/ticker/${symbol}/range/${length}/${next.time}/${to}?cursor=${btoa(`limit=${limit}&sort=asc`)}`,
      }),
    });
  },
  limits: [
    refused(429, "ERROR", { error: TOO_MANY }),
    refused(200, "ERROR", { error: TOO_MANY }),
    { status: 429, body: "" },
  ],
  unauthorised: [
    refused(401, "ERROR", { error: "Unknown API Key" }),
    refused(401, "ERROR", { error: "API Key was not provided" }),
    { status: 403, body: "" },
  ],
  blocks: [
    {
      status: 403,
      headers: { "content-type": "text/html" },
      body: "<!DOCTYPE html><html><head><title>Attention Required!</title></head></html>",
    },
    { status: 200, headers: { "content-type": "text/html" }, body: "<html><body></body></html>" },
  ],
};

/** Rows of one page of trades. */
const TRADES_PAGE = 20;

/** Trades of all venues, newest first, those off exchange under 4 with the facility's own number. */
function trades(ticker: string, query: URLSearchParams, world: World): Reply {
  const cursor = new URLSearchParams(atob(query.get("cursor") ?? ""));
  const given = (name: string) => Number(cursor.get(name) ?? query.get(name) ?? 0) / 1e6;
  const [from, until] = [given("timestamp.gte"), given("timestamp.lt")];
  const skip = Number(cursor.get("skip") ?? 0);
  const found = tickered(world, ticker);
  const rows =
    found === null ? [] : tradesOf(world, found, new Date(from).toISOString().slice(0, 10)).toReversed();
  const within = rows.filter(({ told }) => told >= from && told < until);
  const page = within.slice(skip, skip + TRADES_PAGE);
  const next = new URLSearchParams({
    "timestamp.gte": `${from}000000`,
    "timestamp.lt": `${until}000000`,
    skip: String(skip + TRADES_PAGE),
  });
  return json({
    results: page.map(({ made, told, price, size, id, off, condition }) => ({
      ...(condition === "average_price" && { conditions: [2] }),
      exchange: off ? 4 : 12,
      id: String(id),
      price,
      size,
      sequence_number: id,
      tape: 3,
      participant_timestamp: made * 1e6,
      sip_timestamp: told * 1e6,
      ...(off && { trf_id: 202, trf_timestamp: told * 1e6 }),
    })),
    status: "OK",
    ...REQUEST,
    ...(skip + TRADES_PAGE < within.length && {
      next_url: `https://api.polygon.io/v3/trades/${ticker}?cursor=${btoa(String(next))}`,
    }),
  });
}

interface Asked {
  readonly timeframe: Timeframe;
  readonly from: string;
  readonly to: string;
}

/** Both ends are dates, whose whole day is meant, or epoch ms. */
function rowsOf(symbol: string, world: World, { timeframe, from, to }: Asked): readonly WorldBar[] {
  const at = (end: string, within: number) => (end.includes("-") ? Date.parse(end) + within : Number(end));
  const range = { from: at(from, 0), until: at(to, DAY - 1) };
  if (timeframe !== "1d") return world.bars(symbol, timeframe, { ...range, hours: "extended" });
  return world
    .bars(symbol, timeframe, range)
    .map((bar) => ({ ...bar, time: bar.time - newYorkOffsetMs(bar.time + DAY / 2) }));
}

const rowAs = ({ time, open, high, low, close, volume }: WorldBar) => ({
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
    todaysChangePerc: 100 * (price / previousClose - 1),
    todaysChange: price - previousClose,
    updated: nanoseconds,
    day: begun ? { o: open, h: high, l: low, c: price, v: volume, vw: price } : none,
    lastQuote: { P: price + 0.01, S: 5, p: price - 0.01, s: 3, t: nanoseconds },
    lastTrade: { c: [14, 41], i: "121351", p: price, s: 200, t: nanoseconds, x: 12 },
    min: { av: volume, t: at, n: 5, o: price, h: price, l: price, c: price, v: 100, vw: price },
    prevDay: { ...none, c: previousClose, v: volume, vw: previousClose },
  };
}

/** News of stocks under tickers and of tokens under `X:BTCUSD`; none of what it does not know. */
function news(ticker: string, world: World): Reply {
  const symbol = ticker.replace(/^X:(.+)USD$/, "$1-USD");
  const found = world.instrument(symbol) ?? world.instrument(`${symbol}.US`);
  const results = headlinesOf(found, world).map(({ id, title, publisher, url, at }) => ({
    id,
    publisher: { name: publisher, homepage_url: "https://news.example.com/" },
    title,
    author: publisher,
    published_utc: `${new Date(at).toISOString().slice(0, 19)}Z`,
    article_url: url,
    tickers: [ticker],
    description: `${title} in a few words.`,
  }));
  return json({ results, status: "OK", ...REQUEST, count: results.length });
}
