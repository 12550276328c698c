import type { AssetClass, MarketState, PriceSource, Quote } from "../../domain/market/market.ts";
import type { CachedQuote } from "../../domain/market/market-cache-port.ts";
import type { Origin, ProviderAttempt, Session } from "../../domain/market/provenance.ts";
import {
  type PriceProvider,
  ProviderFailure,
  type ProviderQuote,
} from "../../domain/providers/price-provider.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { marketStateAt } from "../calendar/calendar.ts";
import { isPrice, isVolume } from "./sanitize-bars.ts";

/** How far a vendor's clock may be ahead of ours before its trades are of the future. */
const SKEW_MS = 60_000;

/**
 * Checks what a source said and keeps it with whom it came from; `skewMs`: how far its clock is ahead of ours. Throws ProviderFailure
 * "malformed" for what cannot be.
 */
export function validateQuote(
  quote: ProviderQuote,
  source: PriceProvider,
  now: number,
  skewMs = 0,
): CachedQuote {
  const { price, tradedAt, previousClose, open, high, low, volume } = quote;
  const prices = [price, previousClose, open, high, low].filter((figure) => figure !== null);
  if (!prices.every(isPrice)) throw new ProviderFailure("malformed", "a price that is none");
  if (volume !== null && !isVolume(volume)) throw new ProviderFailure("malformed", "a volume that is none");
  if (!Number.isFinite(tradedAt) || tradedAt <= 0 || tradedAt > now + Math.max(0, skewMs) + SKEW_MS)
    throw new ProviderFailure("malformed", "a trade of no time that has been");
  if (high !== null && low !== null && high < low)
    throw new ProviderFailure("malformed", "a day whose high is under its low");
  return {
    price,
    // on the vendor's own clock it is so old, whichever of the two clocks is wrong
    tradedAt: Math.min(now, tradedAt - Math.max(0, skewMs)),
    previousClose,
    open,
    high,
    low,
    volume,
    venue: quote.venue,
    volumeScope: quote.volumeScope,
    source: source.name,
    delayMinutes: source.delayMinutes,
    liveWithinMs: source.liveWithinMs,
    fetchedAt: now,
  };
}

export interface QuoteContext {
  readonly assetClass: AssetClass;
  /** Epoch ms of the answer: what was live a minute ago may not be now. */
  readonly now: number;
  readonly stale: boolean;
  readonly kept: Origin["kept"];
  readonly tried: readonly ProviderAttempt[];
}

/** How live a price is at the moment it is told. */
export function priceFreshness(
  { tradedAt, delayMinutes, liveWithinMs }: CachedQuote,
  { assetClass, now, stale }: Pick<QuoteContext, "assetClass" | "now" | "stale">,
): PriceSource {
  const age = Math.abs(now - tradedAt); // a clock that was set back knows trades of the future
  if (assetClass === "crypto")
    return !stale && delayMinutes === 0 && age <= liveWithinMs ? "live_quote" : "delayed_quote";
  const open = marketStateAt(now, assetClass) !== "closed";
  const sameDay = newYorkDay(tradedAt) === newYorkDay(now);
  const inSession = marketStateAt(tradedAt, assetClass) !== "closed";
  if (!open || !sameDay || !inSession) return "prior_close";
  return !stale && delayMinutes === 0 && age <= liveWithinMs ? "live_quote" : "delayed_quote";
}

/** A kept quote as an answer of this moment. */
export function quoteAt(kept: CachedQuote, circumstances: QuoteContext): Quote {
  const { assetClass, now } = circumstances;
  const { price, previousClose, volume, high, low, open, tradedAt, source, venue, delayMinutes } = kept;
  return {
    price,
    change: previousClose === null ? null : Number((price - previousClose).toFixed(8)),
    changePercent: previousClose === null ? null : Number((100 * (price / previousClose - 1)).toFixed(4)),
    volume,
    high,
    low,
    open,
    timestamp: new Date(tradedAt).toISOString(),
    source,
    venue,
    price_source: priceFreshness(kept, circumstances),
    market_state: marketStateAt(now, assetClass),
    delayed_minutes: delayMinutes,
    origin: {
      fetched_at: new Date(kept.fetchedAt).toISOString(),
      session: sessionAt(tradedAt, assetClass),
      stale: circumstances.stale,
      kept: circumstances.kept,
      tried: circumstances.tried,
      volume_unit: assetClass === "crypto" ? "tokens" : "shares",
      volume_scope: kept.volumeScope,
    },
  };
}

const SESSIONS = {
  pre: "pre",
  regular: "regular",
  post: "post",
  closed: null,
  always_open: "24h",
} as const satisfies Record<MarketState, Session | null>;

/** The session a trade was made in; one at the very moment at which a session ends is its last. */
export function sessionAt(epochMs: number, assetClass: AssetClass): Session | null {
  const session = SESSIONS[marketStateAt(epochMs, assetClass)];
  if (session === "pre" || session === "regular") return session;
  return SESSIONS[marketStateAt(epochMs - 1, assetClass)] ?? session;
}
