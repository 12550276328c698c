import { z } from "zod";
import type { ContractProvider, ContractProviderAnswer } from "../../domain/prediction-markets/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { type ApiRequest, createApi } from "../shared/api.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { readMarkets } from "./wire.ts";

/**
 * Series that the search returns incompletely: a pattern of the words, and the series ticker in the
 * documented API.
 */
const SERIES: readonly (readonly [RegExp, string])[] = [
  [/\b(bitcoin|btc)\b/i, "KXBTCD"],
  [/\b(ethereum|eth)\b/i, "KXETHD"],
  [/\bfed\b|federal reserve|\bfomc\b/i, "KXFEDDECISION"],
];

/**
 * Kalshi's open markets in real money, found by words: one call of its undocumented search, and one of the
 * documented list if the words belong to a series known here; either is enough. It publishes 20 calls a
 * second for callers with a key and nothing for others; two a second are used.
 * @see https://docs.kalshi.com/api-reference/market/get-markets
 */
export function kalshiContracts(setup: ProviderSetup & { readonly now: () => number }): ContractProvider {
  const get = createApi(setup, { baseUrl: "https://api.elections.kalshi.com" });
  const read = async (path: string, request: ApiRequest): Promise<ContractProviderAnswer> =>
    readMarkets(await get(path, z.unknown(), request), setup.now());
  return {
    name: "kalshi",
    budget: { calls: 120, perMs: 60_000, atOnce: 4 },
    async call(text, { signal }) {
      const series = SERIES.find(([words]) => words.test(text))?.[1];
      const open = { status: "open", mve_filter: "exclude", limit: 1_000 };
      const [searched, ofSeries] = await Promise.allSettled([
        read("/v1/search/series", { query: { query: text }, signal }),
        ...(series === undefined
          ? []
          : [read("/trade-api/v2/markets", { query: { series_ticker: series, ...open }, signal })]),
      ]);
      const results = [searched!, ofSeries].flatMap((result) =>
        result?.status === "fulfilled" ? [result.value] : [],
      );
      if (results.length === 0)
        throw searched!.status === "rejected" ? searched!.reason : new ProviderFailure("down", "no response");
      // the documented list replaces the search's version of a market
      const contracts = new Map(results.flatMap((result) => result.contracts).map((row) => [row.id, row]));
      return {
        contracts: [...contracts.values()],
        dropped: results.reduce((sum, { dropped }) => sum + dropped, 0),
      };
    },
  };
}
