import { type PriceProvider, ProviderFailure } from "../../domain/providers/price-provider.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { barsOf } from "./bars.ts";
import { createClient } from "./client.ts";
import { chartFor, stockQuoteOf, tokenQuoteOf } from "./quotes.ts";

/**
 * Yahoo's chart as a source of US stocks, funds and of tokens in dollars, one call a question. Prices are adjusted for
 * splits and not for dividends; volumes are shares, and of tokens its turnover in dollars turned into units. It
 * publishes no limits: the budget is ours. A token whose name there is not known for sure is not asked for.
 * Undocumented; behaviour as recorded from 2020 to 2026.
 */
export function yahoo(setup: ProviderSetup): PriceProvider {
  const ask = createClient(setup);
  return {
    name: "yahoo",
    serves: new Set(["equity", "etf", "crypto"]),
    budget: { calls: 60, perMs: 60_000, atOnce: 4 },
    delayMinutes: 0,
    liveWithinMs: 120_000,
    // its own limits are 730 and 60 days, and one second more is refused
    reaches: { "1d": Number.POSITIVE_INFINITY, "1h": 729, "30m": 59, "15m": 59, "5m": 59 },
    async latest(instrument, { signal }) {
      const { asset_class } = instrument;
      const chart = await ask(instrument, chartFor(asset_class), signal);
      if (chart === null) throw new ProviderFailure("unknown_symbol", "it knows no price");
      return asset_class === "crypto" ? tokenQuoteOf(chart) : stockQuoteOf(chart);
    },
    async history(instrument, request) {
      const bars = await barsOf(ask, instrument, request);
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
