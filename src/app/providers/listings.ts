import type { TokenRow, UsRow } from "../../domain/market/listing-repository-port.ts";
import type { ListingProvider } from "../../market/symbols/refresh-directory.ts";
import { coingeckoListings } from "../../providers/coingecko/listings.ts";
import { nasdaqtraderListings } from "../../providers/nasdaqtrader/listings.ts";
import type { Config } from "../config.ts";
import { offSettingOf } from "./switched-off.ts";

/** Providers of instrument lists; null if switched off. */
export function listersOf(
  config: Config,
  fetch: typeof globalThis.fetch,
): { readonly us: ListingProvider<UsRow> | null; readonly tokens: ListingProvider<TokenRow> | null } {
  const { PROVIDER_URL_NASDAQTRADER, PROVIDER_URL_COINGECKO, COINGECKO_KEY: demoKey } = config;
  return {
    us:
      offSettingOf("nasdaqtrader", config) === null
        ? nasdaqtraderListings({ fetch, baseUrl: PROVIDER_URL_NASDAQTRADER })
        : null,
    tokens:
      offSettingOf("coingecko", config) === null
        ? coingeckoListings({ fetch, baseUrl: PROVIDER_URL_COINGECKO, demoKey })
        : null,
  };
}
