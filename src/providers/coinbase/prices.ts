import { z } from "zod";
import { TIMEFRAME_MS } from "../../domain/market/bars.ts";
import {
  type PriceProvider,
  type ProviderBar,
  type ProviderBarsRequest,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { type ApiGet, createApi } from "../shared/api.ts";
import { exchange, tokenTicker } from "../shared/exchange.ts";
import { DecimalText, EpochSeconds, PriceText, PriceTextOrNull } from "../shared/fields.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { rowsOf } from "../shared/rows.ts";

const BASE_URL = "https://api.exchange.coinbase.com";
/** Maximum rows of a call, including both ends. Coinbase rejects calls for more. */
const PAGE_SIZE = 300;
const MAX_PAGES = 10;
const MAX_CONCURRENT_PAGES = 2;
const ALL = Number.POSITIVE_INFINITY;
/** Tokens that Coinbase lists under another ticker. */
export const PROVIDER_TICKERS: ReadonlyMap<string, string> = new Map([["CELO", "CGLD"]]);

const Refusal = z.object({ message: z.string().regex(/^not ?found$/i) });
/** The newest trade, with its time in nanosecond precision. It does not name its product. */
const Ticker = z.object({
  price: PriceText,
  bid: PriceTextOrNull.optional(),
  ask: PriceTextOrNull.optional(),
  time: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/)
    .transform((text) => Date.parse(text))
    .refine((time) => time > 0),
});
/** Statistics of the last 24 hours. */
const Stats = z.object({
  open: PriceTextOrNull.optional(),
  high: PriceTextOrNull.optional(),
  low: PriceTextOrNull.optional(),
  volume: DecimalText.optional(),
});
/** A price; 0 becomes null. */
const CandlePrice = z
  .number()
  .nonnegative()
  .nullable()
  .transform((price) => (price === 0 ? null : price));
/** Start in seconds, LOW, HIGH, open, close and volume of the base. */
const Candles = rowsOf(
  z
    .tuple(
      [EpochSeconds, CandlePrice, CandlePrice, CandlePrice, CandlePrice, z.number().nonnegative()],
      z.unknown(),
    )
    .transform(
      ([time, low, high, open, close, volume]): ProviderBar => ({ time, open, high, low, close, volume }),
    ),
);

/**
 * Creates the provider of Coinbase Exchange: prices of tokens in US dollars. A quote takes two calls, bars one call per
 * 300.
 * @see https://docs.cdp.coinbase.com/exchange/reference
 */
export function coinbase(setup: ProviderSetup): PriceProvider {
  const get = createApi(setup, {
    baseUrl: BASE_URL,
    keyless: true,
    // Coinbase rejects requests without a user agent
    headers: { "user-agent": "market-signal" },
    accept: [404],
    refusal: (body, status) => (status === 404 && Refusal.safeParse(body).success ? "unknown_symbol" : null),
  });
  return exchange({
    name: "coinbase",
    venue: "COINBASE",
    // the published limit is 10 calls a second per IP address without a key
    budget: { calls: 8, perMs: 1_000, atOnce: 4 },
    // Coinbase has no other lengths between an hour and a day than six hours
    reaches: { "1d": ALL, "1h": ALL, "15m": ALL, "5m": ALL, "1m": ALL },
    maxBars: PAGE_SIZE * MAX_PAGES,
    pairOf(instrument) {
      const ticker = tokenTicker(instrument, ["USD", ...PROVIDER_TICKERS.values()]);
      return `/products/${PROVIDER_TICKERS.get(ticker) ?? ticker}-USD`;
    },
    async quote(product, signal) {
      const [{ price, time, bid, ask }, stats] = await Promise.all([
        get(`${product}/ticker`, Ticker, { signal }),
        get(`${product}/stats`, Stats, { signal }),
      ]);
      return { ...stats, price, tradedAt: time, bid, ask };
    },
    bars: async (product, request) => ({ bars: await readBars(get, product, request) }),
  });
}

/** A page of bars: start times of the first and the last bar, epoch ms. */
interface Page {
  readonly start: number;
  readonly end: number;
}

/** Reads all pages of a window. An empty page does not end the read, because intervals without a trade have no bar. */
async function readBars(get: ApiGet, product: string, request: ProviderBarsRequest): Promise<ProviderBar[]> {
  const { timeframe, signal } = request;
  const granularity = TIMEFRAME_MS[timeframe] / 1000;
  const readPage = async ({ start, end }: Page) => {
    const query = { granularity, start: new Date(start).toISOString(), end: new Date(end).toISOString() };
    const rows = await get(`${product}/candles`, Candles, { query, signal });
    // according to the documentation bars may precede the start, but not follow the end
    if (rows.some(({ time }) => time > end))
      throw new ProviderFailure("malformed", "bars outside the requested window");
    return rows.filter(({ time }) => time >= start);
  };
  const pages = pagesOf(request);
  const bars: ProviderBar[] = [];
  for (let i = 0; i < pages.length; i += MAX_CONCURRENT_PAGES) {
    const rows = await Promise.all(pages.slice(i, i + MAX_CONCURRENT_PAGES).map(readPage));
    bars.push(...rows.flat());
  }
  return bars;
}

/** Returns the pages of a window, newest first. */
function pagesOf({ timeframe, from, until }: ProviderBarsRequest): readonly Page[] {
  const length = TIMEFRAME_MS[timeframe];
  const first = Math.ceil(Math.max(0, from) / length) * length;
  const pages: Page[] = [];
  for (let end = Math.floor(until / length) * length; end >= first; end -= PAGE_SIZE * length)
    pages.push({ start: Math.max(first, end - (PAGE_SIZE - 1) * length), end });
  return pages;
}
