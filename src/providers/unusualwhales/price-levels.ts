import { z } from "zod";
import type { PriceVolumeProvider } from "../../domain/off-exchange/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { Figure, PositiveFigure } from "../shared/fields.ts";
import { rowsOf } from "../shared/rows.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { type UnusualWhalesSetup, unusualWhalesApi } from "./api.ts";

const PriceLevels = z.object({
  data: rowsOf(
    z.object({
      price: PositiveFigure,
      dark_pool_volume: Figure.refine((value) => value >= 0),
      regular_volume: Figure.refine((value) => value >= 0),
    }),
  ),
  date: z.string(),
});

/** Creates the provider of a session's volume by rounded price, off exchange and on exchange, in one call. */
export function unusualWhalesPrices(setup: UnusualWhalesSetup): PriceVolumeProvider {
  const get = unusualWhalesApi(setup);
  return {
    name: "unusualwhales",
    budget: { calls: 20, perMs: 60_000, atOnce: 2 },
    async call({ instrument, date }, { signal }) {
      const path = `/api/darkpool/${usTicker(instrument)}/price-levels`;
      const levels = await get(path, PriceLevels, { query: { date }, signal });
      if (levels.date !== date) throw new ProviderFailure("malformed", "response of another date");
      const prices = levels.data
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
