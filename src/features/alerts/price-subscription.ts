import { type Beyond, crossedLevels, levelsBeyond } from "../../analytics/conditions/crossing.ts";
import type { ConditionUpdate, WatchedSubscription } from "../../domain/alerts/alerts-port.ts";
import { type PriceState, parsePriceState } from "../../domain/alerts/price-state.ts";
import type { Instrument, Quote } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { isAhead } from "../../lib/expiry.ts";
import { idDigits } from "../../lib/id-digits.ts";
import { isStale, MAX_MISSED_BARS } from "../../market/calendar/stale-bars.ts";
import { formatPriceAlert } from "./alert-message.text.ts";

/** Serializes the state stored per subscription and symbol. */
export const serializePriceSide = (now: Beyond, { timestamp }: Quote): string =>
  JSON.stringify({ ...now, at: timestamp } satisfies PriceState);

/** Serializes the state while the newest price is too old or not confirmed; the side of the last usable price stays. */
export const serializeStalePrice = (before: PriceState | null, stale: string): string =>
  JSON.stringify({ ...before, stale } satisfies PriceState);

/** Returns why a price is too old to trigger an alert: more than 3 daily bars have closed since. Null if it is not. */
export function stalePriceReason(
  { symbol, asset_class }: Pick<Instrument, "symbol" | "asset_class">,
  { timestamp, source }: Quote,
  at: Date,
): string | null {
  if (!isStale({ closed: timestamp, at: at.getTime(), timeframe: "1d", asset_class })) return null;
  return `The newest price of ${symbol} (${source}) is from ${timestamp}, and more than ${MAX_MISSED_BARS} daily bars have closed since: no alert until there is a newer price.`;
}

/** Returns why a price must not trigger an alert: no independent provider confirms it. Null if it may. */
export const unconfirmedPriceReason = (
  { symbol }: Pick<Instrument, "symbol">,
  { price_source, source }: Quote,
): string | null =>
  price_source === "unconfirmed_quote"
    ? `No second provider confirms the price of ${symbol} (${source}): no alert until one does.`
    : null;

/** Returns true if a quote is older than a state that is not from the future, as after a clock that was ahead. */
const isOlder = (quote: Quote, before: string, now: Date): boolean =>
  quote.timestamp < before && !isAhead(Date.parse(before), now.getTime());

/** Returns the side of the levels at the last change; null before a current price has armed the condition. */
const sideOf = (stored: PriceState | null): Beyond | null =>
  stored?.above === undefined || stored.below === undefined
    ? null
    : { above: stored.above, below: stored.below };

/**
 * Returns the new state of a subscription for a price with its alerts, none for a price that is too old or not
 * confirmed; null when nothing changed, the price is older than the last change, or no provider responds.
 */
export function checkPriceSubscription(
  { account, subscription, seen }: WatchedSubscription,
  instrument: Pick<Instrument, "symbol" | "asset_class">,
  { at, quote, market }: { readonly at: Date; readonly quote: Quote } & Pick<Ports, "market">,
): ConditionUpdate | null {
  if (quote.origin?.stale === true) return null;
  const { symbol } = instrument;
  const { subscription_id, condition, timeframe } = subscription;
  const stored = parsePriceState(seen[symbol]);
  const head = { account, subscription: subscription_id, symbol, before: seen[symbol] ?? null };
  const stale = unconfirmedPriceReason(instrument, quote) ?? stalePriceReason(instrument, quote, at);
  if (stale !== null)
    return stored?.stale === stale ? null : { ...head, now: serializeStalePrice(stored, stale), alerts: [] };
  const now = levelsBeyond(condition, quote.price);
  if (stored?.at !== undefined && isOlder(quote, stored.at, at)) return null;
  const before = sideOf(stored);
  const isSame = before !== null && now.above === before.above && now.below === before.below;
  if (isSame && stored?.stale === undefined) return null;
  return {
    ...head,
    now: serializePriceSide(now, quote),
    alerts: crossedLevels(before, now).map((side) => {
      const level = condition[side]!;
      return {
        alert_id: `al_${idDigits(JSON.stringify([subscription_id, symbol, side, quote.timestamp, seen[symbol]]))}`,
        subscription_id,
        symbol,
        timeframe,
        fired_at: at.toISOString(),
        as_of: quote.timestamp,
        text: formatPriceAlert(symbol, side, level, quote),
        change: null,
        figures: { price: quote.price, level },
        source: quote.source,
        market: market.mode,
      };
    }),
  };
}
