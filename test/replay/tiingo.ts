import type { Timeframe } from "../../src/domain/market/bars.ts";
import { newYorkDate, newYorkDay, newYorkOffsetMs } from "../../src/lib/newyork.ts";
import { marketStateAt, sessionOf } from "../../src/market/calendar/calendar.ts";
import { json, type Reply, type Vendor } from "./vendor.ts";
import type { World, WorldBar } from "./world.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TOKEN = "replay-only-tiingo-token";
/** Newest bars of a length that it keeps. */
const KEPT = 2_000;

const FREQUENCIES: Readonly<Record<string, Timeframe>> = { "30min": "30m", "15min": "15m", "5min": "5m" };
const refused = (status: number, detail: string): Reply => json({ detail }, status);
const plain = (status: number, body: string): Reply => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body,
});
const OVER =
  "Error: You have run over your hourly request allocation. Please upgrade to have your limits increased.";

/** Tiingo: lists of one, days as they were then, parts of sessions on IEX; limits within a status of 200. */
export const tiingoVendor: Vendor = {
  name: "tiingo",
  key: TOKEN,
  latency: { p50: 180, p95: 600 },
  answer({ path, query, headers }, world) {
    if (headers.get("authorization") !== `Token ${TOKEN}`) return refused(401, "Invalid token.");
    const [, place = "", ticker = "", prices = ""] =
      /^\/(iex|tiingo\/daily)\/([A-Za-z-]+)(\/prices)?$/.exec(path) ?? [];
    const canonical = ticker.toUpperCase().replace("-", ".");
    const found = world.instrument(canonical) ?? world.instrument(`${canonical}.US`);
    const symbol = found === null || found.asset_class === "crypto" ? null : found.symbol;
    if (place === "iex" && prices === "") return json(symbol === null ? [] : [top(ticker, symbol, world)]);
    if (prices === "" || symbol === null)
      return refused(404, place === "iex" ? "Not found." : `Error: Ticker '${ticker}' not found`);
    const from = Date.parse(query.get("startDate") ?? newYorkDate(world.now()));
    const until = Date.parse(query.get("endDate") ?? newYorkDate(world.now())) + DAY - 1;
    const columns = query.get("columns")?.split(",") ?? null;
    if (place === "tiingo/daily") return json(days(symbol, world, { from, until }).map(only(columns)));
    const timeframe = FREQUENCIES[(query.get("resampleFreq") ?? "5min").toLowerCase()];
    if (timeframe === undefined) return refused(400, "Error: resampleFreq is invalid");
    const kept = world
      .bars(symbol, timeframe, { from: world.now() - 400 * DAY, until: world.now() })
      .slice(-KEPT);
    return json(
      kept
        .filter(({ time }) => time >= from && time <= until)
        .map((bar) => row(asThen(symbol, bar, world)))
        .map(only(columns ?? ["open", "high", "low", "close"])),
    );
  },
  limits: [
    plain(200, "You have run over your 500 symbol look up for this month. Please upgrade."),
    plain(200, OVER),
    json({ detail: OVER }),
    refused(429, OVER),
    refused(403, OVER),
  ],
  unauthorised: [
    refused(401, "Invalid token."),
    refused(403, "Authentication credentials were not provided."),
  ],
  blocks: [
    {
      status: 403,
      headers: { "content-type": "text/html" },
      body: "<html><head><title>403 Forbidden</title></head></html>",
    },
    { status: 200, headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><html></html>" },
  ],
};

/** Dates always, besides the columns that were asked for. */
const only =
  (columns: readonly string[] | null) =>
  (told: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
    columns === null
      ? told
      : Object.fromEntries(
          Object.entries(told).filter(([name]) => name === "date" || columns.includes(name)),
        );

/** What later splits have since made of one share of a day. */
function sharesSince(symbol: string, day: number, world: World): number {
  return world
    .splits(symbol)
    .filter((split) => day < split.day)
    .reduce((product, { factor }) => product * factor, 1);
}

function asThen(symbol: string, bar: WorldBar, world: World): WorldBar {
  const day = bar.time % DAY === 0 ? bar.time : newYorkDay(bar.time);
  const shares = sharesSince(symbol, day, world);
  const { time, open, high, low, close, volume } = bar;
  return {
    time,
    open: open * shares,
    high: high * shares,
    low: low * shares,
    close: close * shares,
    volume: volume / shares,
  };
}

const row = ({ time, open, high, low, close, volume }: WorldBar) => ({
  date: new Date(time).toISOString(),
  open,
  high,
  low,
  close,
  volume,
});

/** Days there are by half past five of their evening, raw beside adjusted. */
function days(symbol: string, world: World, range: { readonly from: number; readonly until: number }) {
  const known = world.now() - 1.5 * HOUR;
  return world
    .bars(symbol, "1d", range)
    .filter(({ time }) => sessionOf(new Date(time).toISOString().slice(0, 10))!.close <= known)
    .map((bar) => {
      const split = world.splits(symbol).find(({ day }) => day === bar.time);
      return {
        ...row(asThen(symbol, bar, world)),
        adjClose: bar.close * 0.99,
        adjHigh: bar.high * 0.99,
        adjLow: bar.low * 0.99,
        adjOpen: bar.open * 0.99,
        adjVolume: bar.volume,
        divCash: 0,
        splitFactor: split?.factor ?? 1,
      };
    });
}

/** In the session an account with an IEX agreement sees trades; out of it the closing print is all there is. */
function top(ticker: string, symbol: string, world: World) {
  const trade = world.trade(symbol)!;
  const open =
    marketStateAt(world.now(), "equity") === "regular" && marketStateAt(trade.at, "equity") === "regular";
  const said = open ? duringSession(symbol, world) : afterClose(symbol, world);
  return { ticker: ticker.toUpperCase(), ...said };
}

function duringSession(symbol: string, world: World) {
  const { price, at, previousClose, open, high, low, volume } = world.trade(symbol)!;
  const stamp = onNewYorksClock(at);
  return {
    timestamp: stamp,
    lastSaleTimestamp: stamp,
    quoteTimestamp: stamp,
    open,
    high,
    low,
    mid: price + 0.01,
    tngoLast: price + 0.01,
    last: price,
    lastSize: 100,
    bidSize: 100,
    bidPrice: price,
    askPrice: price + 0.02,
    askSize: 200,
    volume,
    prevClose: previousClose,
  };
}

function afterClose(symbol: string, world: World) {
  const now = world.now();
  const closed = world
    .bars(symbol, "1d", { from: now - 15 * DAY, until: now })
    .filter(({ time }) => closeOf(time) <= now)
    .slice(-2) as [WorldBar, WorldBar];
  const [before, { time, open, high, low, close, volume }] = closed;
  return {
    timestamp: new Date(closeOf(time)).toISOString().replace(".000Z", "+00:00"),
    lastSaleTimestamp: null,
    quoteTimestamp: null,
    open,
    high,
    low,
    mid: null,
    tngoLast: close,
    last: null,
    lastSize: null,
    bidSize: null,
    bidPrice: null,
    askPrice: null,
    askSize: null,
    volume,
    prevClose: before.close,
  };
}

const closeOf = (day: number): number => sessionOf(new Date(day).toISOString().slice(0, 10))!.close;

/** `2019-01-30T10:33:34.176037579-05:00`: nanoseconds, and how far New York is from UTC. */
function onNewYorksClock(at: number): string {
  const offset = newYorkOffsetMs(at);
  const shown = new Date(at + offset).toISOString().replace("Z", "037579");
  return `${shown}-0${-offset / HOUR}:00`;
}
