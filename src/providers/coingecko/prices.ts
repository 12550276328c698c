import { z } from "zod";
import {
  type PriceProvider,
  ProviderFailure,
  type ProviderQuote,
} from "../../domain/providers/price-provider.ts";
import { tickerOf } from "../../market/symbols/listings.ts";
import { parseBody } from "../shared/api.ts";
import { namedValues } from "../shared/rows.ts";
import { type CoingeckoSetup, coingeckoApi } from "./api.ts";
import table from "./ids.json" with { type: "json" };

/** CoinGecko's id by ticker. Many tokens share a ticker at CoinGecko, so only unambiguous ids are listed. */
export const IDS: ReadonlyMap<string, string> = new Map(
  table.ids.flatMap((line) => line.split(" ")).map((entry) => entry.split("=") as [string, string]),
);

const Figure = z.number().nullish();
const Coin = z.object({
  usd: Figure,
  /** Turnover of the last 24 hours in US dollars. */
  usd_24h_vol: Figure,
  /** Per cent. */
  usd_24h_change: Figure,
  last_updated_at: z.int().positive().max(8.64e12).nullish(),
});
/** Coins by id; unknown ids are missing. */
const Coins = namedValues();

/**
 * Creates the provider of CoinGecko's prices in US dollars, one call each: averages over all venues, about a minute
 * old, for tokens with an unambiguous id. `tradedAt` is the time of the average, `previousClose` is derived from the
 * change in 24 hours and `volume` from the turnover at the current price. CoinGecko's bars are not used, because they
 * have no volume.
 * @see https://docs.coingecko.com/reference/simple-price
 */
export function coingecko(setup: CoingeckoSetup): PriceProvider {
  const get = coingeckoApi(setup);
  return {
    name: "coingecko",
    serves: new Set(["crypto"]),
    // the published limit is 30 to 100 calls a minute with a key; none is published for calls without one
    budget: { calls: setup.demoKey === undefined ? 10 : 25, perMs: 60_000, atOnce: 2 },
    delayMinutes: 1,
    liveWithinMs: 300_000,
    reaches: {},
    async latest(instrument, { signal }) {
      const id = instrument.asset_class === "crypto" ? IDS.get(tickerOf(instrument)) : undefined;
      if (id === undefined) throw new ProviderFailure("unsupported", "no unambiguous id for the token");
      const query = {
        ids: id,
        vs_currencies: "usd",
        include_24hr_change: "true",
        include_24hr_vol: "true",
        include_last_updated_at: "true",
        precision: "full",
      };
      const coins = Object.entries(await get("/simple/price", Coins, { query, signal }));
      const [coin] = coins;
      if (coin === undefined) throw new ProviderFailure("unknown_symbol", "coin is no longer listed");
      if (coins.length > 1 || coin[0] !== id)
        throw new ProviderFailure("malformed", "response about another coin");
      return quoteOf(parseBody(Coin, coin[1]));
    },
  };
}

function quoteOf({ usd: price, last_updated_at: seconds, ...day }: z.infer<typeof Coin>): ProviderQuote {
  if (!isPositive(price) || !isPositive(seconds))
    throw new ProviderFailure("unknown_symbol", "coin has no price");
  const before = price / (1 + (day.usd_24h_change ?? Number.NaN) / 100);
  const volume = (day.usd_24h_vol ?? Number.NaN) / price;
  return {
    price,
    tradedAt: seconds * 1000,
    previousClose: isPositive(before) ? before : null,
    open: null,
    high: null,
    low: null,
    volume: isPositive(volume) ? volume : null,
    volumeScope: "all_venues",
    venue: "COINGECKO",
  };
}

const isPositive = (figure: number | null | undefined): figure is number =>
  typeof figure === "number" && figure > 0 && figure < Infinity;
