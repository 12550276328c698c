import type { ContractProvider, ContractProviderAnswer } from "../../domain/prediction-markets/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { readMarkets } from "./wire.ts";

const BASE_URL = "https://api.elections.kalshi.com";
/** Series that the search by words knows only a part of: words, and what the documented interface calls them. */
const SERIES: readonly (readonly [RegExp, string])[] = [
  [/\b(bitcoin|btc)\b/i, "KXBTCD"],
  [/\b(ethereum|eth)\b/i, "KXETHD"],
  [/\bfed\b|federal reserve|\bfomc\b/i, "KXFEDDECISION"],
];

/**
 * Kalshi's open markets, of real money, found by words: one call of its search, which it does not document, and one of the documented
 * list where the words belong to a series known here; either is enough. It publishes 20 calls a second to callers with a key and nothing
 * for others, so two a second are used.
 * @see https://docs.kalshi.com/api-reference/market/get-markets
 */
export function kalshiContracts(setup: ProviderSetup & { readonly now: () => number }): ContractProvider {
  const wire = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { accept: "application/json" },
  });
  const read = async (
    path: string,
    query: Readonly<Record<string, string | number>>,
    signal: AbortSignal,
  ): Promise<ContractProviderAnswer> =>
    readMarkets((await wire.json(path, { query, signal })).body, setup.now());
  return {
    name: "kalshi",
    budget: { calls: 120, perMs: 60_000, atOnce: 4 },
    async call(text, { signal }) {
      const series = SERIES.find(([words]) => words.test(text))?.[1];
      const listed = { status: "open", mve_filter: "exclude", limit: 1_000 };
      const [searched, ofSeries] = await Promise.allSettled([
        read("/v1/search/series", { query: text }, signal),
        ...(series === undefined
          ? []
          : [read("/trade-api/v2/markets", { series_ticker: series, ...listed }, signal)]),
      ]);
      const told = [searched!, ofSeries].flatMap((one) => (one?.status === "fulfilled" ? [one.value] : []));
      if (told.length === 0)
        throw searched!.status === "rejected" ? searched!.reason : new ProviderFailure("down", "no answer");
      // what the documented list says of a market stands in the place of what the search says
      const contracts = new Map(told.flatMap((one) => one.contracts).map((one) => [one.id, one] as const));
      return {
        contracts: [...contracts.values()],
        dropped: told.reduce((all, { dropped }) => all + dropped, 0),
      };
    },
  };
}
