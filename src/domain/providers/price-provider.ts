import type { Adjustment, ProviderTimeframe } from "../market/bars.ts";
import type { CorporateActions } from "../market/corporate-actions.ts";
import type { PriceCurrency } from "../market/currency.ts";
import type { AssetClass, Instrument } from "../market/market.ts";
import type { TradingHours } from "../market/trading-hours.ts";

/** Venues that a provider's volumes cover. Volumes are shares of stocks and funds, or units of a token. */
export type VolumeScope = "all_venues" | "one_venue";

/**
 * Latest trade as one provider returned it, before its freshness is judged. Missing figures are null.
 * Day figures cover the session; on a market that never closes, the last 24 hours.
 */
export interface ProviderQuote {
  /** In `currency`. */
  readonly price: number;
  /** Currency of all prices. Default: USD. */
  readonly currency?: PriceCurrency;
  /** Time at which that price traded, epoch ms; never the time of the request. */
  readonly tradedAt: number;
  /**
   * True if the price is the official close of its session. Default: true for a price of all venues at exactly the time
   * of the session's close.
   */
  readonly officialClose?: boolean;
  /** Close of the session before the one the price belongs to; the price of 24 hours ago on a market without sessions. */
  readonly previousClose: number | null;
  /**
   * Last price of one venue in that session, for a provider without the official close. It is used only to check the
   * provider's own prices. Default: null.
   */
  readonly venuePreviousClose?: number | null;
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  /** Shares, or units of the token. */
  readonly volume: number | null;
  /** Best bid and ask at the venue. Default: null. */
  readonly bid?: number | null;
  readonly ask?: number | null;
  readonly volumeScope: VolumeScope;
  /** Normalized venue: `US`, `IEX`, `BINANCE`. */
  readonly venue: string;
  /** Minutes by which this quote lags the market, if it says so. Default: those of the provider. */
  readonly delayMinutes?: number;
}

/** One unchecked bar of a provider. Bars may come in any order, repeat, or have gaps. */
export interface ProviderBar {
  /** Its start in epoch ms; a daily bar has 00:00 UTC of its session date (a UTC day for crypto). */
  readonly time: number;
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly close: number | null;
  /** Shares, or units of the token. */
  readonly volume: number | null;
}

export interface ProviderBars {
  readonly bars: readonly ProviderBar[];
  readonly adjustment: Adjustment;
  /** Currency of the prices. Default: USD. */
  readonly currency?: PriceCurrency;
  readonly hours: TradingHours;
  readonly volumeScope: VolumeScope;
  readonly venue: string;
  /** Splits and dividends within the bars. Omitted if the provider's bars do not carry them. */
  readonly actions?: CorporateActions;
}

export interface ProviderBarsRequest {
  readonly timeframe: ProviderTimeframe;
  /** Earliest bar start, epoch ms. A provider may return older bars too. */
  readonly from: number;
  /** Latest bar start, epoch ms. */
  readonly until: number;
  /** True includes pre-market and after-hours bars. Only sent to providers with `hasExtendedHours`. Default: false. */
  readonly extendedHours?: boolean;
  readonly signal: AbortSignal;
}

/** Calls allowed in any window of `perMs`, below the provider's published limit. */
export interface Budget {
  readonly calls: number;
  readonly perMs: number;
  /** Maximum concurrent calls. */
  readonly atOnce: number;
}

/**
 * One provider of prices. Calls reject only with `ProviderFailure`, whatever the provider sends; its own text never
 * leaves the adapter.
 */
export interface PriceProvider {
  /** Lower-case name used in responses: `yahoo`. */
  readonly name: string;
  readonly serves: ReadonlySet<AssetClass>;
  readonly budget: Budget;
  /** Minutes by which the provider lags the market; 0 in real time. */
  readonly delayMinutes: number;
  /** Minutes by which its bars lag. Default: `delayMinutes`. */
  readonly barDelayMinutes?: number;
  /** A last trade older than this is not live, ms. */
  readonly liveWithinMs: number;
  /** Currency of its prices, unless a response says otherwise. Default: USD. */
  readonly currency?: PriceCurrency;
  /** True if its daily bars carry splits and dividends. Default: false. */
  readonly hasActions?: boolean;
  /** True if its intraday bars can include pre-market and after-hours trading. Default: false. */
  readonly hasExtendedHours?: boolean;
  /** Bar lengths the provider has, with their history in days (Infinity: unlimited). Empty: no bars. */
  readonly reaches: Readonly<Partial<Record<ProviderTimeframe, number>>>;
  latest?(instrument: Instrument, options: { readonly signal: AbortSignal }): Promise<ProviderQuote>;
  /** Returns the quotes of at most `batchSize` instruments by canonical symbol; unlisted ones are missing. */
  latestOf?(
    instruments: readonly Instrument[],
    options: { readonly signal: AbortSignal },
  ): Promise<ReadonlyMap<string, ProviderQuote>>;
  /** Maximum number of instruments per batch. Default: 1. */
  readonly batchSize?: number;
  history?(instrument: Instrument, request: ProviderBarsRequest): Promise<ProviderBars>;
}

/**
 * Kind of a provider's failure. `unknown_symbol`: it does not list the instrument; `unsupported`: it does not serve
 * this request; `rate_limited`: wait; `auth`: the key is wrong or lacks the permission; `blocked`: an HTML page instead
 * of data, or a refused country; `malformed`: an invalid response, or one about another symbol; `down`: 5xx or no
 * connection; `timeout`: it took too long or the caller cancelled.
 */
export type FailureKind =
  | "unknown_symbol"
  | "unsupported"
  | "rate_limited"
  | "auth"
  | "blocked"
  | "malformed"
  | "down"
  | "timeout";

/** Failure of a provider, in our own words; `cause` is only logged. */
export class ProviderFailure extends Error {
  override readonly name = "ProviderFailure";
  readonly kind: FailureKind;
  /** The provider's Retry-After, ms; null without one. */
  readonly retryAfterMs: number | null;

  constructor(kind: FailureKind, detail: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(detail, { cause: options.cause });
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
