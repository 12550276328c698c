import { z } from "zod";
import { TIMEFRAME_MS } from "../../domain/market/bars.ts";
import {
  type FailureKind,
  type PriceProvider,
  type ProviderBar,
  type ProviderBarsRequest,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { type ApiGet, createApi } from "../shared/api.ts";
import { Candles, exchange, FULL_HISTORY, tokenTicker, tryVenues } from "../shared/exchange.ts";
import { DecimalText, EpochMs, PriceText, PriceTextOrNull } from "../shared/fields.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { pageSize } from "../shared/rows.ts";

/** The host that serves only market data, without a key, and the exchange of the United States. */
const VENUES = [
  { baseUrl: "https://data-api.binance.vision", venue: "BINANCE" },
  { baseUrl: "https://api.binance.us", venue: "BINANCE_US" },
] as const;
const PAGE_SIZE = 1000;
const MAX_PAGES = 10;

const Refusal = z.object({ code: z.int().negative() });
/** A list with only the newest trade. The trade does not name its pair. */
const Trades = z.tuple([z.object({ p: PriceText, T: EpochMs })]);
/** Statistics of the last 24 hours. `closeTime` is the time of their computation, not of a trade. */
const Day = z.object({
  symbol: z.string(),
  openPrice: PriceTextOrNull.optional(),
  highPrice: PriceTextOrNull.optional(),
  lowPrice: PriceTextOrNull.optional(),
  volume: DecimalText.optional(),
  bidPrice: PriceTextOrNull.optional(),
  askPrice: PriceTextOrNull.optional(),
});

/**
 * Creates the provider of Binance's spot market: prices of tokens in USDT. What it refuses is requested from
 * Binance.US, an exchange with trades of its own, which the answer names as its venue. A quote takes two calls, bars
 * one call per 1,000.
 * @see https://developers.binance.com/docs/binance-spot-api-docs/rest-api/market-data-endpoints
 */
export function binance(setup: ProviderSetup): PriceProvider {
  const { quoteFrom, barsFrom } = tryVenues(setup, VENUES, (baseUrl) =>
    createApi({ ...setup, baseUrl }, { baseUrl, keyless: true, accept: [400], refusal }),
  );
  return exchange({
    name: "binance",
    venue: VENUES[0].venue,
    currency: "USDT",
    // the most expensive call weighs 4 of 6,000 a minute
    budget: { calls: 600, perMs: 60_000, atOnce: 8 },
    reaches: FULL_HISTORY,
    maxBars: PAGE_SIZE * MAX_PAGES,
    pairOf: (instrument) => `${tokenTicker(instrument, ["USDT"])}USDT`,
    quote: (symbol, signal) =>
      quoteFrom(async (get) => {
        const [[trade], day] = await Promise.all([
          get("/api/v3/aggTrades", Trades, { query: { symbol, limit: 1 }, signal }),
          get("/api/v3/ticker/24hr", Day, { query: { symbol }, signal }),
        ]);
        if (day.symbol !== symbol) throw new ProviderFailure("malformed", "response about another pair");
        return {
          price: trade.p,
          tradedAt: trade.T,
          open: day.openPrice,
          high: day.highPrice,
          low: day.lowPrice,
          volume: day.volume,
          bid: day.bidPrice,
          ask: day.askPrice,
        };
      }),
    bars: (symbol, request) => barsFrom(async (get) => ({ bars: await readBars(get, symbol, request) })),
  });
}

/**
 * Returns the kind of failure. Codes -1000 to -1008 concern the network and the server, -1100 and -1121 the name of a
 * pair.
 */
function refusal(body: unknown): FailureKind | null {
  const code = Refusal.safeParse(body).data?.code;
  if (code === undefined) return null;
  if (code === -1121 || code === -1100) return "unknown_symbol";
  if (code === -1003) return "rate_limited";
  return code <= -1000 && code >= -1008 ? "down" : "malformed";
}

/** Reads pages forward from the oldest bar. */
async function readBars(
  get: ApiGet,
  symbol: string,
  { timeframe, from, until, signal }: ProviderBarsRequest,
): Promise<ProviderBar[]> {
  const bars: ProviderBar[] = [];
  for (let startTime = Math.max(0, from); startTime <= until; ) {
    const query = { symbol, interval: timeframe, startTime, endTime: until, limit: PAGE_SIZE };
    const page = await get("/api/v3/klines", Candles, { query, signal });
    if (page.some(({ time }) => time < startTime || time > until))
      throw new ProviderFailure("malformed", "bars outside the requested window");
    bars.push(...page);
    if (pageSize(page) < PAGE_SIZE) break;
    startTime = Math.max(...page.map(({ time }) => time)) + TIMEFRAME_MS[timeframe];
  }
  return bars;
}
