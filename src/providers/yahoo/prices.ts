import { type PriceProvider, ProviderFailure } from "../../domain/providers/price-provider.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { barsOf } from "./bars.ts";
import { chartApi } from "./client.ts";
import { chartFor, stockQuoteOf, tokenQuoteOf } from "./quotes.ts";

/**
 * Yahoo's chart: US stocks, funds and tokens in dollars, one call each. Prices are adjusted for splits, not
 * for dividends; volumes are shares, and those of tokens are converted from dollars to units. A token whose
 * name there is not certain is unsupported. No limit is published. Undocumented; behaviour as recorded from
 * 2020 to 2026.
 */
export function yahoo(setup: ProviderSetup): PriceProvider {
  const fetchChart = chartApi(setup);
  return {
    name: "yahoo",
    serves: new Set(["equity", "etf", "crypto"]),
    budget: { calls: 60, perMs: 60_000, atOnce: 4 },
    delayMinutes: 0,
    liveWithinMs: 120_000,
    // Yahoo's limits are 730 and 60 days
    reaches: { "1d": Number.POSITIVE_INFINITY, "1h": 729, "30m": 59, "15m": 59, "5m": 59 },
    async latest(instrument, { signal }) {
      const { asset_class } = instrument;
      const chart = await fetchChart(instrument, chartFor(asset_class), signal);
      if (chart === null) throw new ProviderFailure("unknown_symbol", "no price");
      return asset_class === "crypto" ? tokenQuoteOf(chart) : stockQuoteOf(chart);
    },
    async history(instrument, request) {
      const bars = await barsOf(fetchChart, instrument, request);
      const crypto = instrument.asset_class === "crypto";
      return {
        bars,
        adjustment: crypto ? "raw" : "split",
        hours: "regular",
        volumeScope: "all_venues",
        venue: crypto ? "YAHOO" : "US",
      };
    },
  };
}
