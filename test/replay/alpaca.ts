import { type ProviderTimeframe, TIMEFRAME_MS } from "../../src/domain/market/bars.ts";
import type { Instrument } from "../../src/domain/market/market.ts";
import type { PrintCondition } from "../../src/domain/off-exchange/prints.ts";
import type { OptionContract } from "../../src/domain/options-flow/options.ts";
import { newYorkDay, newYorkOffsetMs } from "../../src/lib/newyork.ts";
import { isoDate } from "../../src/providers/sample/time.ts";
import { instrumentOf, stockOf } from "./lookup.ts";
import { empty, json, page, type Reply, type Vendor } from "./vendor.ts";
import type { World, WorldBar } from "./world.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
export const KEY_ID = "PKREPLAYONLY00000000";
export const SECRET = "replay-only-secret";
/** Key of an account with a subscription. */
export const SUBSCRIBED_KEY = { key: "PKREPLAYPLUS00000000", secret: SECRET } as const;
/** Trades from all venues this recent need a subscription. */
const RECENT = 15 * MINUTE;
/** Minutes of trading covered by the bars of one page. */
const PAGE_MINUTES = 10_000;

const LENGTHS: Readonly<Record<string, ProviderTimeframe>> = {
  "1Day": "1d",
  "30Min": "30m",
  "15Min": "15m",
  "5Min": "5m",
  "1Min": "1m",
};

const refused = (status: number, message: string): Reply => json({ message }, status);

/**
 * Alpaca's market data: timestamps as text with nanoseconds, days stamped at midnight in New York, extended hours among
 * the bars.
 */
export const alpacaVendor: Vendor = {
  name: "alpaca",
  key: `${KEY_ID}, ${SECRET}`,
  latency: { p50: 90, p95: 300 },
  answer({ path, query, headers }, world) {
    const keyId = headers.get("apca-api-key-id") ?? "";
    const known = [KEY_ID, SUBSCRIBED_KEY.key].includes(keyId);
    if (!known || headers.get("apca-api-secret-key") !== SECRET) return refused(401, "unauthorized.");
    const newest = keyId === KEY_ID ? world.now() - RECENT : world.now();
    const symbol = query.get("symbols") ?? "";
    if (path === "/v1beta1/news") return news(symbol, world);
    const [, underlying] = /^\/v1beta1\/options\/snapshots\/([A-Z.]+)$/.exec(path) ?? [];
    if (underlying !== undefined) {
      if (query.get("feed") === "opra" && newest < world.now())
        return refused(403, "OPRA agreement is not signed");
      return chainPage(underlying, query, world);
    }
    if (path === "/v2/options/contracts") return openInterest(query, world);
    const names = path === "/v2/stocks/snapshots" ? symbol.split(",") : [symbol];
    const invalid = names.find((name) => !/^[A-Z]{1,6}(\.[A-Z]{1,2})?$/.test(name));
    if (invalid !== undefined) return refused(400, `code=400, message=invalid symbol: ${invalid}`);
    if (path === "/v2/stocks/snapshots" && query.get("feed") === "sip" && newest < world.now())
      return refused(403, "subscription does not permit querying recent SIP data");
    if (path === "/v2/stocks/snapshots") return json(snapshotsOf(names, world));
    const instrument = stockOf(world, symbol);
    if (path === "/v2/stocks/trades") return trades(symbol, instrument, query, { world, newest });
    const timeframe = LENGTHS[query.get("timeframe") ?? ""];
    if (path !== "/v2/stocks/bars" || timeframe === undefined) return refused(404, "endpoint not found");
    const [start, end] = [Date.parse(query.get("start") ?? ""), Date.parse(query.get("end") ?? "")];
    if (!(start <= end)) return refused(400, "end should not be before start");
    if (query.get("feed") === "sip" && end > newest)
      return refused(403, "subscription does not permit querying recent SIP data");
    if (instrument === null) return json({ bars: {}, next_page_token: null });
    return json(
      barsPage(symbol, instrument, world, { timeframe, start, end, token: query.get("page_token") }),
    );
  },
  limits: [refused(429, "too many requests."), empty(429)],
  unauthorised: [
    refused(401, "unauthorized."),
    refused(403, "forbidden."),
    refused(403, "subscription does not permit querying recent SIP data"),
  ],
  blocks: [page(403, "403 Forbidden")],
};

/** Options of one page. */
const OPTIONS_PAGE = 60;

const listed = (ticker: string, world: World): readonly OptionContract[] => {
  const stock = stockOf(world, ticker);
  const trade = stock === null ? null : world.trade(stock.symbol);
  return trade === null ? [] : (world.chain(stock!, trade)?.contracts ?? []);
};

/** Options by symbol, and one of an adjusted root, which covers the shares of a taken-over company. */
function chainPage(ticker: string, query: URLSearchParams, world: World): Reply {
  const contracts = listed(ticker, world);
  const rows = contracts.map((contract) => [contract.symbol, optionOf(contract, world)] as const);
  const adjusted = rows
    .slice(0, 1)
    .map(([symbol, row]) => [symbol.replace(/(?=\d{6}[CP])/, "1"), row] as const);
  const all = [...adjusted, ...rows];
  const from = Number(atob(query.get("page_token") ?? "") || 0);
  const until = from + Math.min(OPTIONS_PAGE, Number(query.get("limit") ?? 100));
  return json({
    snapshots: Object.fromEntries(all.slice(from, until)),
    next_page_token: until < all.length ? btoa(String(until)) : null,
  });
}

/** An option without a bid never traded and has no model; one that did not trade has the bar of an earlier day. */
function optionOf(
  { bid, ask, bidSize, askSize, last, lastTradedAt, volume, ...row }: OptionContract,
  world: World,
) {
  const at = nanoseconds(world.now());
  const traded = last !== null && lastTradedAt !== null;
  const bar = { o: last, h: last, l: last, c: last, v: volume === 0 ? 3 : volume, n: 1, vw: last };
  const barAt = volume === 0 ? world.now() - 7 * DAY : Date.parse(lastTradedAt ?? at);
  return {
    latestQuote: {
      ap: ask ?? 0,
      as: askSize ?? 0,
      ax: "X",
      bp: bid ?? 0,
      bs: bidSize ?? 0,
      bx: "X",
      c: " ",
      t: at,
    },
    ...(traded && {
      latestTrade: { c: "I", p: last, s: 1, t: nanoseconds(Date.parse(lastTradedAt)), x: "W" },
    }),
    ...(traded && { dailyBar: { ...bar, t: new Date(midnight(newYorkDay(barAt))).toISOString() } }),
    ...(bid !== null && {
      impliedVolatility: row.iv,
      greeks: { delta: row.delta, gamma: row.gamma, rho: 0.01, theta: row.theta, vega: row.vega },
    }),
  };
}

/** Contracts of the trading API, by default only those of the next few days. */
function openInterest(query: URLSearchParams, world: World): Reply {
  const until =
    query.get("expiration_date_lte") ?? new Date(world.now() + 5 * DAY).toISOString().slice(0, 10);
  const rows = listed(query.get("underlying_symbols") ?? "", world)
    .filter(({ expiry }) => expiry <= until)
    .map(({ symbol, expiry, type, strike, openInterest: count }) => ({
      symbol,
      status: "active",
      expiration_date: expiry,
      type,
      strike_price: String(strike),
      size: "100",
      ...(count !== null && { open_interest: String(count), open_interest_date: "2025-12-02" }),
    }));
  return json({ option_contracts: rows, next_page_token: null });
}

/** Rows of one page of trades. */
const TRADES_PAGE = 20;
const SALE_CONDITIONS: Readonly<Partial<Record<PrintCondition, string>>> = {
  average_price: "W",
  prior_reference: "P",
  derivative_priced: "4",
  contingent: "7",
  late: "Z",
};

/**
 * Trades of all venues, newest first: each off-exchange print under venue code D, and one on-exchange trade under Q.
 */
function trades(
  symbol: string,
  instrument: Instrument | null,
  query: URLSearchParams,
  { world, newest }: { readonly world: World; readonly newest: number },
): Reply {
  const [start, end] = [Date.parse(query.get("start") ?? ""), Date.parse(query.get("end") ?? "")];
  if (!(start <= end)) return refused(400, "end should not be before start");
  if (end > newest) return refused(403, "subscription does not permit querying recent SIP data");
  const prints = instrument === null ? [] : world.prints(instrument, isoDate(start));
  const rows = prints
    .filter(({ reportedAt }) => reportedAt >= start && reportedAt <= end)
    .toReversed()
    .flatMap(({ reportedAt, price, size, conditions }, i) => {
      const onExchange = { t: nanoseconds(reportedAt), x: "Q", p: price, s: 100, i: 2 * i, z: "C", c: ["@"] };
      const codes = conditions.flatMap((condition) => SALE_CONDITIONS[condition] ?? []);
      const cancelled = conditions.includes("cancelled") ? { u: "canceled" } : {};
      return [onExchange, { ...onExchange, x: "D", s: size, i: 2 * i + 1, c: ["@", ...codes], ...cancelled }];
    });
  const from = Number(atob(query.get("page_token") ?? "") || 0);
  const shown = rows.slice(from, from + TRADES_PAGE);
  return json({
    trades: shown.length === 0 ? {} : { [symbol]: shown },
    next_page_token: from + TRADES_PAGE < rows.length ? btoa(String(from + TRADES_PAGE)) : null,
  });
}

interface BarsQuery {
  readonly timeframe: ProviderTimeframe;
  readonly start: number;
  readonly end: number;
  readonly token: string | null;
}

/** The page that begins after a page token, and the token of the next page. */
function barsPage(symbol: string, { symbol: of }: Instrument, world: World, query: BarsQuery) {
  const { timeframe, start, end, token } = query;
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

/** Snapshots by symbol; unlisted symbols are missing. */
const snapshotsOf = (names: readonly string[], world: World) =>
  Object.fromEntries(
    names.flatMap((name) => {
      const instrument = stockOf(world, name);
      return instrument === null ? [] : [[name, snapshot(instrument, world)]];
    }),
  );

/** The newest trade and the bars of the newest two days. */
function snapshot({ symbol }: Instrument, world: World) {
  const { price, at } = world.trade(symbol)!;
  const days = world.bars(symbol, "1d", { from: newYorkDay(at) - 15 * DAY, until: newYorkDay(at) });
  const [before, today] = days.slice(-2).map((bar) => ({ ...bar, time: midnight(bar.time) }));
  return {
    latestTrade: { t: nanoseconds(at), x: "V", p: price, s: 100, c: ["@"], i: 39884, z: "C" },
    latestQuote: {
      t: nanoseconds(at),
      as: 2,
      c: ["R"],
      z: "C",
    },
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

/** Midnight in New York of a date given as its 00:00 UTC. */
const midnight = (day: number): number => day - newYorkOffsetMs(day + DAY / 2);

/** News tagged with tickers for stocks and with `BTCUSD` for tokens, as HTML; empty for an unknown symbol. */
function news(symbol: string, world: World): Reply {
  const found = instrumentOf(world, symbol) ?? world.instrument(symbol.replace(/USD$/, "-USD"));
  const rows = world.headlines(found).map(({ title, publisher, url, publishedAt: at }, i) => ({
    author: publisher,
    content: "",
    created_at: `${new Date(at).toISOString().slice(0, 19)}Z`,
    headline: title.replaceAll("&", "&amp;").replaceAll("'", "&#39;").replaceAll("-", "&#45;"),
    id: 40_432_158 + i,
    source: publisher,
    symbols: [symbol],
    updated_at: `${new Date(at).toISOString().slice(0, 19)}Z`,
    url,
  }));
  return json({ news: rows, next_page_token: null });
}
