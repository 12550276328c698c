import type { TokenRow, UsRow } from "../../domain/market/listing-repository-port.ts";
import type { ListingProvider } from "../../market/symbols/refresh-directory.ts";
import { coingeckoListings } from "../../providers/coingecko/listings.ts";
import { nasdaqtraderListings } from "../../providers/nasdaqtrader/listings.ts";
import type { Config } from "../config.ts";

/** Providers of instrument lists; null if switched off. */
export function listersOf(
  config: Config,
  fetch: typeof globalThis.fetch,
): { readonly us: ListingProvider<UsRow> | null; readonly tokens: ListingProvider<TokenRow> | null } {
  const { PROVIDERS_OFF, PROVIDER_URL_NASDAQTRADER, PROVIDER_URL_COINGECKO, COINGECKO_KEY: demoKey } = config;
  return {
    us: PROVIDERS_OFF.includes("nasdaqtrader")
      ? null
      : nasdaqtraderListings({ fetch, baseUrl: PROVIDER_URL_NASDAQTRADER }),
    tokens: PROVIDERS_OFF.includes("coingecko")
      ? null
      : coingeckoListings({ fetch, baseUrl: PROVIDER_URL_COINGECKO, demoKey }),
  };
}
