import type { ProviderQuote } from "../providers/price-provider.ts";
import type { Adjustment, Bar, BarTimeframe } from "./bars.ts";
import type { CorporateActions } from "./corporate-actions.ts";
import type { PriceCurrency } from "./currency.ts";
import type { OmittedRow } from "./omitted-rows.ts";
import type { Conversion } from "./provenance.ts";

export interface CachedOrigin {
  readonly source: string;
  readonly venue: string;
  readonly volumeScope: "all_venues" | "one_venue";
  /** Epoch ms. */
  readonly fetchedAt: number;
}

export interface CachedQuote extends CachedOrigin, ProviderQuote {
  readonly officialClose: boolean;
  readonly currency: PriceCurrency;
  /** Conversion to dollars of the figures; null if they were in dollars, or are not converted. */
  readonly converted: Conversion | null;
  readonly bid: number | null;
  readonly ask: number | null;
  readonly delayMinutes: number;
  readonly liveWithinMs: number;
}

/** Closed bars of one length, ascending, and the forming one. */
export interface CachedBars extends CachedOrigin {
  /** Start of the requested range, epoch ms. */
  readonly from: number;
  /** Bars closed by this time (epoch ms) are final. */
  readonly at: number;
  readonly adjustment: Adjustment;
  readonly currency: PriceCurrency;
  readonly bars: readonly Bar[];
  readonly omitted: readonly OmittedRow[];
  readonly forming: Bar | null;
  /** Null if the provider's bars do not carry them. */
  readonly actions: CorporateActions | null;
}

/** Different prices of two providers for one instrument. */
export interface Disagreement {
  readonly symbol: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly providers: readonly [string, string];
  readonly prices: readonly [number, number];
  readonly difference_percent: number;
  readonly limit_percent: number;
}

/** Last answers of one market's providers, preserved over restarts. Losing it only costs time. */
export interface MarketCache {
  quote(symbol: string): Promise<CachedQuote | null>;
  /** Returns at once; the quote may be written shortly after. */
  saveQuote(symbol: string, quote: CachedQuote): void;
  bars(symbol: string, timeframe: BarTimeframe): Promise<CachedBars | null>;
  saveBars(symbol: string, timeframe: BarTimeframe, bars: CachedBars): void;
  /** Newest first. */
  disagreements(limit: number): Promise<readonly Disagreement[]>;
  saveDisagreement(found: Disagreement): void;
  /** Returns the symbols whose quote was cached at or after `since` (epoch ms), newest first. */
  recentSymbols(since: number, limit: number): Promise<readonly string[]>;
}
