import type { PriceProvider } from "../../domain/providers/price-provider.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { barsOf, WITHHELD_MINUTES } from "./bars.ts";
import { type AlpacaSetup, createClient } from "./client.ts";
import { latestOf } from "./quotes.ts";

/** Its bars of all venues begin in 2016. */
const SINCE = 3_650;

/**
 * Alpaca's market data as an account without a subscription has it. A quote is one call: the newest trade on IEX, which
 * sees some three in a hundred shares; its open, high, low, volume and previous close are those of IEX, not the official
 * ones. Bars are those of all venues, adjusted for splits, volumes in shares; the newest 16 minutes are withheld, and
 * not made up from IEX. Rows of the morning and the evening come with them and are left out.
 *
 * Of 200 calls a minute it publishes, 150 are used. Bars take one call for each page of 10,000 rows, and for each
 * 10,000 minutes behind them as others found: four for 500 half hours.
 * @see https://docs.alpaca.markets/docs/about-market-data-api
 */
export function alpaca(setup: AlpacaSetup): PriceProvider {
  const ask = createClient(setup);
  return {
    name: "alpaca",
    serves: new Set(["equity", "etf"]),
    budget: { calls: 150, perMs: 60_000, atOnce: 4 },
    delayMinutes: 0,
    barDelayMinutes: WITHHELD_MINUTES,
    liveWithinMs: 120_000,
    reaches: { "1d": SINCE, "30m": SINCE, "15m": SINCE, "5m": SINCE },
    async latest(instrument, { signal }) {
      return await latestOf(ask, usTicker(instrument), signal);
    },
    async history(instrument, request) {
      const bars = await barsOf(ask, usTicker(instrument), request, setup.now());
      return { bars, adjustment: "split", hours: "regular", volumeScope: "all_venues", venue: "US" };
    },
  };
}
