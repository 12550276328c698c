import { TIMEFRAME_MS } from "../../domain/market/bars.ts";
import {
  type PriceProvider,
  type ProviderBar,
  type ProviderBarsRequest,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { type ApiGet, createClient, pairOf } from "./client.ts";
import { barOf, Day, Klines, quoteOf, Trades } from "./wire.ts";

/** Most rows of one call. */
const PAGE_SIZE = 1000;
/** Most calls of one question. */
const MAX_PAGES = 10;
const ALL = Number.POSITIVE_INFINITY;

/**
 * Binance's spot market as a source of tokens in USDT, which counts as the dollar. A quote takes two calls: the
 * newest trade, and the 24 hours before it, so its `open` and `previousClose` are both the price of 24 hours ago. A
 * pair without a trade in 24 hours is one it no longer trades. Bars take one call for each 1,000; volumes are units
 * of the token on Binance alone.
 * @see https://developers.binance.com/docs/binance-spot-api-docs/rest-api/market-data-endpoints
 */
export function binance(setup: ProviderSetup): PriceProvider {
  const ask = createClient(setup);
  return {
    name: "binance",
    serves: new Set(["crypto"]),
    // the dearest call weighs 4 of 6,000 a minute
    budget: { calls: 600, perMs: 60_000, atOnce: 8 },
    delayMinutes: 0,
    liveWithinMs: 120_000,
    reaches: { "1d": ALL, "4h": ALL, "1h": ALL, "30m": ALL, "15m": ALL, "5m": ALL },
    async latest(instrument, { signal }) {
      const symbol = pairOf(instrument);
      const [trades, day] = await Promise.all([
        ask("/api/v3/aggTrades", Trades, { symbol, limit: 1 }, signal),
        ask("/api/v3/ticker/24hr", Day, { symbol }, signal),
      ]);
      if (day.symbol !== symbol) throw new ProviderFailure("malformed", "an answer about another pair");
      if (day.volume === 0) throw new ProviderFailure("unknown_symbol", "it no longer trades the pair");
      return quoteOf(trades, day);
    },
    async history(instrument, request) {
      const bars = await barsOf(ask, pairOf(instrument), request);
      return { bars, adjustment: "raw", hours: "regular", volumeScope: "one_venue", venue: "BINANCE" };
    },
  };
}

/** Pages forward from the oldest bar. */
async function barsOf(
  ask: ApiGet,
  symbol: string,
  { timeframe, from, until, signal }: ProviderBarsRequest,
): Promise<ProviderBar[]> {
  const length = TIMEFRAME_MS[timeframe];
  if ((until - from) / length > PAGE_SIZE * MAX_PAGES)
    throw new ProviderFailure("unsupported", `more than ${PAGE_SIZE * MAX_PAGES} bars at once`);
  const bars: ProviderBar[] = [];
  for (let startTime = Math.max(0, from); startTime <= until; ) {
    const query = { symbol, interval: timeframe, startTime, endTime: until, limit: PAGE_SIZE };
    const page = (await ask("/api/v3/klines", Klines, query, signal)).map(barOf);
    if (page.some(({ time }) => time < startTime || time > until))
      throw new ProviderFailure("malformed", "bars of another time than asked for");
    bars.push(...page);
    if (page.length < PAGE_SIZE) break;
    startTime = Math.max(...page.map(({ time }) => time)) + length;
  }
  return bars;
}
