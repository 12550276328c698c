import type { ContractProvider } from "../../domain/prediction-markets/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { readMarkets } from "./wire.ts";

const BASE_URL = "https://gamma-api.polymarket.com";
const EVENTS = 10;

/**
 * Polymarket's open markets, of real money, found by words: one call each, ten events with all their markets. Of 350 searches in ten
 * seconds it publishes, 100 are used. Its search finds look-alikes, and of an event's markets those that are settled come too.
 * @see https://docs.polymarket.com/api-reference/rate-limits
 */
export function polymarketContracts(setup: ProviderSetup): ContractProvider {
  const wire = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { accept: "application/json" },
  });
  return {
    name: "polymarket",
    budget: { calls: 100, perMs: 10_000, atOnce: 6 },
    async call(text, { signal }) {
      // any other filter is accepted and ignored
      const query = { q: text, limit_per_type: EVENTS, events_status: "active" };
      const { body } = await wire.json("/public-search", { query, signal });
      if (Array.isArray(body)) throw new ProviderFailure("malformed", "another answer than documented");
      return readMarkets(body);
    },
  };
}
