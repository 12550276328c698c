import { PROVIDER_TIMEFRAMES, type ProviderTimeframe } from "../../src/domain/market/bars.ts";
import type { Instrument } from "../../src/domain/market/market.ts";
import type { TradingHours } from "../../src/domain/market/trading-hours.ts";
import { newYorkDate, newYorkDay, newYorkOffsetMs } from "../../src/lib/newyork.ts";
import { barCloseMs, sessionOf, sessionOn } from "../../src/market/calendar/calendar.ts";
import { tickerOf } from "../../src/market/symbols/listings.ts";
import { tokenName } from "../../src/providers/yahoo/client.ts";
import { instrumentOf } from "./lookup.ts";
import { empty, json, page, type Reply, type Vendor } from "./vendor.ts";
import type { World, WorldBar } from "./world.ts";
import { yahooCrumb } from "./yahoo-crumb.ts";
import { yahooIndices } from "./yahoo-indices.ts";
import { yahooOptions } from "./yahoo-options.ts";
import { yahooQuotes } from "./yahoo-quotes.ts";
import { yahooReports } from "./yahoo-reports.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Days of intraday history by timeframe. */
const LIMITS: Readonly<Partial<Record<ProviderTimeframe, number>>> = {
  "1h": 730,
  "30m": 60,
  "15m": 60,
  "5m": 60,
  "1m": 7,
};

const error = (status: number, code: string, description: string): Reply =>
  json({ chart: { result: null, error: { code, description } } }, status);
const tooMany = (body: string): Reply => ({ status: 429, headers: { "content-type": "text/plain" }, body });

/** Yahoo's chart: columns of 32-bit prices, empty slots, bars off the grid, a row repeated after the close. */
const vendorWith = (options: { readonly consent: boolean }): Vendor => ({
  name: "yahoo",
  key: null,
  latency: { p50: 120, p95: 400 },
  answer(request, world) {
    const { path, query, headers } = request;
    if (!(headers.get("user-agent") ?? "").startsWith("Mozilla/")) return tooMany("Too Many Requests\r\n");
    const listed = (symbol: string) => instrumentAt(symbol, world);
    const reply =
      yahooCrumb(request, options) ??
      yahooQuotes(request, world, listed) ??
      yahooReports(request, world, listed) ??
      yahooOptions(request, world, listed) ??
      yahooIndices(request, world);
    if (reply !== null) return reply;
    if (path === "/v1/finance/search") return search(query.get("q") ?? "", world);
    const instrument = instrumentAt(/^\/v8\/finance\/chart\/([^/]+)$/.exec(path)?.[1] ?? "", world);
    if (instrument === null) return error(404, "Not Found", "No data found, symbol may be delisted");
    if (query.has("range")) return today(instrument, world);
    const timeframe = PROVIDER_TIMEFRAMES.find((length) => length === query.get("interval"));
    if (timeframe === undefined || timeframe === "4h")
      return error(422, "Unprocessable Entity", "Invalid input - interval is not supported.");
    const [from, until] = [Number(query.get("period1")) * 1_000, Number(query.get("period2")) * 1_000 - 1];
    const days = LIMITS[timeframe] ?? Number.POSITIVE_INFINITY;
    if (world.now() - from > days * DAY)
      return error(
        422,
        "Unprocessable Entity",
        `${timeframe} data not available. The requested range must be within the last ${days} days.`,
      );
    const hours = query.get("includePrePost") === "true" ? "extended" : "regular";
    return history(instrument, world, { timeframe, from, until, hours });
  },
  limits: [tooMany("Too Many Requests\r\n"), tooMany("Edge: Too Many Requests")],
  unauthorised: [],
  blocks: [
    page(200),
    page(403),
    empty(307, { location: "https://guce.yahoo.com/consent" }),
    json({ finance: { result: null, error: { code: "Unauthorized", description: "Invalid Crumb" } } }, 401),
  ],
});

export const yahooVendor: Vendor = vendorWith({ consent: false });
/** Yahoo for visitors from the European Union, who must agree to cookies first. */
export const yahooWithConsent: Vendor = vendorWith({ consent: true });

/** The instrument listed at Yahoo under a symbol. */
export function instrumentAt(symbol: string, world: World): Instrument | null {
  const instrument = instrumentOf(world, canonical(symbol));
  return instrument !== null && symbolOf(instrument) === symbol ? instrument : null;
}

/** Yahoo's search: listings and news of a symbol; another listing for an unknown symbol. */
function search(symbol: string, world: World): Reply {
  const instrument = instrumentAt(symbol, world);
  const news = world.headlines(instrument).map(({ id, title, publisher, url, publishedAt }) => ({
    uuid: id,
    title,
    publisher,
    link: url,
    providerPublishTime: publishedAt / 1_000,
    type: "STORY",
    relatedTickers: [symbol],
  }));
  const quotes =
    instrument === null ? [{ symbol: "OTHER.XA" }] : [{ symbol, quoteType: "EQUITY" }, { name: "unlisted" }];
  return json({ explains: [], count: news.length + quotes.length, quotes, news, totalTime: 83 });
}

const symbolOf = (instrument: Instrument): string =>
  instrument.asset_class === "crypto"
    ? (tokenName(tickerOf(instrument)) ?? instrument.symbol)
    : tickerOf(instrument).replace(".", "-");
/** `UNI7083-USD` becomes `UNI-USD`, `BRK-B` becomes `BRK.B`. */
const canonical = (symbol: string): string =>
  symbol.endsWith("-USD") ? symbol.replace(/(?<=[A-Z])\d+-USD$/, "-USD") : symbol.replace(/-([A-Z])$/, ".$1");

const row = (time: number, price: number): WorldBar => ({
  time,
  open: price,
  high: price,
  low: price,
  close: price,
  volume: 0,
});

/** Stocks: the session and its extended hours. Tokens: yesterday and today in UTC. */
function today(instrument: Instrument, world: World): Reply {
  const { symbol, asset_class } = instrument;
  const trade = world.trade(symbol)!;
  const now = world.now();
  if (asset_class === "crypto") {
    const from = Math.floor(trade.at / DAY) * DAY - DAY;
    const rows = world.bars(symbol, "5m", { from, until: now });
    const day = world.bars(symbol, "5m", { from: trade.at - DAY, until: now });
    return chart(instrument, world, {
      rows: [...rows.filter(({ time }) => time < trade.at), row(trade.at, trade.price)],
      regular: trade,
      interval: "5m",
      meta: {
        previousClose: closeBefore(world, symbol, from + DAY),
        chartPreviousClose: closeBefore(world, symbol, from),
        regularMarketDayHigh: trade.high,
        regularMarketDayLow: trade.low,
        regularMarketVolume: day.reduce((sum, bar) => sum + bar.volume * typical(bar), 0),
        currentTradingPeriod: periods(from + DAY, true),
      },
    });
  }
  const day = newYorkDay(trade.at);
  const session = sessionOn(day)!;
  const minute = Math.floor(trade.at / MINUTE) * MINUTE;
  const early = trade.at <= session.open;
  const regular = !early && trade.at <= session.close;
  const from = day - newYorkOffsetMs(day + DAY / 2);
  const rows = world
    .bars(symbol, "5m", { from, until: now, hours: "extended" })
    .filter(({ time }) => time < minute);
  const close = world.bars(symbol, "1d", { from: day, until: day })[0]?.close ?? trade.previousClose;
  const before = world.bars(symbol, "1d", { from: day - 10 * DAY, until: day - 1 }).at(-1);
  // until the session opens, the regular figures are those of the previous session
  const regularDay = early && before !== undefined ? before : trade;
  return chart(instrument, world, {
    // the session's newest trade has its own time off the grid, other trades are on the minute
    rows: [...rows, row(regular ? trade.at : minute, trade.price)],
    regular: regular
      ? trade
      : early
        ? { price: trade.previousClose, at: sessionOn(before?.time ?? day - DAY)!.close }
        : { price: close, at: session.close },
    interval: "1m",
    hole: regular ? minute : null,
    meta: {
      previousClose:
        early && before !== undefined ? closeBefore(world, symbol, before.time) : trade.previousClose,
      chartPreviousClose: trade.previousClose,
      regularMarketDayHigh: regularDay.high,
      regularMarketDayLow: regularDay.low,
      regularMarketVolume: regularDay.volume,
      currentTradingPeriod: periods(day, false),
    },
  });
}

const closeBefore = (world: World, symbol: string, day: number): number | undefined =>
  world.bars(symbol, "1d", { from: day - 10 * DAY, until: day - 1 }).at(-1)?.close;

function history(
  instrument: Instrument,
  world: World,
  {
    timeframe,
    from,
    until,
    hours,
  }: {
    readonly timeframe: ProviderTimeframe;
    readonly from: number;
    readonly until: number;
    readonly hours: TradingHours;
  },
): Reply {
  const { symbol, asset_class } = instrument;
  const crypto = asset_class === "crypto";
  const daily = timeframe === "1d";
  const now = world.now();
  const trade = world.trade(symbol)!;
  const stamp = (day: number): number => {
    const { open, close } = crypto ? { open: day, close: day + DAY } : sessionOn(day)!;
    return now < close ? Math.min(trade.at, close - 1_000) : open;
  };
  const bars = world
    .bars(symbol, timeframe, { from: from - DAY, until, ...(!daily && { hours }) })
    .map((bar) => (daily ? { ...bar, time: stamp(bar.time) } : bar))
    .filter(({ time }) => time >= from && time <= until);
  if (bars.length === 0 && world.bars(symbol, "1d", { from: 0, until }).length === 0)
    return error(400, "Bad Request", `Data doesn't exist for startDate = ${from}, endDate = ${until}`);
  const session = crypto ? null : sessionOf(newYorkDate(now));
  const last = bars.at(-1);
  const newest = !daily && last !== undefined && now <= until + DAY;
  const forming = newest && barCloseMs(last.time, timeframe, crypto ? "UTC" : "America/New_York") > now;
  const ended = newest && session !== null && now >= session.close && session.close <= until;
  return chart(instrument, world, {
    rows: [
      ...(forming ? bars.slice(0, -1) : bars),
      ...(forming ? [row(trade.at, trade.price)] : []),
      // the close is repeated
      ...(ended ? [row(session.close, last.close)] : []),
    ],
    regular: trade,
    interval: timeframe,
    // the forming bar is empty
    hole: forming ? last.time : null,
    meta: {
      chartPreviousClose: closeBefore(world, symbol, from) ?? trade.previousClose,
      ...(!daily && { previousClose: trade.previousClose }),
      currentTradingPeriod: periods(crypto ? Math.floor(trade.at / DAY) * DAY : newYorkDay(trade.at), crypto),
    },
  });
}

function periods(day: number, crypto: boolean) {
  const { open, close } = (crypto ? null : sessionOn(day)) ?? { open: day, close: day + DAY };
  const period = (start: number, end: number) => ({
    timezone: crypto ? "UTC" : "EST",
    start: start / 1_000,
    end: end / 1_000,
    gmtoffset: crypto ? 0 : newYorkOffsetMs(open) / 1_000,
  });
  return {
    pre: period(crypto ? open : open - 5.5 * HOUR, open),
    regular: period(open, close),
    post: period(close, crypto ? close : close + 4 * HOUR),
  };
}

interface Chart {
  readonly rows: readonly WorldBar[];
  readonly regular: { readonly price: number; readonly at: number };
  readonly interval: string;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Time of an empty slot before the last row, epoch ms. */
  readonly hole?: number | null;
}

function chart(instrument: Instrument, world: World, { rows, regular, interval, meta, hole = null }: Chart) {
  const { asset_class, name, symbol } = instrument;
  const crypto = asset_class === "crypto";
  const slots = hole === null ? rows : [...rows.slice(0, -1), null, ...rows.slice(-1)];
  const column = (of: (bar: WorldBar) => number) => slots.map((bar) => (bar === null ? null : of(bar)));
  const splits = world.splits(symbol).map(({ day, factor }) => {
    const date = sessionOn(day)!.open / 1_000;
    return [date, { date, numerator: factor, denominator: 1, splitRatio: `${factor}:1` }];
  });
  const quote = {
    open: column(({ open }) => Math.fround(open)),
    high: column(({ high }) => Math.fround(high)),
    low: column(({ low }) => Math.fround(low)),
    close: column(({ close }) => Math.fround(close)),
    volume: column((bar) => (crypto ? bar.volume * typical(bar) : bar.volume)),
  };
  const some = slots.length > 0;
  const result = {
    meta: {
      currency: "USD",
      symbol: symbolOf(instrument),
      instrumentType: { equity: "EQUITY", etf: "ETF", crypto: "CRYPTOCURRENCY" }[asset_class],
      regularMarketTime: Math.floor(regular.at / 1_000),
      gmtoffset: crypto ? 0 : newYorkOffsetMs(world.now()) / 1_000,
      exchangeTimezoneName: crypto ? "UTC" : "America/New_York",
      regularMarketPrice: regular.price,
      longName: crypto ? `${name} USD` : name,
      dataGranularity: interval,
      range: "",
      ...meta,
    },
    ...(some && { timestamp: slots.map((bar) => Math.floor((bar?.time ?? hole!) / 1_000)) }),
    ...(interval === "1d" && splits.length > 0 && { events: { splits: Object.fromEntries(splits) } }),
    indicators: {
      quote: [some ? quote : {}],
      ...(interval === "1d" && some && { adjclose: [{ adjclose: quote.close }] }),
    },
  };
  return json({ chart: { result: [result], error: null } });
}

const typical = ({ high, low, close }: WorldBar): number =>
  (Math.fround(high) + Math.fround(low) + Math.fround(close)) / 3;
