import type { AssetClass, Instrument, MarketState, PriceSource, Quote } from "../../domain/market/market.ts";
import type { CachedQuote } from "../../domain/market/market-cache-port.ts";
import type { Origin, ProviderAttempt, Session } from "../../domain/market/provenance.ts";
import {
  type PriceProvider,
  ProviderFailure,
  type ProviderQuote,
} from "../../domain/providers/price-provider.ts";
import { newYorkDate, newYorkDay } from "../../lib/newyork.ts";
import { rounded } from "../../lib/rounded.ts";
import { marketStateAt, sessionOf } from "../calendar/calendar.ts";
import { isPrice, isVolume } from "./sanitize-bars.ts";

/** Maximum time that a trade may lie in the future, ms. */
const SKEW_MS = 60_000;

/**
 * Validates a provider's quote and adds its origin. `skewMs`: how far the provider's clock is ahead of ours, ms. Throws
 * ProviderFailure "malformed" for impossible values.
 */
export function validateQuote(
  quote: ProviderQuote,
  provider: Pick<PriceProvider, "name" | "delayMinutes" | "liveWithinMs">,
  now: number,
  skewMs = 0,
): CachedQuote {
  const { price, tradedAt, previousClose, venuePreviousClose = null, open, high, low, volume } = quote;
  const prices = [price, previousClose, venuePreviousClose, open, high, low].filter(
    (figure) => figure !== null,
  );
  if (!prices.every(isPrice)) throw new ProviderFailure("malformed", "an impossible price");
  if (volume !== null && !isVolume(volume)) throw new ProviderFailure("malformed", "an impossible volume");
  if (!Number.isFinite(tradedAt) || tradedAt <= 0 || tradedAt > now + Math.max(0, skewMs) + SKEW_MS)
    throw new ProviderFailure("malformed", "a trade at an impossible time");
  if (high !== null && low !== null && high < low)
    throw new ProviderFailure("malformed", "a high below the low");
  return {
    ...quote,
    officialClose: quote.officialClose ?? isAtClose(quote),
    currency: quote.currency ?? "USD",
    converted: null,
    bid: isPositive(quote.bid) ? quote.bid : null,
    ask: isPositive(quote.ask) ? quote.ask : null,
    // corrected for the provider's clock
    tradedAt: Math.min(now, tradedAt - Math.max(0, skewMs)),
    source: provider.name,
    delayMinutes: quote.delayMinutes ?? provider.delayMinutes,
    liveWithinMs: provider.liveWithinMs,
    fetchedAt: now,
  };
}

const isPositive = (price: number | null | undefined): price is number => price != null && isPrice(price);

/** Returns true for a price of all venues at exactly the time of its session's close. */
const isAtClose = ({ tradedAt, volumeScope }: ProviderQuote): boolean =>
  volumeScope === "all_venues" && sessionOf(newYorkDate(tradedAt))?.close === tradedAt;

export interface QuoteContext {
  readonly assetClass: AssetClass;
  /** Response time, epoch ms. */
  readonly now: number;
  readonly stale: boolean;
  readonly served_from: Origin["served_from"];
  readonly tried: readonly ProviderAttempt[];
}

/** Returns the freshness of a price at the time of the response. */
export function priceFreshness(
  { tradedAt, delayMinutes, liveWithinMs, officialClose }: CachedQuote,
  { assetClass, now, stale }: Pick<QuoteContext, "assetClass" | "now" | "stale">,
): PriceSource {
  const age = Math.abs(now - tradedAt); // a trade may lie in the future if the clock was set back
  if (assetClass === "crypto")
    return !stale && delayMinutes === 0 && age <= liveWithinMs ? "live_quote" : "delayed_quote";
  const open = marketStateAt(now, assetClass) !== "closed";
  const sameDay = newYorkDay(tradedAt) === newYorkDay(now);
  const inSession = marketStateAt(tradedAt, assetClass) !== "closed";
  if (!open || !sameDay || !inSession) return officialClose ? "prior_close" : "last_trade";
  return !stale && delayMinutes === 0 && age <= liveWithinMs ? "live_quote" : "delayed_quote";
}

export function quoteAt(cached: CachedQuote, context: QuoteContext): Quote {
  const { assetClass, now } = context;
  const { price, previousClose, volume, high, low, open, tradedAt, source, venue, delayMinutes } = cached;
  return {
    price,
    change: previousClose === null ? null : Number((price - previousClose).toFixed(8)),
    changePercent: previousClose === null ? null : rounded(100 * (price / previousClose - 1), 2),
    volume,
    high,
    low,
    open,
    bid: cached.bid,
    ask: cached.ask,
    timestamp: new Date(tradedAt).toISOString(),
    source,
    venue,
    price_source: priceFreshness(cached, context),
    market_state: marketStateAt(now, assetClass),
    delayed_minutes: delayMinutes,
    currency: cached.currency,
    origin: {
      fetched_at: new Date(cached.fetchedAt).toISOString(),
      session: sessionAt(tradedAt, assetClass),
      stale: context.stale,
      served_from: context.served_from,
      tried: context.tried,
      volume_unit: assetClass === "crypto" ? "tokens" : "shares",
      volume_scope: cached.volumeScope,
      ...(cached.converted !== null && { converted: cached.converted }),
    },
  };
}

/** Returns a streamed price; it is called live only if a confirmed price is near. */
export function streamedQuote(
  instrument: Instrument,
  quote: CachedQuote,
  {
    now,
    isWitnessed,
  }: {
    readonly now: number;
    readonly isWitnessed: (instrument: Instrument, quote: CachedQuote) => boolean;
  },
): Quote {
  const context = { assetClass: instrument.asset_class, now, stale: false, tried: [] };
  const shown = quoteAt(quote, { ...context, served_from: "stream" });
  const isDoubted = shown.price_source === "live_quote" && !isWitnessed(instrument, quote);
  return isDoubted ? { ...shown, price_source: "unconfirmed_quote" } : shown;
}

const SESSIONS = {
  pre: "pre",
  regular: "regular",
  post: "post",
  closed: null,
  always_open: "24h",
} as const satisfies Record<MarketState, Session | null>;

/** Returns the session of a trade. A trade at the end of a session belongs to that session. */
export function sessionAt(epochMs: number, assetClass: AssetClass): Session | null {
  const session = SESSIONS[marketStateAt(epochMs, assetClass)];
  if (session === "pre" || session === "regular") return session;
  return SESSIONS[marketStateAt(epochMs - 1, assetClass)] ?? session;
}
