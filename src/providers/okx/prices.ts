import { z } from "zod";
import { type ProviderTimeframe, TIMEFRAME_MS } from "../../domain/market/bars.ts";
import {
  type FailureKind,
  type PriceProvider,
  type ProviderBar,
  type ProviderBarsRequest,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { type ApiGet, createApi } from "../shared/api.ts";
import { candlesOf, exchange, FULL_HISTORY, tokenTicker, tryVenues } from "../shared/exchange.ts";
import { DecimalText, PriceText, PriceTextOrNull } from "../shared/fields.ts";
import type { ProviderSetup } from "../shared/http-client.ts";

/** The exchange of most countries, and that of the United States. */
const VENUES = [
  { baseUrl: "https://www.okx.com", venue: "OKX" },
  { baseUrl: "https://us.okx.com", venue: "OKX_US" },
] as const;
/** Endpoints of bars with their maximum page size: first the newest 1,440 of a timeframe, then older ones. */
const BAR_ENDPOINTS = [
  { path: "/api/v5/market/candles", page: 300 },
  { path: "/api/v5/market/history-candles", page: 100 },
] as const;
/**
 * OKX's names for timeframes. Its default day begins at 16:00 UTC, so the UTC variant is used; shorter bars are aligned
 * to UTC.
 */
const BAR_INTERVALS = {
  "1d": "1Dutc",
  "4h": "4H",
  "1h": "1H",
  "30m": "30m",
  "15m": "15m",
  "5m": "5m",
  "1m": "1m",
} as const satisfies Record<ProviderTimeframe, string>;
/** @see https://www.okx.com/docs-v5/en/#error-code */
const KINDS: Readonly<Record<string, FailureKind>> = {
  "51001": "unknown_symbol",
  "51012": "unknown_symbol",
  "50011": "rate_limited",
  "50061": "rate_limited",
  "50001": "down",
  "50004": "down",
  "50005": "down",
  "50013": "down",
  "50026": "down",
};

/** Code "0" with data, or an error code, with any status. */
const Envelope = z.object({ code: z.string().regex(/^\d{1,6}$/), data: z.unknown() });
const envelope = <T extends z.ZodType>(data: T) => z.object({ code: z.literal("0"), data });
/** A price; empty text and 0 become null. */
const PriceOrEmpty = z.union([z.literal("").transform(() => null), PriceTextOrNull]);
/** Epoch ms written as text. */
const Time = z
  .string()
  .regex(/^[1-9]\d{0,14}$/)
  .transform(Number);
/** A list with only the newest trade. */
const Trades = envelope(z.tuple([z.object({ instId: z.string(), px: PriceText, ts: Time })]));
/** Statistics of the last 24 hours. `ts` is not the time of a trade: it also changes when only the order book does. */
const Tickers = envelope(
  z.tuple([
    z.object({
      instType: z.string(),
      instId: z.string(),
      open24h: PriceOrEmpty.optional(),
      high24h: PriceOrEmpty.optional(),
      low24h: PriceOrEmpty.optional(),
      bidPx: PriceOrEmpty.optional(),
      askPx: PriceOrEmpty.optional(),
      vol24h: z.union([z.literal("").transform(() => null), DecimalText]).optional(),
    }),
  ]),
);
const Candles = envelope(candlesOf(Time));

/**
 * Creates the provider of OKX's spot market: prices of tokens in USDT. What it refuses is requested from its exchange
 * of the United States, which the answer names as its venue. A quote takes two calls; bars take one call per 300 of the
 * newest 1,440, and one per 100 older ones.
 * @see https://www.okx.com/docs-v5/en/#order-book-trading-market-data
 */
export function okx(setup: ProviderSetup): PriceProvider {
  const { quoteFrom, barsFrom } = tryVenues(setup, VENUES, (baseUrl) =>
    createApi({ ...setup, baseUrl }, { baseUrl, keyless: true, accept: [400], refusal }),
  );
  return exchange({
    name: "okx",
    venue: VENUES[0].venue,
    currency: "USDT",
    // the published limit is 20 calls in 2 seconds each for tickers and for older bars
    budget: { calls: 15, perMs: 2_000, atOnce: 4 },
    reaches: FULL_HISTORY,
    maxBars: 3_000,
    pairOf: (instrument) => `${tokenTicker(instrument, ["USDT"])}-USDT`,
    quote: (instId, signal) =>
      quoteFrom(async (get) => {
        const [{ data: trades }, { data: tickers }] = await Promise.all([
          get("/api/v5/market/trades", Trades, { query: { instId, limit: 1 }, signal }),
          get("/api/v5/market/ticker", Tickers, { query: { instId }, signal }),
        ]);
        const [trade] = trades;
        const [ticker] = tickers;
        if (trade.instId !== instId || ticker.instId !== instId || ticker.instType !== "SPOT")
          throw new ProviderFailure("malformed", "response about another pair");
        return {
          price: trade.px,
          tradedAt: trade.ts,
          open: ticker.open24h,
          high: ticker.high24h,
          low: ticker.low24h,
          volume: ticker.vol24h,
          bid: ticker.bidPx,
          ask: ticker.askPx,
        };
      }),
    bars: (instId, request) => barsFrom(async (get) => ({ bars: await readBars(get, instId, request) })),
  });
}

function refusal(body: unknown): FailureKind | null {
  const code = Envelope.safeParse(body).data?.code ?? "0";
  return code === "0" ? null : (KINDS[code] ?? "malformed");
}

/** Reads pages backward from the newest bar. OKX's `after` requests bars before a time. */
async function readBars(
  get: ApiGet,
  instId: string,
  { timeframe, from, until, signal }: ProviderBarsRequest,
): Promise<ProviderBar[]> {
  const length = TIMEFRAME_MS[timeframe];
  const bars: ProviderBar[] = [];
  let after = until + 1;
  for (const { path, page } of BAR_ENDPOINTS)
    while (after > from && (bars.length === 0 || after - length >= from)) {
      const limit = Math.min(page, Math.ceil((after - from) / length) + 1);
      const query = { instId, bar: BAR_INTERVALS[timeframe], after, limit };
      const { data: rows } = await get(path, Candles, { query, signal });
      if (rows.length === 0) break;
      if (rows.some(({ time }) => time >= after))
        throw new ProviderFailure("malformed", "bars outside the requested window");
      bars.push(...rows);
      after = Math.min(...rows.map(({ time }) => time));
    }
  return bars;
}
