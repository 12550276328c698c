import type { PriceVolumeProvider } from "../../domain/off-exchange/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { createClient, type UnusualWhalesSetup } from "./client.ts";
import { PriceLevels } from "./print-wire.ts";

/** Volume of a session by rounded price, off exchange and on it, in one call. */
export function unusualWhalesPrices(setup: UnusualWhalesSetup): PriceVolumeProvider {
  const ask = createClient(setup);
  return {
    name: "unusualwhales",
    budget: { calls: 20, perMs: 60_000, atOnce: 2 },
    async call({ instrument, date }, { signal }) {
      const path = `/api/darkpool/${usTicker(instrument)}/price-levels`;
      const { data, date: of } = await ask(path, PriceLevels, { date }, signal);
      if (of !== date) throw new ProviderFailure("malformed", "an answer of another date");
      const prices = data
        .map((level) => ({
          price: level.price,
          offExchange: level.dark_pool_volume,
          onExchange: level.regular_volume,
        }))
        .sort((a, b) => b.price - a.price);
      return { prices };
    },
  };
}
