import type { TideProvider, TradeProvider } from "../../domain/options-flow/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { type UnusualWhalesSetup, unusualWhalesApi } from "./api.ts";
import { Alerts, Ticks, ticksOf, timeOf, tradeOf } from "./flow-wire.ts";

/** Maximum rows of a response. */
const LIMIT = 200;

/**
 * The newest 200 runs of large option trades on one ticker, as Unusual Whales groups them: each with the
 * premium paid at the ask and at the bid, and flags for sweeps and floor trades. One call; of the 120 a
 * minute of the smallest plan, 6 are used.
 * @see https://api.unusualwhales.com/docs, "Flow Alerts"
 */
export function unusualWhalesFlow(setup: UnusualWhalesSetup): TradeProvider {
  const get = unusualWhalesApi(setup);
  return {
    name: "unusualwhales",
    budget: { calls: 6, perMs: 60_000, atOnce: 2 },
    async call({ instrument, from }, { signal }) {
      const ticker = usTicker(instrument);
      const query = { ticker_symbol: ticker, newer_than: new Date(from).toISOString(), limit: LIMIT };
      const { data } = await get("/api/option-trades/flow-alerts", Alerts, { query, signal });
      if (data.some((alert) => alert.ticker !== ticker))
        throw new ProviderFailure("malformed", "response about another ticker");
      const full = data.length >= LIMIT;
      // trades of the last second of a full response may be missing
      const completeFrom = full ? Math.min(...data.map(timeOf)) + 1_000 : Number.NEGATIVE_INFINITY;
      return { trades: data.map(tradeOf), completeFrom };
    },
  };
}

/**
 * Net premium of the market in five-minute steps of the newest session: premium paid at the ask less premium
 * paid at the bid, for calls and for puts. Premium paid between bid and ask is not counted.
 * @see https://api.unusualwhales.com/docs, "Market Tide"
 */
export function unusualWhalesTide(setup: UnusualWhalesSetup): TideProvider {
  const get = unusualWhalesApi(setup);
  return {
    name: "unusualwhales",
    budget: { calls: 2, perMs: 60_000, atOnce: 1 },
    async call(_, { signal }) {
      const query = { interval_5m: "true" };
      return { ticks: ticksOf(await get("/api/market/market-tide", Ticks, { query, signal })) };
    },
  };
}
