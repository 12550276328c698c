import type { Timeframe } from "../../src/domain/bars.ts";
import type { Instrument } from "../../src/domain/market.ts";
import { newYorkDate, newYorkDay, newYorkOffsetMs } from "../../src/lib/newyork.ts";
import { marketStateAt, sessionOf } from "../../src/market/calendar.ts";
import { json, type Reply, type Vendor } from "./vendor.ts";
import type { World, WorldBar } from "./world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LENGTHS: Readonly<Record<string, Timeframe>> = {
  "1d": "1d",
  "1h": "1h",
  "60m": "1h",
  "30m": "30m",
  "15m": "15m",
  "5m": "5m",
};

/** Yahoo's chart: columns of 32-bit prices, empty slots, a row told again after the close. */
export const yahooVendor: Vendor = {
  name: "yahoo",
  key: null,
  latency: { p50: 120, p95: 400 },
  answer({ path, query, headers }, world) {
    if (!(headers.get("user-agent") ?? "").startsWith("Mozilla/")) return TOO_MANY;
    const symbol = /^\/v8\/finance\/chart\/([^/]+)$/.exec(path)?.[1];
    if (symbol === undefined) return refused(404, "Not Found", "No such resource");
    const instrument = world.instrument(canonical(symbol));
    if (instrument === null || written(instrument) !== symbol)
      return refused(404, "Not Found", "No data found, symbol may be delisted");
    const interval = query.get("interval") ?? "1d";
    if (query.get("range") === "1d" && interval === "1m") return today(instrument, world);
    const timeframe = LENGTHS[interval];
    if (timeframe === undefined)
      return refused(422, "Unprocessable Entity", `Invalid input - interval=${interval} is not supported.`);
    const from = Number(query.get("period1")) * 1_000;
    const until = Number(query.get("period2")) * 1_000 - 1;
    if (timeframe !== "1d" && world.now() - from > (timeframe === "1h" ? 730 : 60) * DAY)
      return refused(422, "Unprocessable Entity", `${interval} data not available for startTime=${from}`);
    return series(instrument, world, { timeframe, from, until, interval });
  },
  limits: [TOO_MANY_TEXT()],
  unauthorised: [],
  blocks: [
    {
      status: 200,
      headers: { "content-type": "text/html" },
      body: "<!doctype html><html><body>Sorry</body></html>",
    },
    { status: 307, headers: { location: "https://guce.yahoo.com/consent" }, body: "" },
    { status: 403, headers: { "content-type": "text/html" }, body: "<html><body>Forbidden</body></html>" },
  ],
};

function TOO_MANY_TEXT(): Reply {
  return { status: 429, headers: { "content-type": "text/plain" }, body: "Too Many Requests\r\n" };
}
const TOO_MANY: Reply = TOO_MANY_TEXT();

const refused = (status: number, code: string, description: string): Reply =>
  json({ chart: { result: null, error: { code, description } } }, status);

const canonical = (symbol: string): string =>
  symbol.endsWith("-USD") ? symbol : symbol.replace(/-([A-Z])$/, ".$1");
const written = ({ symbol, asset_class }: Instrument): string =>
  asset_class === "crypto" ? symbol : symbol.replace(/\.US$/, "").replace(".", "-");

/** The day so far in minutes with the trade that is newest; the minutes are those in which the world's bars begin. */
function today(instrument: Instrument, world: World): Reply {
  const { symbol, asset_class } = instrument;
  const crypto = asset_class === "crypto";
  const trade = world.trade(symbol)!;
  const day = crypto ? Math.floor(trade.at / DAY) * DAY : newYorkDay(trade.at - 1);
  const from = crypto ? day : day - newYorkOffsetMs(day + DAY / 2);
  const rows = [...world.bars(symbol, "5m", { from, until: world.now(), hours: "extended" })];
  const session = crypto ? null : sessionOf(new Date(day).toISOString().slice(0, 10));
  const regular = crypto || (session !== null && trade.at > session.open && trade.at <= session.close);
  const newest = { price: trade.price, at: trade.at };
  if (!regular && rows.length > 0) {
    const last = rows.pop()!;
    rows.push(last, { ...last, time: trade.at, open: trade.price, high: trade.price, low: trade.price });
    rows.splice(-2, 1, last);
  }
  const closed =
    regular || session === null ? null : trade.at <= session.open ? before(world, symbol, day) : null;
  const close = world.bars(symbol, "1d", { from: day, until: day })[0];
  const at = regular
    ? newest
    : (closed ?? { price: close?.close ?? trade.previousClose, at: session!.close });
  return chart(instrument, world, {
    rows,
    regular: at,
    interval: "1m",
    range: "1d",
    extra: {
      chartPreviousClose: trade.previousClose,
      ...(asset_class !== "crypto" && { previousClose: trade.previousClose }),
      regularMarketDayHigh: trade.high,
      regularMarketDayLow: trade.low,
      regularMarketVolume: crypto ? trade.volume * at.price : trade.volume,
      currentTradingPeriod: periods(day, crypto),
    },
    // the minute in the making is still empty
    hole: rows.length > 0 && rows.at(-1)!.time < trade.at ? trade.at : null,
  });
}

/** The close of the session before a day. */
function before(world: World, symbol: string, day: number) {
  const bar = world.bars(symbol, "1d", { from: day - 10 * DAY, until: day - 1 }).at(-1)!;
  return { price: bar.close, at: sessionOf(new Date(bar.time).toISOString().slice(0, 10))!.close };
}

function series(
  instrument: Instrument,
  world: World,
  asked: {
    readonly timeframe: Timeframe;
    readonly from: number;
    readonly until: number;
    readonly interval: string;
  },
): Reply {
  const { symbol, asset_class } = instrument;
  const crypto = asset_class === "crypto";
  const { timeframe, interval } = asked;
  const trade = world.trade(symbol)!;
  // a day is stamped at its open
  const stamp = (bar: WorldBar): number => {
    if (timeframe !== "1d" || crypto) return bar.time;
    const session = sessionOf(new Date(bar.time).toISOString().slice(0, 10))!;
    return world.now() < session.close ? Math.min(trade.at, world.now()) : session.open;
  };
  const found = world
    .bars(symbol, timeframe, { from: asked.from - DAY, until: asked.until })
    .map((bar) => ({ ...bar, time: stamp(bar) }))
    .filter(({ time }) => time >= asked.from && time <= asked.until);
  const rows: WorldBar[] = [...found];
  const session = crypto ? null : sessionOf(newYorkDate(world.now()));
  const ended =
    session !== null && world.now() >= session.close && marketStateAt(world.now(), asset_class) !== "closed";
  const last = rows.at(-1);
  if (timeframe !== "1d" && ended && last !== undefined && session.close <= asked.until)
    rows.push({
      time: session.close,
      open: last.close,
      high: last.close,
      low: last.close,
      close: last.close,
      volume: 0,
    });
  const first = world.bars(symbol, "1d", { from: asked.from - 10 * DAY, until: asked.from - 1 }).at(-1);
  return chart(instrument, world, {
    rows,
    regular: { price: trade.price, at: trade.at },
    interval,
    range: "",
    extra: {
      chartPreviousClose: first?.close ?? trade.previousClose,
      currentTradingPeriod: periods(newYorkDay(trade.at), crypto),
    },
    hole:
      timeframe !== "1d" && last !== undefined && !ended && world.now() <= asked.until + DAY
        ? world.now()
        : null,
  });
}

function periods(day: number, crypto: boolean) {
  const session = crypto ? null : sessionOf(new Date(day).toISOString().slice(0, 10));
  const { open, close } = session ?? { open: day, close: day + DAY };
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

interface Told {
  readonly rows: readonly WorldBar[];
  readonly regular: { readonly price: number; readonly at: number };
  readonly interval: string;
  readonly range: string;
  readonly extra: Readonly<Record<string, unknown>>;
  /** Where an empty slot stands, epoch ms. */
  readonly hole: number | null;
}

function chart(
  { asset_class, name, symbol }: Instrument,
  world: World,
  { rows, regular, interval, range, extra, hole }: Told,
): Reply {
  const crypto = asset_class === "crypto";
  const stamps = [
    ...rows.map(({ time }) => Math.floor(time / 1_000)),
    ...(hole === null ? [] : [Math.floor(hole / 1_000)]),
  ];
  const column = (of: (bar: WorldBar) => number) => [...rows.map(of), ...(hole === null ? [] : [null])];
  const typical = ({ high, low, close }: WorldBar) =>
    (Math.fround(high) + Math.fround(low) + Math.fround(close)) / 3;
  const splits = Object.fromEntries(
    world.splits(symbol).map(({ day, factor }) => {
      const date = sessionOf(new Date(day).toISOString().slice(0, 10))!.open / 1_000;
      return [date, { date, numerator: factor, denominator: 1, splitRatio: `${factor}:1` }];
    }),
  );
  const quote = {
    open: column(({ open }) => Math.fround(open)),
    high: column(({ high }) => Math.fround(high)),
    low: column(({ low }) => Math.fround(low)),
    close: column(({ close }) => Math.fround(close)),
    volume: column((bar) => (crypto ? bar.volume * typical(bar) : bar.volume)),
  };
  const result = {
    meta: {
      currency: "USD",
      symbol: crypto ? symbol : symbol.replace(/\.US$/, "").replace(".", "-"),
      exchangeName: crypto ? "CCC" : "NMS",
      instrumentType: { equity: "EQUITY", etf: "ETF", crypto: "CRYPTOCURRENCY" }[asset_class],
      regularMarketTime: Math.floor(regular.at / 1_000),
      hasPrePostMarketData: !crypto,
      gmtoffset: crypto ? 0 : newYorkOffsetMs(world.now()) / 1_000,
      exchangeTimezoneName: crypto ? "UTC" : "America/New_York",
      regularMarketPrice: regular.price,
      longName: name,
      priceHint: 2,
      dataGranularity: interval,
      range,
      ...extra,
    },
    ...(stamps.length > 0 && { timestamp: stamps }),
    ...(Object.keys(splits).length > 0 && { events: { splits } }),
    indicators: {
      quote: [stamps.length > 0 ? quote : {}],
      ...(interval === "1d" && stamps.length > 0 && { adjclose: [{ adjclose: quote.close }] }),
    },
  };
  return json({ chart: { result: [result], error: null } });
}
