import { z } from "zod";
import type { TokenRow } from "../../domain/market/listing-repository-port.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { displayText } from "../shared/display-text.ts";
import { rowsOf } from "../shared/rows.ts";
import { type CoingeckoSetup, coingeckoApi } from "./api.ts";

const MAX_COINS = 250;
const MAX_NAME_LENGTH = 80;
const ID = /^[a-z0-9][a-z0-9._-]{0,99}$/;

const Coins = rowsOf(
  z.object({
    id: z.string(),
    symbol: z.string(),
    name: z.string(),
    market_cap_rank: z.int().positive().nullish(),
  }),
);

/**
 * Creates the reader of the 250 largest tokens by market value, largest first. If several tokens share a ticker, only
 * the largest is returned; tickers with characters other than letters and digits are dropped. Rejects only with
 * ProviderFailure; an empty list is "malformed".
 * @see https://docs.coingecko.com/reference/coins-markets
 */
export function coingeckoListings(setup: CoingeckoSetup) {
  const get = coingeckoApi(setup);
  return {
    name: "coingecko",
    async list({ signal }: { readonly signal: AbortSignal }): Promise<readonly TokenRow[]> {
      const query = { vs_currency: "usd", order: "market_cap_desc", per_page: MAX_COINS, page: 1 };
      const coins = await get("/coins/markets", Coins, { query, signal });
      const rows = coins
        .map(({ id, symbol, name, market_cap_rank }, index) => ({
          base: symbol.toUpperCase(),
          name: displayText(name, MAX_NAME_LENGTH),
          id,
          // coins without a rank come last
          rank: market_cap_rank ?? MAX_COINS + index + 1,
        }))
        .filter(({ base, name, id }) => /^[A-Z0-9]{1,15}$/.test(base) && name !== "" && ID.test(id))
        .sort((a, b) => a.rank - b.rank);
      if (rows.length === 0) throw new ProviderFailure("malformed", "a list without tokens");
      const greatest = new Map<string, TokenRow>();
      for (const row of rows) if (!greatest.has(row.base)) greatest.set(row.base, row);
      return [...greatest.values()];
    },
  };
}
