import { type PriceProvider, ProviderFailure } from "../../domain/providers/price-provider.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { barsOf } from "./bars.ts";
import { createClient, productOf } from "./client.ts";
import { quoteOf, Stats, Ticker } from "./wire.ts";

const ALL = Number.POSITIVE_INFINITY;
/** What it has of our lengths; six hours are its only one between an hour and a day. */
const REACHES: PriceProvider["reaches"] = { "1d": ALL, "1h": ALL, "15m": ALL, "5m": ALL };

/**
 * Coinbase Exchange as a source of tokens in US dollars. A quote takes two calls: the newest trade, and the 24 hours
 * before it, so its `open` and `previousClose` are both the price of 24 hours ago. A product without a trade in 24
 * hours is one it no longer trades. Bars take one call for each 300; volumes are units of the token on Coinbase alone.
 * @see https://docs.cdp.coinbase.com/exchange/reference
 */
export function coinbase(setup: ProviderSetup): PriceProvider {
  const ask = createClient(setup);
  return {
    name: "coinbase",
    serves: new Set(["crypto"]),
    // 10 a second are published for an address without a key
    budget: { calls: 8, perMs: 1_000, atOnce: 4 },
    delayMinutes: 0,
    liveWithinMs: 120_000,
    reaches: REACHES,
    async latest(instrument, { signal }) {
      const product = productOf(instrument);
      const [ticker, stats] = await Promise.all([
        ask(`/products/${product}/ticker`, Ticker, signal),
        ask(`/products/${product}/stats`, Stats, signal),
      ]);
      if (stats.volume === 0) throw new ProviderFailure("unknown_symbol", "it no longer trades the product");
      return quoteOf(ticker, stats);
    },
    async history(instrument, request) {
      const product = productOf(instrument);
      if (REACHES[request.timeframe] === undefined)
        throw new ProviderFailure("unsupported", "it has no bars of this length");
      const bars = await barsOf(ask, product, request);
      return { bars, adjustment: "raw", hours: "regular", volumeScope: "one_venue", venue: "COINBASE" };
    },
  };
}
