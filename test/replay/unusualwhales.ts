import type { Instrument } from "../../src/domain/market/market.ts";
import type { Print } from "../../src/domain/off-exchange/prints.ts";
import { newYorkDate, newYorkOffsetMs } from "../../src/lib/newyork.ts";
import { sessionOf } from "../../src/market/calendar/calendar.ts";
import { tickerOf } from "../../src/market/symbols/listings.ts";
import { isoDate } from "../../src/providers/sample/time.ts";
import { stockOf } from "./lookup.ts";
import { empty, json, page, type Reply, type Vendor } from "./vendor.ts";
import type { World } from "./world.ts";

const TOKEN = "replay-only-unusual-whales-token";
/** Tickers in the list of the whole market. */
const MARKET = ["AAPL", "SPY", "BRK.B", "MSFT", "NVDA"];

/**
 * Unusual Whales: off-exchange trades, option flow and disclosures; prices as text, newest first, whole seconds,
 * tracking ids always 0.
 */
export const unusualwhalesVendor: Vendor = {
  name: "unusualwhales",
  key: TOKEN,
  latency: { p50: 200, p95: 700 },
  answer({ path, query, headers }, world) {
    if (headers.get("authorization") !== `Bearer ${TOKEN}`) return json({ message: "Unauthorized" }, 401);
    if (path === "/api/option-trades/flow-alerts") return alerts(query, world);
    if (path === "/api/market/market-tide") return tide(world);
    if (path === "/api/congress/recent-trades") return json({ data: disclosures(query, world) });
    const date = query.get("date") ?? "";
    if (Number.isNaN(Date.parse(date))) return invalid(path, `date=${date}`);
    if (path === "/api/darkpool/recent") {
      const rows = MARKET.flatMap((ticker) => rowsOf(ticker, world, date, query));
      return json({ data: newestFirst(rows).slice(0, Math.min(200, Number(query.get("limit") ?? 100))) });
    }
    const [, ticker = "", levels] = /^\/api\/darkpool\/([A-Z.]+)(\/price-levels)?$/.exec(path) ?? [];
    if (ticker === "") return empty(404);
    if (levels !== undefined) return json({ data: priceLevels(ticker, world, date), date });
    const rows = newestFirst(rowsOf(ticker, world, date, query));
    return json({ data: rows.slice(0, Math.min(500, Number(query.get("limit") ?? 500))) });
  },
  limits: [
    json({ code: "rate_limit", message: "You have exceeded your rate limit" }, 429),
    empty(429, { "retry-after": "12" }),
  ],
  unauthorised: [json({ message: "Unauthorized" }, 401), json({ message: "Forbidden" }, 403)],
  blocks: [page(403), page(200)],
};

const MAX_RUNS = 60;

/**
 * The day's volume in each of the busiest contracts as one sequence of trades, spread over the session so far, oldest
 * first.
 */
function runsOf(instrument: Instrument, world: World) {
  const session = sessionOf(newYorkDate(world.now()));
  if (session === null || world.now() <= session.open) return [];
  const until = Math.min(world.now(), session.close);
  const chain = world.chain(instrument, { ...world.trade(instrument.symbol)!, at: until });
  return (chain?.contracts ?? [])
    .filter(({ last, volume }) => last !== null && volume! > 0)
    .sort((a, b) => b.volume! - a.volume!)
    .slice(0, MAX_RUNS)
    .map(({ last, volume, ...contract }, i, { length }) => ({
      ...contract,
      at: Math.floor(session.open + ((i + 1) / length) * (until - session.open)) - 1_000,
      price: last!,
      size: volume!,
      sweep: i % 3 === 0,
      atAsk: i % 2 === 0,
    }));
}

/** Sequences of option trades, newest first: numbers as text, flags as booleans. */
function alerts(query: URLSearchParams, world: World): Reply {
  const ticker = query.get("ticker_symbol") ?? "";
  const stock = stockOf(world, ticker);
  const since = Date.parse(query.get("newer_than") ?? "1970-01-01");
  const runs = stock === null ? [] : runsOf(stock, world).filter(({ at }) => at > since);
  const data = runs.toReversed().map(({ symbol, type, strike, expiry, at, size, price, ...run }) => {
    const premium = Math.round(size * price * 100);
    return {
      id: `run-${symbol}`,
      ticker,
      type,
      expiry,
      strike: String(strike),
      option_chain: symbol,
      price: String(price),
      total_size: size,
      trade_count: run.sweep ? 8 : 1,
      total_premium: String(premium),
      total_ask_side_prem: String(run.atAsk ? premium : 0),
      total_bid_side_prem: String(run.atAsk ? 0 : premium),
      has_sweep: run.sweep,
      has_floor: false,
      has_multileg: false,
      volume: size,
      created_at: new Date(at + 500).toISOString(),
      end_time: at,
    };
  });
  return json({ data: data.slice(0, Number(query.get("limit") ?? 100)) });
}

/** Net premium of the market so far: the sum over the option trades of AAPL. */
function tide(world: World): Reply {
  let [call, put, volume] = [0, 0, 0];
  const data = runsOf(stockOf(world, "AAPL")!, world).map(({ type, at, size, price, atAsk }) => {
    const sign = atAsk ? 1 : -1;
    if (type === "call") call += Math.round(sign * size * price * 100);
    else put += Math.round(sign * size * price * 100);
    volume += sign * (type === "call" ? size : -size);
    return {
      date: isoDate(at),
      timestamp: newYorkTime(at + 1_000),
      net_call_premium: `${call}.0000`,
      net_put_premium: `${put}.0000`,
      net_volume: volume,
    };
  });
  return json({ data });
}

/** Disclosures of one ticker up to a trade date, newest trade first. */
function disclosures(query: URLSearchParams, world: World) {
  const [date, ticker] = [query.get("date"), query.get("ticker")];
  return world
    .filings()
    .flatMap(({ trades, ...filing }) => trades.map((trade) => ({ ...trade, ...filing })))
    .filter(
      (trade) =>
        (date === null || trade.transaction_date <= date) && (ticker ?? trade.ticker) === trade.ticker,
    )
    .sort((a, b) => (a.transaction_date < b.transaction_date ? 1 : -1))
    .slice(0, Number(query.get("limit") ?? 100))
    .map(({ member: { first, last, chamber }, ...trade }) => ({
      name: `${first} ${last}`,
      ticker: trade.ticker,
      issuer: trade.owner,
      reporter: `Hon. ${first} ${last}`,
      txn_type: trade.partial
        ? "Sell (PARTIAL)"
        : { buy: "Buy", sell: "Sell", exchange: "Exchange" }[trade.type],
      amounts: trade.amount!.label,
      notes: `${trade.asset}${trade.ticker === null ? "" : ` (${trade.ticker})`}`,
      transaction_date: trade.transaction_date,
      filed_at_date: trade.filed,
      member_type: chamber,
    }));
}

const invalid = (path: string, query: string): Reply =>
  json({ msg: `Invalid query input(s): ${query} (valid example: date=2024-01-18)`, path, query }, 422);

type Row = ReturnType<typeof rowOf>;

function rowsOf(ticker: string, world: World, date: string, query: URLSearchParams): readonly Row[] {
  const stock = stockOf(world, ticker);
  if (stock === null) return [];
  const minPremium = Number(query.get("min_premium") ?? 0);
  const before = query.get("older_than");
  return world
    .prints(stock, date)
    .filter(({ price, size }) => price * size >= minPremium)
    .filter(({ reportedAt }) => before === null || reportedAt <= Date.parse(before) + 999)
    .map((print) => rowOf(stock, print));
}

function rowOf(stock: Instrument, { executedAt, reportedAt, price, size, conditions, nbbo }: Print) {
  const marked = (condition: Print["conditions"][number], code: string) =>
    conditions.includes(condition) ? code : null;
  return {
    size,
    ticker: tickerOf(stock),
    price: String(price),
    volume: 1_000_000,
    executed_at: second(reportedAt),
    trf_executed_at: second(executedAt),
    premium: (price * size).toFixed(2),
    nbbo_bid: nbbo?.bid.toFixed(4) ?? null,
    nbbo_ask: nbbo?.ask.toFixed(4) ?? null,
    canceled: conditions.includes("cancelled"),
    ext_hour_sold_codes: marked("late", "sold_out_of_sequence"),
    tracking_id: 0,
    trade_code: marked("derivative_priced", "derivative_priced"),
    sale_cond_codes:
      marked("average_price", "average_price_trade") ??
      marked("prior_reference", "prior_reference_price") ??
      marked("contingent", "contingent_trade"),
    trade_settlement: "regular",
  };
}

/** New York time with its offset: `2025-12-03T09:30:00-05:00`. */
function newYorkTime(at: number): string {
  const offset = newYorkOffsetMs(at);
  const clock = new Date(at + offset).toISOString().slice(0, 19);
  return `${clock}-0${-offset / 3_600_000}:00`;
}

const second = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");

const newestFirst = (rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((a, b) => (a.executed_at < b.executed_at ? 1 : a.executed_at > b.executed_at ? -1 : 0));

function priceLevels(ticker: string, world: World, date: string) {
  const stock = stockOf(world, ticker);
  const levels = stock === null ? [] : world.volumeByPrice(stock, date);
  return levels.map(({ price, offExchange, onExchange }) => ({
    price: price.toFixed(2),
    dark_pool_volume: offExchange,
    regular_volume: onExchange,
  }));
}
