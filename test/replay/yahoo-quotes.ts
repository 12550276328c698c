import type { Instrument } from "../../src/domain/market/market.ts";
import { newYorkDay } from "../../src/lib/newyork.ts";
import { sessionOn } from "../../src/market/calendar/calendar.ts";
import { json, type Reply, type VendorRequest } from "./vendor.ts";
import type { World } from "./world.ts";
import { withoutCrumb } from "./yahoo-crumb.ts";

const DAY = 86_400_000;
const seconds = (at: number): number => Math.floor(at / 1_000);

/**
 * Yahoo's quotes of several symbols for requests with a cookie and its crumb; null for any other path. Unknown symbols
 * are missing; bid and ask are far from the price, as recorded outside the session.
 */
export function yahooQuotes(
  request: VendorRequest,
  world: World,
  instrumentNamed: (symbol: string) => Instrument | null,
): Reply | null {
  if (request.path !== "/v7/finance/quote") return null;
  const refusal = withoutCrumb(request);
  if (refusal !== null) return refusal;
  const result = (request.query.get("symbols") ?? "").split(",").flatMap((symbol) => {
    const instrument = instrumentNamed(symbol);
    return instrument === null ? [] : [quoteOf(symbol, instrument, world)];
  });
  return json({ quoteResponse: { result, error: null } });
}

function quoteOf(symbol: string, { symbol: name, asset_class, name: longName }: Instrument, world: World) {
  const trade = world.trade(name)!;
  const shared = {
    language: "en-US",
    quoteType: { equity: "EQUITY", etf: "ETF", crypto: "CRYPTOCURRENCY" }[asset_class],
    currency: "USD",
    exchangeDataDelayedBy: 0,
    bid: Number((0.945 * trade.price).toFixed(2)),
    ask: Number((1.03 * trade.price).toFixed(2)),
    longName,
    symbol,
  };
  const regularOf = (
    price: number,
    at: number,
    { previousClose, open, high, low, volume }: typeof trade,
  ) => ({
    regularMarketPrice: price,
    regularMarketTime: seconds(at),
    regularMarketPreviousClose: previousClose,
    regularMarketOpen: open,
    regularMarketDayHigh: high,
    regularMarketDayLow: low,
    regularMarketVolume: Math.round(volume),
  });
  if (asset_class === "crypto") return { ...shared, ...regularOf(trade.price, trade.at, trade) };
  const day = newYorkDay(trade.at);
  const session = sessionOn(day)!;
  const before = world.bars(name, "1d", { from: day - 15 * DAY, until: day - 1 });
  if (trade.at <= session.open) {
    // until the session opens, the regular figures are those of the previous session
    const last = before.at(-1)!;
    const previousClose = before.at(-2)?.close ?? last.open;
    return {
      ...shared,
      marketState: "PRE",
      ...regularOf(last.close, sessionOn(last.time)!.close, { ...trade, ...last, previousClose }),
      preMarketPrice: trade.price,
      preMarketTime: seconds(trade.at),
    };
  }
  if (trade.at <= session.close)
    return { ...shared, marketState: "REGULAR", ...regularOf(trade.price, trade.at, trade) };
  const close = world.bars(name, "1d", { from: day, until: day })[0]!.close;
  return {
    ...shared,
    marketState: "POST",
    ...regularOf(close, session.close, trade),
    postMarketPrice: trade.price,
    postMarketTime: seconds(trade.at),
  };
}
