import type { Timeframe } from "../../src/domain/market/bars.ts";
import { newYorkDate, newYorkDay, newYorkOffsetMs } from "../../src/lib/newyork.ts";
import { marketStateAt, sessionOn } from "../../src/market/calendar/calendar.ts";
import { stockOf } from "./lookup.ts";
import { json, page, type Reply, type Vendor } from "./vendor.ts";
import type { World, WorldBar } from "./world.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TOKEN = "replay-only-tiingo-token";
/** Maximum number of newest bars of a length. */
const MAX_BARS = 2_000;

const FREQUENCIES: Readonly<Record<string, Timeframe>> = { "30min": "30m", "15min": "15m", "5min": "5m" };
const refused = (status: number, detail: string): Reply => json({ detail }, status);
const plain = (status: number, body: string): Reply => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body,
});
const TOO_MANY =
  "Error: You have run over your hourly request allocation. Please upgrade to have your limits increased.";

/**
 * Tiingo: quotes as one-element lists, unadjusted days before splits, intraday bars of IEX; rate limits with status
 * 200.
 */
export const tiingoVendor: Vendor = {
  name: "tiingo",
  key: TOKEN,
  latency: { p50: 180, p95: 600 },
  answer({ path, query, headers }, world) {
    if (headers.get("authorization") !== `Token ${TOKEN}`) return refused(401, "Invalid token.");
    const [, place = "", ticker = "", prices = ""] =
      /^\/(iex|tiingo\/daily)\/([A-Za-z-]+)(\/prices)?$/.exec(path) ?? [];
    const symbol = stockOf(world, ticker.toUpperCase().replace("-", "."))?.symbol ?? null;
    if (place === "iex" && prices === "") return json(symbol === null ? [] : [top(ticker, symbol, world)]);
    if (prices === "" || symbol === null)
      return refused(404, place === "iex" ? "Not found." : `Error: Ticker '${ticker}' not found`);
    const from = Date.parse(query.get("startDate") ?? newYorkDate(world.now()));
    const until = Date.parse(query.get("endDate") ?? newYorkDate(world.now())) + DAY - 1;
    const columns = query.get("columns")?.split(",") ?? null;
    if (place === "tiingo/daily") return json(days(symbol, world, { from, until }).map(only(columns)));
    const timeframe = FREQUENCIES[(query.get("resampleFreq") ?? "5min").toLowerCase()];
    if (timeframe === undefined) return refused(400, "Error: resampleFreq is invalid");
    const bars = world
      .bars(symbol, timeframe, { from: world.now() - 400 * DAY, until: world.now() })
      .slice(-MAX_BARS);
    return json(
      bars
        .filter(({ time }) => time >= from && time <= until)
        .map((bar) => row(asThen(symbol, bar, world)))
        .map(only(columns ?? ["open", "high", "low", "close"])),
    );
  },
  limits: [
    plain(200, "You have run over your 500 symbol look up for this month. Please upgrade."),
    plain(200, TOO_MANY),
    json({ detail: TOO_MANY }),
    refused(429, TOO_MANY),
    refused(403, TOO_MANY),
  ],
  unauthorised: [
    refused(401, "Invalid token."),
    refused(403, "Authentication credentials were not provided."),
  ],
  blocks: [page(403, "403 Forbidden"), page(200)],
};

/** Returns the date and the requested columns of a row. Default: all columns. */
const only =
  (columns: readonly string[] | null) =>
  (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
    columns === null
      ? fields
      : Object.fromEntries(
          Object.entries(fields).filter(([name]) => name === "date" || columns.includes(name)),
        );

/** Number of today's shares per share of a day. */
function sharesSince(symbol: string, day: number, world: World): number {
  return world
    .splits(symbol)
    .filter((split) => day < split.day)
    .reduce((product, { factor }) => product * factor, 1);
}

function asThen(symbol: string, bar: WorldBar, world: World): WorldBar {
  const day = bar.time % DAY === 0 ? bar.time : newYorkDay(bar.time);
  const shares = sharesSince(symbol, day, world);
  return {
    time: bar.time,
    open: bar.open * shares,
    high: bar.high * shares,
    low: bar.low * shares,
    close: bar.close * shares,
    volume: bar.volume / shares,
  };
}

const row = ({ time, ...figures }: WorldBar) => ({ date: new Date(time).toISOString(), ...figures });

/** Daily bars, raw and adjusted, each available 90 minutes after its close. */
function days(symbol: string, world: World, range: { readonly from: number; readonly until: number }) {
  const known = world.now() - 1.5 * HOUR;
  return world
    .bars(symbol, "1d", range)
    .filter(({ time }) => sessionOn(time)!.close <= known)
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

/** The newest trade during the session, for an account with an IEX agreement; the closing price otherwise. */
function top(ticker: string, symbol: string, world: World) {
  const trade = world.trade(symbol)!;
  const open =
    marketStateAt(world.now(), "equity") === "regular" && marketStateAt(trade.at, "equity") === "regular";
  const fields = open ? duringSession(symbol, world) : afterClose(symbol, world);
  return { ticker: ticker.toUpperCase(), ...fields };
}

function duringSession(symbol: string, world: World) {
  const { price, at, previousClose, open, high, low, volume } = world.trade(symbol)!;
  const stamp = newYorkTime(at);
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
    volume,
    prevClose: previousClose,
  };
}

function afterClose(symbol: string, world: World) {
  const now = world.now();
  const closed = world
    .bars(symbol, "1d", { from: now - 15 * DAY, until: now })
    .filter(({ time }) => sessionOn(time)!.close <= now)
    .slice(-2) as [WorldBar, WorldBar];
  const [before, { time, open, high, low, close, volume }] = closed;
  return {
    timestamp: new Date(sessionOn(time)!.close).toISOString().replace(".000Z", "+00:00"),
    lastSaleTimestamp: null,
    quoteTimestamp: null,
    open,
    high,
    low,
    mid: null,
    tngoLast: close,
    last: null,
    lastSize: null,
    volume,
    prevClose: before.close,
  };
}

/** `2019-01-30T10:33:34.176037579-05:00`: New York time in nanoseconds with its offset. */
function newYorkTime(at: number): string {
  const offset = newYorkOffsetMs(at);
  const shown = new Date(at + offset).toISOString().replace("Z", "037579");
  return `${shown}-0${-offset / HOUR}:00`;
}
