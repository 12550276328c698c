import type { Timeframe } from "../../src/domain/bars.ts";
import { newYorkDay, newYorkOffsetMs } from "../../src/lib/newyork.ts";
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
  ...{ o: open, c: close, h: high, l: low },
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
    min: { av: volume, t: at, n: 5, ...{ o: price, h: price, l: price, c: price, v: 100, vw: price } },
    prevDay: { ...none, c: previousClose, v: volume, vw: previousClose },
  };
}
