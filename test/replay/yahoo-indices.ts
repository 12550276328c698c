import { newYorkDay, newYorkOffsetMs } from "../../src/lib/newyork.ts";
import { sessionOn } from "../../src/market/calendar/calendar.ts";
import { indexWorld } from "./indices.ts";
import { json, type Reply } from "./vendor.ts";
import type { World, WorldBar } from "./world.ts";

const DAY = 86_400_000;
/** Number of days of the range `5d`. */
const RANGE_DAYS = 5;

/** Yahoo's daily chart of an index: days at their open, 32-bit levels, a volume of 0. Null for other paths. */
export function yahooIndices(
  { path, query }: { readonly path: string; readonly query: URLSearchParams },
  world: World,
): Reply | null {
  const symbol = decodeURIComponent(/^\/v8\/finance\/chart\/([^/]+)$/.exec(path)?.[1] ?? "");
  if (!symbol.startsWith("^")) return null;
  const indices = indexWorld(world);
  const trade = indices.trade(symbol);
  if (trade === null)
    return json(
      {
        chart: {
          result: null,
          error: { code: "Not Found", description: "No data found, symbol may be delisted" },
        },
      },
      404,
    );
  const now = world.now();
  const [from, until] = query.has("range")
    ? [now - 12 * DAY, now]
    : [Number(query.get("period1")) * 1_000, Number(query.get("period2")) * 1_000 - 1];
  const all = indices
    .bars(symbol, "1d", { from: from - DAY, until })
    .map((bar) => ({ ...bar, time: sessionOn(bar.time)!.open }))
    .filter(({ time }) => time >= from && time <= until);
  const days = query.has("range") ? all.slice(-RANGE_DAYS) : all;
  const column = (of: (bar: WorldBar) => number) => days.map((bar) => Math.fround(of(bar)));
  const isOfCboe = symbol === "^VIX";
  const result = {
    meta: {
      currency: "USD",
      symbol,
      exchangeName: isOfCboe ? "CGI" : "SNP",
      fullExchangeName: isOfCboe ? "Cboe Indices" : "SNP",
      instrumentType: "INDEX",
      regularMarketTime: Math.floor(trade.at / 1_000),
      hasPrePostMarketData: false,
      gmtoffset: newYorkOffsetMs(now) / 1_000,
      exchangeTimezoneName: isOfCboe ? "America/Chicago" : "America/New_York",
      regularMarketPrice: trade.price,
      regularMarketDayHigh: trade.high,
      regularMarketDayLow: trade.low,
      regularMarketVolume: 0,
      longName: indices.instrument(symbol)!.name,
      chartPreviousClose: closeBefore(indices, symbol, days[0]?.time ?? now),
      dataGranularity: "1d",
      range: query.get("range") ?? "",
    },
    ...(days.length > 0 && { timestamp: days.map(({ time }) => time / 1_000) }),
    indicators: {
      quote: [
        days.length === 0
          ? {}
          : {
              open: column(({ open }) => open),
              high: column(({ high }) => high),
              low: column(({ low }) => low),
              close: column(({ close }) => close),
              volume: column(() => 0),
            },
      ],
    },
  };
  return json({ chart: { result: [result], error: null } });
}

const closeBefore = (world: World, symbol: string, at: number): number | undefined => {
  const day = newYorkDay(at);
  return world.bars(symbol, "1d", { from: day - 10 * DAY, until: day - 1 }).at(-1)?.close;
};
