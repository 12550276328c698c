import type { Instrument } from "../../src/domain/market/market.ts";
import { newYorkDay, newYorkOffsetMs } from "../../src/lib/newyork.ts";
import { putCallOf } from "./flow.ts";
import { json, type Reply, type Vendor } from "./vendor.ts";
import type { World } from "./world.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const DELAY = 15 * MINUTE;
const STEP = 5 * MINUTE;

/** The file store's word for a file that there is not. */
const NO_FILE: Reply = {
  status: 403,
  headers: { "content-type": "application/xml" },
  body: '<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code></Error>',
};

/** Cboe's delayed files: a quarter of an hour late, New York's clock without its zone, days of a whole life. */
export const cboeVendor: Vendor = {
  name: "cboe",
  key: null,
  latency: { p50: 120, p95: 400 },
  answer({ path }, world) {
    const [, date] =
      /^\/data\/us\/options\/market_statistics\/daily\/(\d{4}-\d\d-\d\d)_daily_options$/.exec(path) ?? [];
    if (date !== undefined) return statistics(date, world);
    const [, file = "", ticker = ""] =
      /^\/api\/global\/delayed_quotes\/(quotes|charts\/historical|options)\/([A-Z.]+)\.json$/.exec(path) ??
      [];
    const instrument = world.instrument(ticker) ?? world.instrument(`${ticker}.US`);
    if (instrument === null || instrument.asset_class === "crypto") return NO_FILE;
    if (file === "charts/historical") return json({ symbol: ticker, data: days(instrument, world) });
    const header = headerOf(ticker, instrument, world);
    const timestamp = new Date(world.now()).toISOString().slice(0, 19).replace("T", " ");
    if (file === "quotes") return json({ timestamp, data: header, symbol: ticker });
    return json({ timestamp, data: { options: options(ticker, header, world), ...header }, symbol: ticker });
  },
  limits: [
    { status: 429, body: "" },
    {
      status: 429,
      headers: { "content-type": "text/html" },
      body: "<html><body>Too Many Requests</body></html>",
    },
  ],
  unauthorised: [],
  blocks: [
    {
      status: 403,
      headers: { "content-type": "text/html; charset=UTF-8" },
      body: "<!DOCTYPE html><html><head><title>Attention Required!</title></head></html>",
    },
    { status: 200, headers: { "content-type": "text/html" }, body: "<html><body>Please wait</body></html>" },
  ],
};

/** Ratios as text in another order than documented; volumes as one row until July 2026, as a list from then on. */
function statistics(date: string, world: World): Reply {
  const told = putCallOf(date, world);
  if (told === null) return NO_FILE;
  const call = 6_000_000;
  const volume = { name: "VOLUME", call, put: Math.round(call * told.total), total: 0 };
  const open = { name: "OPEN INTEREST", call: 339_998_261, put: 255_605_343, total: 595_603_604 };
  return json({
    "SUM OF ALL PRODUCTS": date < "2026-07-01" ? volume : [open, volume],
    ratios: [
      { name: "CBOE VOLATILITY INDEX (VIX) PUT/CALL RATIO", value: "0.50" },
      { name: "EQUITY PUT/CALL RATIO", value: told.equity.toFixed(2) },
      { name: "TOTAL PUT/CALL RATIO", value: told.total.toFixed(2) },
      { name: "INDEX PUT/CALL RATIO", value: told.index.toFixed(2) },
      { name: "EXCHANGE TRADED PRODUCTS PUT/CALL RATIO", value: told.etp.toFixed(2) },
    ],
  });
}

/** What it has seen of an instrument: the last five minutes of a regular session that had ended by then. */
export function seenBy({ symbol }: Instrument, world: World) {
  const until = world.now() - DELAY - STEP;
  const bars = world.bars(symbol, "5m", { from: until - 10 * DAY, until });
  const last = bars.at(-1)!;
  const day = newYorkDay(last.time);
  return {
    bars: bars.filter(({ time }) => newYorkDay(time) === day),
    day,
    last,
    at: last.time + STEP - 1000,
  };
}

function headerOf(ticker: string, instrument: Instrument, world: World) {
  const { bars, day, last, at } = seenBy(instrument, world);
  const before = world.bars(instrument.symbol, "1d", { from: day - 10 * DAY, until: day - DAY }).at(-1)!;
  return {
    symbol: ticker,
    security_type: "stock",
    exchange_id: 2,
    current_price: last.close,
    price_change: last.close - before.close,
    price_change_percent: 100 * (last.close / before.close - 1),
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
    iv30: 31.5,
    iv30_change: -0.4,
    iv30_change_percent: -1.25,
    seqno: 43245185552,
    last_trade_time: onNewYorksClock(at),
    tick: "down",
  };
}

/** Every day that is over, oldest first; figures are text in every other row, and 0 before the listing. */
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

/** Two Fridays, five strikes around the price, calls and puts; the farthest of them never traded and has no model. */
function options(
  ticker: string,
  { current_price: price, last_trade_time }: Readonly<{ current_price: number; last_trade_time: string }>,
  world: World,
) {
  const today = newYorkDay(world.now());
  const friday = today + ((12 - new Date(today).getUTCDay()) % 7) * DAY;
  const step = Math.max(1, Math.round(price / 40));
  const middle = Math.round(price / step) * step;
  const strikes = [-2, -1, 0, 1, 2].map((steps) => middle + steps * step);
  return [friday, friday + 7 * DAY].flatMap((expiry) =>
    strikes.flatMap((strike, place) =>
      ["C", "P"].map((type) => {
        const inside = Math.max(0, type === "C" ? price - strike : strike - price);
        const theo = Math.round((inside + price / (20 + 10 * Math.abs(place - 2))) * 100) / 100;
        const quiet = place === 4 && type === "P";
        const sign = type === "C" ? 1 : -1;
        return {
          option: `${ticker.replace(".", "")}${yymmdd(expiry)}${type}${String(strike * 1000).padStart(8, "0")}`,
          bid: quiet ? 0 : theo - 0.05,
          bid_size: quiet ? 0 : 65,
          ask: theo + 0.05,
          ask_size: 5,
          iv: quiet ? 0 : 0.315,
          open_interest: quiet ? 0 : 2952,
          volume: quiet ? 0 : 1868,
          delta: quiet ? 0 : sign * (0.7 - 0.1 * place),
          gamma: quiet ? 0 : 0.0392,
          vega: quiet ? 0 : 0.0524,
          theta: quiet ? 0 : -0.2983,
          rho: quiet ? 0 : 0.0085,
          theo: quiet ? 0 : theo,
          change: 0,
          open: quiet ? 0 : theo,
          high: quiet ? 0 : theo,
          low: quiet ? 0 : theo,
          tick: "no_change",
          last_trade_price: quiet ? 0 : theo,
          last_trade_time: quiet ? null : last_trade_time,
          percent_change: 0,
          prev_day_close: quiet ? 0 : theo,
        };
      }),
    ),
  );
}

const yymmdd = (day: number): string => new Date(day).toISOString().slice(2, 10).replaceAll("-", "");

const onNewYorksClock = (at: number): string => new Date(at + newYorkOffsetMs(at)).toISOString().slice(0, 19);
