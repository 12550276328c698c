import { newYorkDate, newYorkOffsetMs } from "../../src/lib/newyork.ts";
import { sessionOf } from "../../src/market/calendar/calendar.ts";
import { indexWorld } from "./indices.ts";
import { stockOf } from "./lookup.ts";
import { empty, json, page, type Vendor } from "./vendor.ts";
import type { World } from "./world.ts";

/** CNBC's quotes: prices as text with commas, New York times with their offset; no price for an unknown symbol. */
export const cnbcVendor: Vendor = {
  name: "cnbc",
  key: null,
  latency: { p50: 140, p95: 500 },
  answer({ path, query }, world) {
    if (path !== "/quote-html-webservice/restQuote/symbolType/symbol") return page(404, "Not found");
    const rows = (query.get("symbols") ?? "").split("|").map((symbol) => rowOf(symbol, world));
    return json({ FormattedQuoteResult: { FormattedQuote: rows } });
  },
  limits: [empty(429), page(429, "Too Many Requests")],
  unauthorised: [],
  blocks: [page(403, "Access Denied"), page(200, "Access Denied")],
};

/** Indices of the simulated market by their names here. */
const INDICES: Readonly<Record<string, string>> = { ".SPX": "^GSPC", ".VIX": "^VIX" };

/** An index has no trades outside its session; after it, `last_time` is some minutes after its close. */
function indexRow(symbol: string, world: World) {
  const index = INDICES[symbol];
  const trade = index === undefined ? null : indexWorld(world).trade(index);
  if (trade === null) return { symbol, code: 1 };
  return {
    symbol,
    code: 0,
    last: text(trade.price),
    last_time: newYorkTime(trade.at),
    previous_day_closing: text(trade.previousClose),
    currencyCode: "USD",
    type: "INDEX",
    subType: "Index",
    curmktstatus: "REG_MKT",
  };
}

function rowOf(symbol: string, world: World) {
  if (symbol.startsWith(".")) return indexRow(symbol, world);
  const found = stockOf(world, symbol);
  const trade = found === null ? null : world.trade(found.symbol);
  if (found === null || trade === null) return { symbol, code: 1 };
  const day = Date.parse(newYorkDate(trade.at));
  const session = sessionOf(newYorkDate(trade.at))!;
  const days = world.bars(found.symbol, "1d", { from: day - 12 * 86_400_000, until: day });
  const isEarly = trade.at <= session.open;
  const isLate = trade.at > session.close;
  const [before, last] = isEarly ? [days.at(-2), days.at(-1)] : [days.at(-2), null];
  const regular = isEarly
    ? { price: last!.close, at: sessionOf(new Date(last!.time).toISOString().slice(0, 10))!.close }
    : isLate
      ? { price: days.at(-1)!.close, at: session.close }
      : trade;
  return {
    symbol,
    code: 0,
    name: found.name,
    last: text(regular.price),
    last_time: newYorkTime(regular.at),
    previous_day_closing: text(isEarly ? before!.close : trade.previousClose),
    currencyCode: "USD",
    curmktstatus: isEarly ? "PRE_MKT" : isLate ? "POST_MKT" : "REG_MKT",
    ...((isEarly || isLate) && {
      ExtendedMktQuote: {
        type: isEarly ? "PRE_MKT" : "POST_MKT",
        last: text(trade.price),
        last_time: newYorkTime(trade.at),
      },
    }),
  };
}

const text = (price: number): string => price.toLocaleString("en-US", { maximumFractionDigits: 4 });

/** `2026-08-31T16:10:00.000-0400`. */
const newYorkTime = (at: number): string => {
  const offset = newYorkOffsetMs(at);
  const hours = String(Math.abs(offset) / 3_600_000).padStart(2, "0");
  return `${new Date(at + offset).toISOString().slice(0, -1)}-${hours}00`;
};
