import { ProviderFailure, type ProviderQuote } from "../../domain/providers/price-provider.ts";
import type { ApiGet } from "./client.ts";
import { Snapshot } from "./wire.ts";

const PATH = "/v2/snapshot/locale/us/markets/stocks/tickers";

/** The last trade with its day; null where the account's plan does not include it. Rejects with ProviderFailure alone. */
export async function latestOf(
  ask: ApiGet,
  symbol: string,
  signal: AbortSignal,
): Promise<ProviderQuote | null> {
  const told = await ask({ path: `${PATH}/${symbol}`, shape: Snapshot, signal });
  if (told === null) return null;
  if (told.ticker.ticker !== symbol) throw new ProviderFailure("malformed", "an answer about another symbol");
  return quoteOf(told.ticker);
}

function quoteOf({ lastTrade, day, prevDay }: Snapshot): ProviderQuote {
  if (!lastTrade) throw new ProviderFailure("unsupported", "it tells no trade of it");
  // neither day says its date, so until the newer one has begun it is not known which days these are
  const begun = day && day.c !== null ? day : null;
  return {
    price: lastTrade.p,
    tradedAt: Math.round(lastTrade.t / 1e6),
    previousClose: begun === null ? null : (prevDay?.c ?? null),
    open: begun?.o ?? null,
    high: begun?.h ?? null,
    low: begun?.l ?? null,
    volume: begun?.v ?? null,
    volumeScope: "all_venues",
    venue: "US",
  };
}
