import type { Instrument } from "../../src/domain/market/market.ts";
import { tickerOf } from "../../src/market/symbols/listings.ts";
import { newYorkDayRange } from "../../src/providers/shared/timestamps.ts";
import { runsOf } from "./flow.ts";
import { whaleRows } from "./tape/disclosed-rows.ts";
import { tickered, tradesOf, type WorldTradeRow } from "./tape/off-exchange.ts";
import { json, type Reply, type Vendor } from "./vendor.ts";
import type { World } from "./world.ts";

const TOKEN = "replay-only-unusual-whales-token";
const MARKET = ["AAPL", "SPY", "BRK.B", "MSFT", "NVDA"];

/** Unusual Whales' off-exchange trades: prices as text, newest first, whole seconds, tracking ids of 0. */
export const unusualwhalesVendor: Vendor = {
  name: "unusualwhales",
  key: TOKEN,
  latency: { p50: 200, p95: 700 },
  answer({ path, query, headers }, world) {
    if (headers.get("authorization") !== `Bearer ${TOKEN}`) return json({ message: "Unauthorized" }, 401);
    if (path === "/api/option-trades/flow-alerts") return alerts(query, world);
    if (path === "/api/market/market-tide") return tide(world);
    if (path === "/api/congress/recent-trades") return json({ data: whaleRows(world, query) });
    const date = query.get("date") ?? "";
    if (Number.isNaN(Date.parse(date))) return invalid(path, `date=${date}`);
    if (path === "/api/darkpool/recent") {
      const rows = MARKET.flatMap((ticker) => rowsOf(ticker, world, date, query));
      return json({ data: newestFirst(rows).slice(0, Math.min(200, Number(query.get("limit") ?? 100))) });
    }
    const [, ticker = "", levels] = /^\/api\/darkpool\/([A-Z.]+)(\/price-levels)?$/.exec(path) ?? [];
    if (ticker === "") return { status: 404, body: "" };
    if (levels !== undefined) return json({ data: levelsOf(ticker, world, date), date });
    const rows = newestFirst(rowsOf(ticker, world, date, query));
    return json({ data: rows.slice(0, Math.min(500, Number(query.get("limit") ?? 500))) });
  },
  limits: [
    json({ code: "rate_limit", message: "You have exceeded your rate limit" }, 429),
    { status: 429, headers: { "retry-after": "12" }, body: "" },
  ],
  unauthorised: [json({ message: "Unauthorized" }, 401), json({ message: "Forbidden" }, 403)],
  blocks: [
    { status: 403, headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><html></html>" },
    { status: 200, headers: { "content-type": "text/html" }, body: "<html><body></body></html>" },
  ],
};

/** Runs of option trades, newest first: numbers as text, flags as they are. */
function alerts(query: URLSearchParams, world: World): Reply {
  const ticker = query.get("ticker_symbol") ?? "";
  const instrument = tickered(world, ticker);
  if (instrument === null) return json({ data: [] });
  const since = Date.parse(query.get("newer_than") ?? "1970-01-01");
  const rows = runsOf(instrument.symbol, world).filter(({ at }) => at > since);
  const data = rows.toReversed().map(({ type, strike, expiry, at, size, price, trades, sweep, side }) => {
    const premium = size * price * 100;
    const day = new Date(expiry).toISOString().slice(0, 10);
    const name = `${ticker.replace(".", "")}${day.slice(2).replaceAll("-", "")}${type === "call" ? "C" : "P"}`;
    return {
      id: `run-${ticker}-${at}`,
      ticker,
      type,
      expiry: day,
      strike: String(strike),
      option_chain: `${name}${String(strike * 1000).padStart(8, "0")}`,
      price: String(price),
      total_size: size,
      trade_count: trades,
      total_premium: String(premium),
      total_ask_side_prem: String(side === 1 ? premium : 0),
      total_bid_side_prem: String(side === 1 ? 0 : premium),
      has_sweep: sweep,
      has_floor: false,
      has_multileg: false,
      has_singleleg: true,
      alert_rule: "RepeatedHits",
      open_interest: 10,
      volume: size,
      volume_oi_ratio: "1.5",
      created_at: new Date(at + 500).toISOString(),
      start_time: at - 40,
      end_time: at,
    };
  });
  return json({ data: data.slice(0, Number(query.get("limit") ?? 100)) });
}

/** Net premium so far, summed over the runs of the market's largest. */
function tide(world: World): Reply {
  const runs = runsOf("AAPL", world);
  let [call, put, volume] = [0, 0, 0];
  const data = runs.map(({ type, at, size, price, side }) => {
    const premium = side * size * price * 100;
    if (type === "call") call += premium;
    else put += premium;
    volume += side * (type === "call" ? size : -size);
    return {
      date: new Date(at).toISOString().slice(0, 10),
      timestamp: new Date(at + 1_000).toISOString(),
      net_call_premium: `${call}.0000`,
      net_put_premium: `${put}.0000`,
      net_volume: volume,
    };
  });
  return json({ data });
}

const invalid = (path: string, query: string): Reply =>
  json({ msg: `Invalid query input(s): ${query} (valid example: date=2024-01-18)`, path, query }, 422);

type Row = ReturnType<typeof rowOf>;

function rowsOf(ticker: string, world: World, date: string, query: URLSearchParams): readonly Row[] {
  const instrument = tickered(world, ticker);
  if (instrument === null) return [];
  const least = Number(query.get("min_premium") ?? 0);
  const before = query.get("older_than");
  return tradesOf(world, instrument, date)
    .filter(({ off, price, size }) => off && price * size >= least)
    .filter(({ told }) => before === null || told <= Date.parse(before) + 999)
    .map((trade) => rowOf(instrument, trade));
}

function rowOf(instrument: Instrument, { made, told, price, size, condition, side }: WorldTradeRow) {
  const bid = price - (side === 1 ? 0.02 : side === -1 ? 0 : 0.01);
  return {
    size,
    ticker: tickerOf(instrument),
    price: String(price),
    volume: 1_000_000,
    executed_at: second(told),
    trf_executed_at: second(made),
    premium: (price * size).toFixed(2),
    nbbo_bid: bid.toFixed(4),
    nbbo_ask: (bid + 0.02).toFixed(4),
    nbbo_ask_quantity: 100,
    nbbo_bid_quantity: 100,
    canceled: false,
    ext_hour_sold_codes: null,
    market_center: "L",
    tracking_id: 0,
    trade_code: null,
    sale_cond_codes: condition === "average_price" ? "average_price_trade" : null,
    trade_settlement: "regular",
  };
}

const second = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");

const newestFirst = (rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((a, b) => (a.executed_at < b.executed_at ? 1 : a.executed_at > b.executed_at ? -1 : 0));

function levelsOf(ticker: string, world: World, date: string) {
  const instrument = tickered(world, ticker);
  if (instrument === null) return [];
  const { from, until } = newYorkDayRange(date);
  return world.bars(instrument.symbol, "30m", { from, until: until - 1 }).map(({ close, volume }) => ({
    price: close.toFixed(2),
    dark_pool_volume: Math.floor(volume * 0.4),
    regular_volume: Math.ceil(volume * 0.6),
  }));
}
