import { z } from "zod";
import { TIMEFRAME_MS } from "../../domain/market/bars.ts";
import type { PriceCurrency } from "../../domain/market/currency.ts";
import type { Instrument } from "../../domain/market/market.ts";
import {
  type FailureKind,
  type PriceProvider,
  type ProviderBar,
  type ProviderBars,
  type ProviderBarsRequest,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { tickerOf } from "../../market/symbols/listings.ts";
import { REFUSALS_AND_OUTAGES, tryAlternates } from "./alternates.ts";
import type { ApiGet } from "./api.ts";
import { DecimalText, EpochMs, PriceTextOrNull } from "./fields.ts";
import type { ProviderSetup } from "./http-client.ts";
import { rowsOf } from "./rows.ts";

const ALL = Number.POSITIVE_INFINITY;
/** All timeframes, with unlimited history. */
export const FULL_HISTORY = {
  "1d": ALL,
  "4h": ALL,
  "1h": ALL,
  "30m": ALL,
  "15m": ALL,
  "5m": ALL,
  "1m": ALL,
} as const;

/** The newest trade of a pair and the statistics of the 24 hours before it. */
export interface ExchangeQuote {
  /** Default: the venue of the exchange. */
  readonly venue?: string;
  /** Currency of the prices. Default: that of the exchange. */
  readonly currency?: PriceCurrency;
  readonly price: number;
  /** Epoch ms. */
  readonly tradedAt: number;
  /** Price 24 hours ago. */
  readonly open?: number | null | undefined;
  readonly high?: number | null | undefined;
  readonly low?: number | null | undefined;
  /** Best bid and ask. */
  readonly bid?: number | null | undefined;
  readonly ask?: number | null | undefined;
  /** Volume of the last 24 hours in units of the token; 0 means that the pair is no longer traded. */
  readonly volume?: number | null | undefined;
}

/** Bars, with the currency of their prices. */
export interface ExchangeBars {
  readonly bars: readonly ProviderBar[];
  /** Default: that of the exchange. */
  readonly currency?: PriceCurrency;
  /** Default: that of the exchange. */
  readonly venue?: string;
}

export interface ExchangeOptions<P> extends Pick<PriceProvider, "name" | "budget" | "reaches" | "currency"> {
  readonly venue: string;
  /** Returns the provider's pair for an instrument. @throws ProviderFailure "unsupported" */
  readonly pairOf: (instrument: Instrument) => P;
  readonly quote: (pair: P, signal: AbortSignal) => Promise<ExchangeQuote>;
  readonly bars: (pair: P, request: ProviderBarsRequest) => Promise<ExchangeBars>;
  /** Maximum number of bars per request. Default: unlimited. */
  readonly maxBars?: number;
}

/**
 * Creates the price provider of a token exchange: real-time quotes, unadjusted bars, and volumes of this exchange in
 * units of the token. The open of a quote is also its previous close, because tokens have no sessions.
 */
export function exchange<P>(options: ExchangeOptions<P>): PriceProvider {
  const { name, venue, budget, reaches, currency = "USD", pairOf, maxBars = ALL } = options;
  return {
    name,
    serves: new Set(["crypto"]),
    budget,
    delayMinutes: 0,
    liveWithinMs: 120_000,
    currency,
    reaches,
    async latest(instrument, { signal }) {
      const quote = await options.quote(pairOf(instrument), signal);
      if (quote.volume === 0) throw new ProviderFailure("unknown_symbol", "pair is no longer traded");
      return {
        price: quote.price,
        currency: quote.currency ?? currency,
        tradedAt: quote.tradedAt,
        previousClose: quote.open ?? null,
        open: quote.open ?? null,
        high: quote.high ?? null,
        low: quote.low ?? null,
        volume: quote.volume ?? null,
        bid: quote.bid ?? null,
        ask: quote.ask ?? null,
        volumeScope: "one_venue",
        venue: quote.venue ?? venue,
      };
    },
    async history(instrument, request) {
      const pair = pairOf(instrument);
      const { timeframe, from, until } = request;
      if (reaches[timeframe] === undefined)
        throw new ProviderFailure("unsupported", "no bars of this length");
      if ((until - from) / TIMEFRAME_MS[timeframe] > maxBars)
        throw new ProviderFailure("unsupported", `more than ${maxBars} bars in one request`);
      const response = await options.bars(pair, request);
      return {
        ...exchangeBars(response.bars, response.venue ?? venue),
        currency: response.currency ?? currency,
      };
    },
  };
}

/** One of the exchanges of a provider, by the base URL of its API. */
interface VenueAt {
  readonly baseUrl: string;
  readonly venue: string;
}

/**
 * Creates functions that request from the first exchange of a provider that does not refuse, and add its venue. Quotes
 * come from another one after any refusal or outage. Bars do so only where the country is refused, so that a stored
 * series is of one exchange. A base URL in the setup replaces all of them.
 */
export function tryVenues(
  { baseUrl }: Pick<ProviderSetup, "baseUrl">,
  venues: readonly [VenueAt, ...VenueAt[]],
  apiAt: (baseUrl: string) => ApiGet,
) {
  const reachable = baseUrl === undefined ? venues : [{ ...venues[0], baseUrl }];
  const from = (on: readonly FailureKind[]) => {
    const tryVenue = tryAlternates<VenueAt>(reachable, on);
    return <T extends object>(run: (get: ApiGet) => Promise<T>): Promise<T & Pick<VenueAt, "venue">> =>
      tryVenue(async ({ baseUrl: at, venue }) => ({ ...(await run(apiAt(at))), venue }));
  };
  return { quoteFrom: from(REFUSALS_AND_OUTAGES), barsFrom: from(["blocked"]) };
}

/** Wraps the unadjusted bars of one exchange. */
export const exchangeBars = (bars: readonly ProviderBar[], venue: string): ProviderBars => ({
  bars,
  adjustment: "raw",
  hours: "regular",
  volumeScope: "one_venue",
  venue,
});

/**
 * Returns the ticker of a token. @throws ProviderFailure "unsupported" for other instruments and for the tickers in
 * `except`
 */
export function tokenTicker(instrument: Instrument, except: readonly string[] = []): string {
  const ticker = tickerOf(instrument);
  if (instrument.asset_class !== "crypto" || except.includes(ticker) || !/^[A-Z0-9]{1,15}$/.test(ticker))
    throw new ProviderFailure("unsupported", "only tokens are supported");
  return ticker;
}

/**
 * Returns the schema that parses candle rows `[start, open, high, low, close, volume in the token]` into bars; further
 * cells are ignored.
 */
export const candlesOf = <T extends z.ZodType<number>>(time: T) =>
  rowsOf(
    z
      .tuple(
        [time, PriceTextOrNull, PriceTextOrNull, PriceTextOrNull, PriceTextOrNull, DecimalText],
        z.unknown(),
      )
      .transform(
        ([start, open, high, low, close, volume]): ProviderBar => ({
          time: start as number,
          open,
          high,
          low,
          close,
          volume,
        }),
      ),
  );
/** Candle rows whose start is in epoch ms. */
export const Candles = candlesOf(EpochMs);
