import { z } from "zod";
import { ProviderFailure, type ProviderQuote } from "../../domain/providers/price-provider.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { sessionOf } from "../../market/calendar/calendar.ts";
import type { ApiGet } from "../shared/api.ts";
import { CountOrNull, Instant, PriceOrNull } from "../shared/fields.ts";

/** The newest state of one ticker. Trades on IEX need an agreement with IEX. */
const TopOfBook = z.object({
  ticker: z.string(),
  /** Time of the last change; of the closing print, the close itself. */
  timestamp: Instant,
  last: PriceOrNull,
  lastSaleTimestamp: Instant.nullish(),
  quoteTimestamp: Instant.nullish(),
  /** The newest trade or the middle of bid and ask; the official close once it is known. */
  tngoLast: PriceOrNull,
  prevClose: PriceOrNull,
  open: PriceOrNull,
  high: PriceOrNull,
  low: PriceOrNull,
  volume: CountOrNull,
});
type TopOfBook = z.infer<typeof TopOfBook>;
type Trade = Pick<ProviderQuote, "price" | "tradedAt" | "venue">;

/** The last trade on IEX, or the official close; null if the account sees neither trades nor bids. */
export async function latestQuote(
  get: ApiGet,
  symbol: string,
  signal: AbortSignal,
): Promise<ProviderQuote | null> {
  const [top, ...others] = await get(`/iex/${symbol}`, z.array(TopOfBook), { signal });
  if (top === undefined) throw new ProviderFailure("unknown_symbol", "no such symbol");
  if (others.length > 0 || top.ticker.toUpperCase() !== symbol)
    throw new ProviderFailure("malformed", "response about another symbol");
  const trade = tradeOf(top);
  if (trade !== null) return quoteOf(top, trade);
  if (!top.quoteTimestamp) return null;
  throw new ProviderFailure("unsupported", "no trade of this symbol on IEX");
}

function tradeOf({ last, lastSaleTimestamp, tngoLast, timestamp }: TopOfBook): Trade | null {
  if (last !== null && lastSaleTimestamp) {
    const venue = isSessionClose(lastSaleTimestamp) ? "US" : "IEX";
    return { price: last, tradedAt: lastSaleTimestamp, venue };
  }
  return tngoLast !== null && isSessionClose(timestamp)
    ? { price: tngoLast, tradedAt: timestamp, venue: "US" }
    : null;
}

const isSessionClose = (at: number): boolean => sessionOf(newYorkDate(at))?.close === at;

function quoteOf(top: TopOfBook, { price, tradedAt, venue }: Trade): ProviderQuote {
  const date = newYorkDate(tradedAt);
  const close = sessionOf(date)?.close ?? null;
  // the day figures belong to the day of the last change
  const day = newYorkDate(top.timestamp) === date ? top : null;
  const atClose = tradedAt === close;
  // between the close and the closing print the volume may be that of IEX or of all venues
  const isCounted = atClose || (close !== null && top.timestamp < close);
  return {
    price,
    tradedAt,
    previousClose: day?.prevClose ?? null,
    open: day?.open ?? null,
    high: day?.high ?? null,
    low: day?.low ?? null,
    volume: isCounted ? (day?.volume ?? null) : null,
    volumeScope: atClose ? "all_venues" : "one_venue",
    venue,
  };
}
