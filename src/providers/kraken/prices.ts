import { TIMEFRAME_MS, TIMEFRAMES } from "../../domain/market/bars.ts";
import {
  type PriceProvider,
  type ProviderBar,
  type ProviderBarsRequest,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { type ApiGet, createClient, type Pair, pairOf } from "./client.ts";
import { barOf, Candles, Day, quoteOf, Trades } from "./wire.ts";

/** Bars it has of each length, whatever it is asked for. */
const MAX_BARS = 720;
/** The one in the making among them, and one that may close on the way. */
const SPARE = 2;
const DAY_MS = TIMEFRAME_MS["1d"];

/**
 * Kraken's spot market as a source of tokens in US dollars. A quote takes two calls: the newest trade, and the 24
 * hours before it; the price of 24 hours ago it does not tell, so `open` and `previousClose` are null. A pair without a
 * trade in 24 hours is one it no longer trades. Bars take one call and are the newest 720 of their length; volumes are units of the token on Kraken alone.
 * @see https://docs.kraken.com/api/docs/rest-api/get-ohlc-data
 */
export function kraken(setup: ProviderSetup): PriceProvider {
  const ask = createClient(setup);
  return {
    name: "kraken",
    serves: new Set(["crypto"]),
    // one a second goes on for ever, as measured by others; thirty at once do not
    budget: { calls: 50, perMs: 60_000, atOnce: 2 },
    delayMinutes: 0,
    liveWithinMs: 120_000,
    reaches: Object.fromEntries(
      TIMEFRAMES.map((length) => [length, ((MAX_BARS - SPARE) * TIMEFRAME_MS[length]) / DAY_MS]),
    ),
    async latest(instrument, { signal }) {
      const pair = pairOf(instrument);
      const [trades, day] = await Promise.all([
        ask("/Trades", Trades, { pair, signal, query: { count: 1 } }),
        ask("/Ticker", Day, { pair, signal }),
      ]);
      const newest = [...trades].sort((a, b) => b[2] - a[2])[0];
      if (newest === undefined || day.v?.[1] === 0)
        throw new ProviderFailure("unknown_symbol", "it no longer trades the pair");
      return quoteOf(newest, day);
    },
    async history(instrument, request) {
      const bars = await barsOf(ask, pairOf(instrument), request);
      return { bars, adjustment: "raw", hours: "regular", volumeScope: "one_venue", venue: "KRAKEN" };
    },
  };
}

async function barsOf(
  ask: ApiGet,
  pair: Pair,
  { timeframe, from, until, signal }: ProviderBarsRequest,
): Promise<ProviderBar[]> {
  // whether `since` counts itself is not said
  const query = {
    interval: TIMEFRAME_MS[timeframe] / 60_000,
    since: Math.max(0, Math.ceil(from / 1000) - 1),
  };
  const bars = (await ask("/OHLC", Candles, { pair, signal, query })).map(barOf);
  if (bars.length >= MAX_BARS && Math.min(...bars.map(({ time }) => time)) > from)
    throw new ProviderFailure("unsupported", `further back than ${MAX_BARS} bars`);
  return bars.filter(({ time }) => time <= until);
}
