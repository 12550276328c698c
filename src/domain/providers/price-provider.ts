import type { Adjustment, Timeframe } from "../market/bars.ts";
import type { AssetClass, Instrument } from "../market/market.ts";
import type { TradingHours } from "../market/trading-hours.ts";

/** What a source's volumes count: shares of stocks and funds, units of a token; on all venues, or on its own alone. */
export type VolumeScope = "all_venues" | "one_venue";

/**
 * What one source said of the latest trade, before anybody judged how live it is. Anything it does not say is null.
 * The figures of the day are those of the session; of a market that never closes, of the 24 hours until now.
 */
export interface ProviderQuote {
  /** US dollars. */
  readonly price: number;
  /** When that price traded, epoch ms: never when the question was asked. */
  readonly tradedAt: number;
  /** Close of the session before the one the price belongs to; the price of 24 hours ago where there are no sessions. */
  readonly previousClose: number | null;
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  /** Shares, or units of the token. */
  readonly volume: number | null;
  readonly volumeScope: VolumeScope;
  /** Where it trades, in our words: `US`, `IEX`, `BINANCE`. */
  readonly venue: string;
}

/** One bar as a source gave it: in any order, perhaps twice, perhaps with holes. Nothing is checked yet. */
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
  /** Whether bars hold trades before and after the regular session too. */
  readonly hours: TradingHours;
  readonly volumeScope: VolumeScope;
  readonly venue: string;
}

export interface ProviderBarsRequest {
  readonly timeframe: Timeframe;
  /** Bars that start from here on, epoch ms. A source may give older ones too. */
  readonly from: number;
  /** Nothing that starts later, epoch ms. */
  readonly until: number;
  readonly signal: AbortSignal;
}

/** Calls allowed in any window of `perMs`, below what the vendor publishes. */
export interface Budget {
  readonly calls: number;
  readonly perMs: number;
  /** Calls that may be under way together. */
  readonly atOnce: number;
}

/**
 * One vendor as a source of prices. Calls reject with `ProviderFailure` and with nothing else, whatever the vendor
 * sends; vendor text stays inside.
 */
export interface PriceProvider {
  /** In lower case, as answers name it: `yahoo`. */
  readonly name: string;
  readonly serves: ReadonlySet<AssetClass>;
  readonly budget: Budget;
  /** Minutes by which the source lags the market; 0 in real time. */
  readonly delayMinutes: number;
  /** Minutes by which its bars lag, where that is more than its quotes do. */
  readonly barDelayMinutes?: number;
  /** A last trade older than this is not live, ms. */
  readonly liveWithinMs: number;
  /** Bar lengths the vendor itself has, with how far back it reaches in days (Infinity for all of it). Empty where it gives none. */
  readonly reaches: Readonly<Partial<Record<Timeframe, number>>>;
  latest?(instrument: Instrument, options: { readonly signal: AbortSignal }): Promise<ProviderQuote>;
  history?(instrument: Instrument, request: ProviderBarsRequest): Promise<ProviderBars>;
}

/**
 * Why a source gave no answer. `unknown_symbol`: it does not list the instrument; `unsupported`: it does not serve
 * this question; `rate_limited`: wait; `auth`: the key is wrong or lacks the right; `blocked`: a page instead of
 * data, or a country it refuses; `malformed`: an answer that cannot be believed, another symbol's too; `down`: 5xx or
 * no connection; `timeout`: it took too long or the caller left.
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

/** A source's failure in our words; `cause` is for the log alone. */
export class ProviderFailure extends Error {
  override readonly name = "ProviderFailure";
  readonly kind: FailureKind;
  /** How long the source asked to be left alone, ms. */
  readonly retryAfterMs: number | null;

  constructor(kind: FailureKind, detail: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(detail, { cause: options.cause });
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
