import type { AssetClass } from "../../domain/market/market.ts";
import type { CachedQuote } from "../../domain/market/market-cache-port.ts";
import { newYorkDay } from "../../lib/newyork.ts";

/** Age up to which a requested quote supplies day figures, ms. */
const MAX_AGE_MS = 60_000;

/**
 * Returns a streamed price with the figures of its day. A stream that lacks the previous close takes the day's figures
 * from the last requested quote of the same day, widened by the new price. Null without one: the caller requests a quote
 * then.
 */
export function withDayFigures(
  streamed: CachedQuote,
  requested: CachedQuote | undefined,
  { assetClass, now }: { readonly assetClass: AssetClass; readonly now: number },
): CachedQuote | null {
  if (assetClass === "crypto" || streamed.previousClose !== null) return streamed;
  if (requested === undefined || Math.abs(now - requested.fetchedAt) > MAX_AGE_MS) return null;
  if (newYorkDay(requested.tradedAt) !== newYorkDay(streamed.tradedAt)) return null;
  const { previousClose, open, high, low, volume, volumeScope } = requested;
  const { price } = streamed;
  return {
    ...streamed,
    previousClose,
    open,
    high: high === null ? null : Math.max(high, price),
    low: low === null ? null : Math.min(low, price),
    volume,
    volumeScope,
  };
}
