import { ProviderFailure, type ProviderQuote } from "../../domain/providers/price-provider.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { sessionOf } from "../../market/calendar/calendar.ts";
import type { ApiGet } from "./client.ts";
import { TopOfBook } from "./wire.ts";

/**
 * The last trade on IEX, or after the close the official close; null where the account is told neither trades nor bids,
 * as without an agreement with IEX. Rejects with ProviderFailure alone.
 */
export async function latestOf(
  ask: ApiGet,
  symbol: string,
  signal: AbortSignal,
): Promise<ProviderQuote | null> {
  const [top, ...others] = await ask(`/iex/${symbol}`, TopOfBook, {}, signal);
  if (top === undefined) throw new ProviderFailure("unknown_symbol", "it has no such symbol");
  if (others.length > 0 || top.ticker.toUpperCase() !== symbol)
    throw new ProviderFailure("malformed", "an answer about another symbol");
  const trade = tradeOf(top);
  if (trade !== null) return quoteOf(top, trade);
  if (!top.quoteTimestamp) return null;
  throw new ProviderFailure("unsupported", "IEX has seen no trade of it");
}

function quoteOf(top: TopOfBook, { price, tradedAt, venue }: Trade): ProviderQuote {
  const date = newYorkDate(tradedAt);
  const close = sessionOf(date)?.close ?? null;
  // the day told is that of its newest change
  const sameDay = newYorkDate(top.timestamp) === date;
  const atClose = tradedAt === close;
  // after the close the volume may be that of IEX or of all venues, until the closing print is there
  const counted = sameDay && (atClose || (close !== null && top.timestamp < close));
  return {
    price,
    tradedAt,
    previousClose: sameDay ? top.prevClose : null,
    open: sameDay ? top.open : null,
    high: sameDay ? top.high : null,
    low: sameDay ? top.low : null,
    volume: counted ? top.volume : null,
    volumeScope: atClose ? "all_venues" : "one_venue",
    venue,
  };
}

type Trade = Pick<ProviderQuote, "price" | "tradedAt" | "venue">;

function tradeOf({ last, lastSaleTimestamp, tngoLast, timestamp }: TopOfBook): Trade | null {
  const isClose = (at: number) => sessionOf(newYorkDate(at))?.close === at;
  if (last !== null && lastSaleTimestamp) {
    const venue = isClose(lastSaleTimestamp) ? "US" : "IEX";
    return { price: last, tradedAt: lastSaleTimestamp, venue };
  }
  if (tngoLast !== null && isClose(timestamp)) return { price: tngoLast, tradedAt: timestamp, venue: "US" };
  return null;
}
