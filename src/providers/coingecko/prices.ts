import { type PriceProvider, ProviderFailure } from "../../domain/providers/price-provider.ts";
import { tickerOf } from "../../market/symbols/listings.ts";
import { type CoingeckoSetup, createClient } from "./client.ts";
import { IDS } from "./ids.ts";
import { Price, Prices, quoteOf } from "./wire.ts";

/**
 * CoinGecko as a source of prices of tokens in US dollars: averages over all venues, about a minute old, of tokens
 * whose id is known for sure. `tradedAt` is when it last averaged, `previousClose` the price of 24 hours ago by the
 * change it tells, and `volume` its turnover of 24 hours in dollars at the price told, so a near number of tokens. One
 * call for a price; no bars, since those it has count no volume.
 * @see https://docs.coingecko.com/reference/simple-price
 */
export function coingecko(setup: CoingeckoSetup): PriceProvider {
  const ask = createClient(setup);
  return {
    name: "coingecko",
    serves: new Set(["crypto"]),
    // 30 to 100 a minute are published with a key; without one an address shares what it does not tell
    budget: { calls: setup.demoKey === undefined ? 10 : 25, perMs: 60_000, atOnce: 2 },
    delayMinutes: 1,
    liveWithinMs: 300_000,
    reaches: {},
    async latest(instrument, { signal }) {
      const id = instrument.asset_class === "crypto" ? IDS.get(tickerOf(instrument)) : undefined;
      if (id === undefined) throw new ProviderFailure("unsupported", "it has no id that is sure");
      const query = {
        ids: id,
        vs_currencies: "usd",
        include_24hr_change: "true",
        include_24hr_vol: "true",
        include_last_updated_at: "true",
        precision: "full",
      };
      const prices = await ask("/simple/price", Prices, query, signal);
      const ids = Object.keys(prices);
      if (ids.length === 0) throw new ProviderFailure("unknown_symbol", "it no longer lists the coin");
      const price = ids.length === 1 && ids[0] === id ? Price.safeParse(prices[id]) : null;
      if (price === null) throw new ProviderFailure("malformed", "an answer about another coin");
      if (!price.success)
        throw new ProviderFailure("malformed", "another price than documented", { cause: price.error });
      const quote = quoteOf(price.data);
      if (quote === null) throw new ProviderFailure("unknown_symbol", "it no longer prices the coin");
      return quote;
    },
  };
}
