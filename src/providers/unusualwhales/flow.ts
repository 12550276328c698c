import type { TideProvider, TradeProvider } from "../../domain/options-flow/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { createClient, type UnusualWhalesSetup } from "./client.ts";
import { Alerts, Ticks, ticksOf, timeOf, tradeOf } from "./flow-wire.ts";

/** Rows of one answer at the most. */
const LIMIT = 200;

/**
 * Runs of large option trades on one ticker as Unusual Whales gathers them from the whole tape, the newest 200: each with
 * what of it was paid at the offer and at the bid, and whether it was swept over several exchanges or agreed on a floor. One
 * call; of the 120 a minute of its smallest plan other questions of ours may use 110.
 * @see https://api.unusualwhales.com/docs, "Flow Alerts"
 */
export function unusualWhalesFlow(setup: UnusualWhalesSetup): TradeProvider {
  const ask = createClient(setup);
  return {
    name: "unusualwhales",
    budget: { calls: 6, perMs: 60_000, atOnce: 2 },
    async call({ instrument, from }, { signal }) {
      const ticker = usTicker(instrument);
      const query = { ticker_symbol: ticker, newer_than: new Date(from).toISOString(), limit: LIMIT };
      const { data } = await ask("/api/option-trades/flow-alerts", Alerts, query, signal);
      if (data.some((alert) => alert.ticker !== ticker))
        throw new ProviderFailure("malformed", "an answer about another ticker");
      const full = data.length >= LIMIT;
      // of the second in which a full answer ends some may be missing
      const completeFrom = full ? Math.min(...data.map(timeOf)) + 1_000 : Number.NEGATIVE_INFINITY;
      return { trades: data.map(tradeOf), completeFrom };
    },
  };
}

/**
 * Net premium of the market by five minutes of the newest session: calls and puts paid at the offer less those paid at the
 * bid; what was paid in the middle is not counted.
 * @see https://api.unusualwhales.com/docs, "Market Tide"
 */
export function unusualWhalesTide(setup: UnusualWhalesSetup): TideProvider {
  const ask = createClient(setup);
  return {
    name: "unusualwhales",
    budget: { calls: 2, perMs: 60_000, atOnce: 1 },
    async call(_, { signal }) {
      const query = { interval_5m: "true" };
      return { ticks: ticksOf(await ask("/api/market/market-tide", Ticks, query, signal)) };
    },
  };
}
