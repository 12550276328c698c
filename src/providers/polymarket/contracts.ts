import { z } from "zod";
import type { ContractProvider } from "../../domain/prediction-markets/provider.ts";
import { createApi } from "../shared/api.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { readMarkets } from "./wire.ts";

const EVENTS = 10;

/**
 * Polymarket's open markets in real money, found by words, one call each: ten events with all their markets, also settled and
 * only similar ones. Of the published 350 searches in ten seconds, 100 are used.
 * @see https://docs.polymarket.com/api-reference/rate-limits
 */
export function polymarketContracts(setup: ProviderSetup): ContractProvider {
  const get = createApi(setup, { baseUrl: "https://gamma-api.polymarket.com" });
  return {
    name: "polymarket",
    budget: { calls: 100, perMs: 10_000, atOnce: 6 },
    async call(text, { signal }) {
      // other filters are accepted and ignored
      const query = { q: text, limit_per_type: EVENTS, events_status: "active" };
      return readMarkets(await get("/public-search", z.looseObject({}), { query, signal }));
    },
  };
}
