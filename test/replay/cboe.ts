import type { Instrument } from "../../src/domain/market/market.ts";
import type { OptionContract } from "../../src/domain/options-flow/options.ts";
import { newYorkDay, newYorkOffsetMs } from "../../src/lib/newyork.ts";
import { sessionOn } from "../../src/market/calendar/calendar.ts";
import { cboeIndices } from "./cboe-indices.ts";
import { stockOf } from "./lookup.ts";
import { empty, json, page, type Reply, type Vendor } from "./vendor.ts";
import type { World } from "./world.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const DELAY = 15 * MINUTE;
const STEP = 5 * MINUTE;

/** Host of the statistics, and host to which quotes, charts and chains have moved. */
const [OLD_HOST, NEW_HOST] = ["cdn.cboe.com", "cdn-api.cboe.com"];

/** Response of the file storage for a missing file. */
const NO_FILE: Reply = {
  status: 403,
  headers: { "content-type": "application/xml" },
  body: '<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code></Error>',
};

/** Cboe's delayed files: 15 minutes late, New York times without a zone, daily bars since the listing. */
export const cboeVendor: Vendor = {
  name: "cboe",
  key: null,
  latency: { p50: 120, p95: 400 },
  answer({ path, host }, world) {
    if (host === OLD_HOST && path.startsWith("/api/global/"))
      return empty(307, { location: `https://${NEW_HOST}${path}` });
    const [, date] =
      /^\/data\/us\/options\/market_statistics\/daily\/(\d{4}-\d\d-\d\d)_daily_options$/.exec(path) ?? [];
    if (date !== undefined) return host === NEW_HOST ? empty(404) : statistics(date, world);
    const index = host === OLD_HOST ? null : cboeIndices(path, world);
    if (index !== null) return index;
    const [, file = "", ticker = ""] =
      /^\/api\/global\/delayed_quotes\/(quotes|charts\/historical|options)\/([A-Z.]+)\.json$/.exec(path) ??
      [];
    const instrument = stockOf(world, ticker);
    if (instrument === null || host === OLD_HOST) return NO_FILE;
    if (file === "charts/historical") return json({ symbol: ticker, data: days(instrument, world) });
    const header = headerOf(ticker, instrument, world);
    const timestamp = new Date(world.now()).toISOString().slice(0, 19).replace("T", " ");
    if (file === "quotes") return json({ timestamp, data: header, symbol: ticker });
    const options = optionsOf(instrument, world);
    return json({ timestamp, data: { options, ...header }, symbol: ticker });
  },
  limits: [empty(429), page(429, "Too Many Requests")],
  unauthorised: [],
  blocks: [
    page(403, "Attention Required!"),
    page(200, "Please wait"),
    empty(403),
    json({ message: "Forbidden" }, 403),
    empty(307, { location: "https://www.example.com/blocked" }),
  ],
};

/**
 * Ratios as text, 0.00 for missing ones, not in the documented order; volumes as one row until July 2026, then as a
 * list.
 */
function statistics(date: string, world: World): Reply {
  const ratios = world.putCalls(date);
  if (ratios === null) return NO_FILE;
  const value = (ratio: number | null) => (ratio ?? 0).toFixed(2);
  const volume = { name: "VOLUME", call: ratios.callVolume, put: ratios.putVolume, total: 0 };
  const open = { name: "OPEN INTEREST", call: 339_998_261, put: 255_605_343, total: 595_603_604 };
  return json({
    "SUM OF ALL PRODUCTS": date < "2026-07-01" ? volume : [open, volume],
    ratios: [
      { name: "CBOE VOLATILITY INDEX (VIX) PUT/CALL RATIO", value: "0.50" },
      { name: "EQUITY PUT/CALL RATIO", value: value(ratios.equity) },
      { name: "TOTAL PUT/CALL RATIO", value: value(ratios.total) },
      { name: "INDEX PUT/CALL RATIO", value: value(ratios.index) },
      { name: "EXCHANGE TRADED PRODUCTS PUT/CALL RATIO", value: value(ratios.etp) },
    ],
  });
}

/**
 * The newest five-minute bar of a regular session that closed at least 15 minutes ago, and all bars of its day; `over`
 * if its session had ended by then.
 */
export function delayedBars({ symbol }: Instrument, world: World) {
  const until = world.now() - DELAY - STEP;
  const bars = world.bars(symbol, "5m", { from: until - 10 * DAY, until });
  const last = bars.at(-1)!;
  const day = newYorkDay(last.time);
  const { close } = sessionOn(day)!;
  return {
    over: world.now() - DELAY >= close,
    close,
    bars: bars.filter(({ time }) => newYorkDay(time) === day),
    day,
    last,
    at: last.time + STEP - 1000,
  };
}

/** After the close, the newest price is a late trade, with the time of the last regular one. */
function headerOf(ticker: string, instrument: Instrument, world: World) {
  const { bars, day, last, at, over } = delayedBars(instrument, world);
  const before = world.bars(instrument.symbol, "1d", { from: day - 10 * DAY, until: day - DAY }).at(-1)!;
  const change = last.close - before.close;
  return {
    symbol: ticker,
    security_type: instrument.asset_class === "etf" ? "etf" : "stock",
    exchange_id: 2,
    current_price: over ? last.close + 0.02 : last.close,
    price_change: change,
    price_change_percent: (100 * change) / before.close,
    bid: last.close - 0.05,
    ask: last.close + 0.05,
    bid_size: 100,
    ask_size: 500,
    open: bars[0]!.open,
    high: Math.max(...bars.map(({ high }) => high)),
    low: Math.min(...bars.map(({ low }) => low)),
    close: last.close,
    prev_day_close: before.close,
    volume: bars.reduce((sum, bar) => sum + bar.volume, 0),
    iv30: 25.5,
    iv30_change: 0.5,
    iv30_change_percent: 2,
    seqno: 43_245_185_552,
    // funds have it with a space
    last_trade_time: newYorkTime(at).replace("T", instrument.asset_class === "etf" ? " " : "T"),
    tick: "down",
  };
}

/** Every completed day, oldest first; figures are text in every other row, and 0 on the day before the listing. */
function days({ symbol }: Instrument, world: World) {
  const bars = world.bars(symbol, "1d", { from: 0, until: newYorkDay(world.now()) - DAY });
  const listed = bars[0]?.time ?? 0;
  const unlisted = { time: listed - DAY, open: 0, high: 0, low: 0, close: 0, volume: 0 };
  return [unlisted, ...bars].map(({ time, ...figures }, index) => ({
    date: new Date(time).toISOString().slice(0, 10),
    ...(index % 2 === 0
      ? figures
      : Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, String(figure)]))),
  }));
}

/** All options as of the delayed bars; an option without a bid has no model values and has never traded. */
const optionsOf = (instrument: Instrument, world: World) => {
  const { last, at } = delayedBars(instrument, world);
  return world
    .chain(instrument, { price: last.close, at })!
    .contracts.map((contract) => optionOf(contract, at));
};

function optionOf({ symbol, bid, ask, volume, openInterest, ...contract }: OptionContract, at: number) {
  const quiet = bid === null;
  const price = quiet ? 0 : (contract.last ?? 0);
  return {
    option: symbol,
    bid: bid ?? 0,
    bid_size: contract.bidSize ?? 0,
    ask,
    ask_size: contract.askSize,
    iv: quiet ? 0 : contract.iv,
    open_interest: openInterest,
    volume,
    delta: quiet ? 0 : contract.delta,
    gamma: quiet ? 0 : contract.gamma,
    vega: quiet ? 0 : contract.vega,
    theta: quiet ? 0 : contract.theta,
    theo: quiet ? 0 : contract.theoretical,
    change: 0,
    open: price,
    high: price,
    low: price,
    last_trade_price: price,
    last_trade_time: price === 0 ? null : newYorkTime(at),
    prev_day_close: price,
  };
}

const newYorkTime = (at: number): string => new Date(at + newYorkOffsetMs(at)).toISOString().slice(0, 19);
