import { TIMEFRAME_MS } from "../../domain/market/bars.ts";
import {
  type PriceProvider,
  type ProviderBar,
  type ProviderBarsRequest,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { type ApiGet, BAR_INTERVALS, createClient, pairOf } from "./client.ts";
import { barOf, Candles, quoteOf, Tickers, Trades } from "./wire.ts";

/** Where bars are, the newest 1,440 of a length first, with the most rows of one call. */
const BAR_ENDPOINTS = [
  { path: "/api/v5/market/candles", page: 300 },
  { path: "/api/v5/market/history-candles", page: 100 },
] as const;
/** Most bars of one question. */
const MAX_BARS = 3_000;
const ALL = Number.POSITIVE_INFINITY;

/**
 * OKX's spot market as a source of tokens in USDT, which counts as the dollar. A quote takes two calls: the newest
 * trade, and the 24 hours before it, so its `open` and `previousClose` are both the price of 24 hours ago. A pair
 * without a trade in 24 hours is one it no longer trades. Bars take one call for each 300 of the newest 1,440 and
 * one for each 100 before them; volumes are units of the token on OKX alone.
 * @see https://www.okx.com/docs-v5/en/#order-book-trading-market-data
 */
export function okx(setup: ProviderSetup): PriceProvider {
  const ask = createClient(setup);
  return {
    name: "okx",
    serves: new Set(["crypto"]),
    // tickers and older bars: 20 in 2 seconds each
    budget: { calls: 15, perMs: 2_000, atOnce: 4 },
    delayMinutes: 0,
    liveWithinMs: 120_000,
    reaches: { "1d": ALL, "4h": ALL, "1h": ALL, "30m": ALL, "15m": ALL, "5m": ALL },
    async latest(instrument, { signal }) {
      const instId = pairOf(instrument);
      const [[trade], [ticker]] = await Promise.all([
        ask("/api/v5/market/trades", Trades, { instId, limit: 1 }, signal),
        ask("/api/v5/market/ticker", Tickers, { instId }, signal),
      ]);
      if (trade.instId !== instId || ticker.instId !== instId || ticker.instType !== "SPOT")
        throw new ProviderFailure("malformed", "an answer about another pair");
      if (ticker.vol24h === 0) throw new ProviderFailure("unknown_symbol", "it no longer trades the pair");
      return quoteOf(trade, ticker);
    },
    async history(instrument, request) {
      const bars = await barsOf(ask, pairOf(instrument), request);
      return { bars, adjustment: "raw", hours: "regular", volumeScope: "one_venue", venue: "OKX" };
    },
  };
}

/** Pages backwards from the newest bar: `after` asks for bars before a time. */
async function barsOf(
  ask: ApiGet,
  instId: string,
  { timeframe, from, until, signal }: ProviderBarsRequest,
): Promise<ProviderBar[]> {
  const length = TIMEFRAME_MS[timeframe];
  if ((until - from) / length > MAX_BARS)
    throw new ProviderFailure("unsupported", `more than ${MAX_BARS} bars at once`);
  const bars: ProviderBar[] = [];
  let after = until + 1;
  // a bar that starts at `from` or later may still lie before the oldest one held
  for (const { path, page } of BAR_ENDPOINTS)
    while (after > from && (bars.length === 0 || after - length >= from)) {
      const limit = Math.min(page, Math.ceil((after - from) / length) + 1);
      const query = { instId, bar: BAR_INTERVALS[timeframe], after, limit };
      const rows = (await ask(path, Candles, query, signal)).map(barOf);
      if (rows.length === 0) break;
      if (rows.some(({ time }) => time >= after))
        throw new ProviderFailure("malformed", "bars of another time than asked for");
      bars.push(...rows);
      after = Math.min(...rows.map(({ time }) => time));
    }
  return bars;
}
