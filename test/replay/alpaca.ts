import { TIMEFRAME_MS, type Timeframe } from "../../src/domain/market/bars.ts";
import type { Instrument } from "../../src/domain/market/market.ts";
import { newYorkDay, newYorkOffsetMs } from "../../src/lib/newyork.ts";
import { headlinesOf } from "./headlines.ts";
import { tradesOf } from "./tape/off-exchange.ts";
import { json, type Reply, type Vendor } from "./vendor.ts";
import type { World, WorldBar } from "./world.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const KEY_ID = "PKREPLAYONLY00000000";
const SECRET = "replay-only-secret";
/** What an account without a subscription may not see of all venues. */
const RECENT = 15 * MINUTE;
/** Minutes of trading behind the bars of one page. */
const PAGE_MINUTES = 10_000;

const LENGTHS: Readonly<Record<string, Timeframe>> = {
  "1Day": "1d",
  "30Min": "30m",
  "15Min": "15m",
  "5Min": "5m",
};

const refused = (status: number, message: string): Reply => json({ message }, status);

/** Alpaca's market data: times as text with nanoseconds, days stamped at New York's midnight, evenings among the bars. */
export const alpacaVendor: Vendor = {
  name: "alpaca",
  key: `${KEY_ID}, ${SECRET}`,
  latency: { p50: 90, p95: 300 },
  answer({ path, query, headers }, world) {
    if (headers.get("apca-api-key-id") !== KEY_ID || headers.get("apca-api-secret-key") !== SECRET)
      return refused(401, "unauthorized.");
    const symbol = query.get("symbols") ?? "";
    if (path === "/v1beta1/news") return news(symbol, world);
    if (!/^[A-Z]{1,6}(\.[A-Z]{1,2})?$/.test(symbol))
      return refused(400, `code=400, message=invalid symbol: ${symbol}`);
    const found = world.instrument(symbol) ?? world.instrument(`${symbol}.US`);
    const instrument = found?.asset_class === "crypto" ? null : found;
    if (path === "/v2/stocks/snapshots")
      return json(instrument === null ? {} : { [symbol]: snapshot(instrument, world) });
    if (path === "/v2/stocks/trades") return trades(symbol, instrument, query, world);
    const timeframe = LENGTHS[query.get("timeframe") ?? ""];
    if (path !== "/v2/stocks/bars" || timeframe === undefined) return refused(404, "endpoint not found");
    const [start, end] = [Date.parse(query.get("start") ?? ""), Date.parse(query.get("end") ?? "")];
    if (!(start <= end)) return refused(400, "end should not be before start");
    if (query.get("feed") === "sip" && end > world.now() - RECENT)
      return refused(403, "subscription does not permit querying recent SIP data");
    if (instrument === null) return json({ bars: {}, next_page_token: null });
    return json(page(symbol, instrument, world, { timeframe, start, end, token: query.get("page_token") }));
  },
  limits: [refused(429, "too many requests."), { status: 429, body: "" }],
  unauthorised: [
    refused(401, "unauthorized."),
    refused(403, "forbidden."),
    refused(403, "subscription does not permit querying recent SIP data"),
  ],
  blocks: [
    {
      status: 403,
      headers: { "content-type": "text/html" },
      body: "<html><head><title>403 Forbidden</title></head><body></body></html>",
    },
  ],
};

/** Rows of one page of trades. */
const TRADES_PAGE = 20;

/** Trades of all venues, newest first, those off exchange under D. */
function trades(symbol: string, instrument: Instrument | null, query: URLSearchParams, world: World): Reply {
  const [start, end] = [Date.parse(query.get("start") ?? ""), Date.parse(query.get("end") ?? "")];
  if (!(start <= end)) return refused(400, "end should not be before start");
  if (end > world.now() - RECENT)
    return refused(403, "subscription does not permit querying recent SIP data");
  const rows =
    instrument === null ? [] : tradesOf(world, instrument, new Date(start).toISOString().slice(0, 10));
  const within = rows.filter(({ told }) => told >= start && told <= end).toReversed();
  const from = Number(atob(query.get("page_token") ?? "") || 0);
  const page = within.slice(from, from + TRADES_PAGE);
  const told = page.map(({ told: at, price, size, id, off, condition }) => ({
    t: nanoseconds(at),
    x: off ? "D" : "Q",
    p: price,
    s: size,
    i: id,
    z: "C",
    c: condition === "average_price" ? ["@", "W"] : ["@"],
  }));
  return json({
    trades: told.length === 0 ? {} : { [symbol]: told },
    next_page_token: from + TRADES_PAGE < within.length ? btoa(String(from + TRADES_PAGE)) : null,
  });
}

interface Asked {
  readonly timeframe: Timeframe;
  readonly start: number;
  readonly end: number;
  readonly token: string | null;
}

/** A page from where the token says, and the token of the next one. */
function page(symbol: string, { symbol: of }: Instrument, world: World, asked: Asked) {
  const { timeframe, start, end, token } = asked;
  const daily = timeframe === "1d";
  const rows = world
    .bars(of, timeframe, { from: start - DAY, until: end, ...(!daily && { hours: "extended" }) })
    .map((bar) => (daily ? { ...bar, time: midnight(bar.time) } : bar))
    .filter(({ time }) => time >= start && time <= end);
  const after = token === null ? Number.NEGATIVE_INFINITY : Number(atob(token).split("|")[2]);
  const left = rows.filter(({ time }) => time > after);
  const size = daily ? 10_000 : Math.floor(PAGE_MINUTES / (TIMEFRAME_MS[timeframe] / MINUTE));
  const shown = left.slice(0, size);
  const more = left.length > shown.length;
  return {
    bars: shown.length === 0 ? {} : { [symbol]: shown.map(barOf) },
    next_page_token: more ? btoa(`${symbol}|M|${shown.at(-1)!.time}`) : null,
  };
}

/** The newest trade with its day and the one before, or, before the opening, the two days before. */
function snapshot({ symbol }: Instrument, world: World) {
  const { price, at } = world.trade(symbol)!;
  const days = world.bars(symbol, "1d", { from: newYorkDay(at) - 15 * DAY, until: newYorkDay(at) });
  const [before, today] = days.slice(-2).map((bar) => ({ ...bar, time: midnight(bar.time) }));
  return {
    latestTrade: { t: nanoseconds(at), x: "V", p: price, s: 100, c: ["@"], i: 39884, z: "C" },
    latestQuote: {
      t: nanoseconds(at),
      ax: "V",
      ap: price + 0.01,
      as: 2,
      bx: "V",
      bp: price - 0.01,
      bs: 5,
      c: ["R"],
      z: "C",
    },
    minuteBar: barOf({ ...today!, time: Math.floor(at / MINUTE) * MINUTE }),
    dailyBar: barOf(today!),
    prevDailyBar: barOf(before!),
  };
}

const barOf = ({ time, open, high, low, close, volume }: WorldBar) => ({
  t: new Date(time).toISOString().replace(".000", ""),
  o: open,
  h: high,
  l: low,
  c: close,
  v: volume,
  n: 732412,
  vw: (high + low + close) / 3,
});

const nanoseconds = (at: number): string => new Date(at).toISOString().replace("Z", "432206Z");

/** New York's midnight of a date given as its 00:00 UTC. */
const midnight = (day: number): number => day - newYorkOffsetMs(day + DAY / 2);

/** News of stocks under tickers and of tokens under `BTCUSD`; none of what it does not know. */
function news(symbol: string, world: World): Reply {
  const found =
    world.instrument(symbol) ??
    world.instrument(`${symbol}.US`) ??
    world.instrument(symbol.replace(/USD$/, "-USD"));
  const rows = headlinesOf(found, world).map(({ title, publisher, url, at }, i) => ({
    author: publisher,
    content: "",
    created_at: `${new Date(at).toISOString().slice(0, 19)}Z`,
    headline: title,
    id: 40_432_158 + i,
    images: [],
    source: publisher,
    summary: "",
    symbols: [symbol],
    updated_at: `${new Date(at).toISOString().slice(0, 19)}Z`,
    url,
  }));
  return json({ news: rows, next_page_token: null });
}
