import type { TokenRow, UsRow } from "../../domain/market/listing-repository-port.ts";
import type { ListingProvider } from "../../market/symbols/refresh-directory.ts";
import { coingeckoListings } from "../../providers/coingecko/listings.ts";
import { nasdaqtraderListings } from "../../providers/nasdaqtrader/listings.ts";
import type { Config } from "../config.ts";
import type { ProviderName } from "../provider-table.ts";

/** Provider of instrument lists; null if it is switched off. */
export function listersOf(
  config: Config,
  fetch: typeof globalThis.fetch,
): { readonly us: ListingProvider<UsRow> | null; readonly tokens: ListingProvider<TokenRow> | null } {
  const isOff = (name: ProviderName) => config.PROVIDERS_OFF.includes(name);
  const demoKey = config.COINGECKO_KEY;
  return {
    us: isOff("nasdaqtrader")
      ? null
      : nasdaqtraderListings({ fetch, baseUrl: config.PROVIDER_URL_NASDAQTRADER }),
    tokens: isOff("coingecko")
      ? null
      : coingeckoListings({
          fetch,
          baseUrl: config.PROVIDER_URL_COINGECKO,
          ...(demoKey !== undefined && { demoKey }),
        }),
  };
}
