import { type Beyond, crossedLevels, levelsBeyond } from "../../analytics/conditions/crossing.ts";
import type { ConditionUpdate, WatchedSubscription } from "../../domain/alerts/alerts-port.ts";
import type { Quote } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { isAhead } from "../../lib/expiry.ts";
import { idDigits } from "../../lib/id-digits.ts";
import { formatPriceAlert } from "./alert-message.text.ts";

/** State of the price relative to the levels at the last change. */
interface PriceSide extends Beyond {
  /** Time of the quote, ISO 8601 UTC. */
  readonly at: string;
}

/** Serializes the state stored per subscription and symbol. */
export const serializePriceSide = (now: Beyond, { timestamp }: Quote): string =>
  JSON.stringify({ ...now, at: timestamp } satisfies PriceSide);

const parsePriceSide = (text: string | undefined): PriceSide | null =>
  text === undefined ? null : JSON.parse(text);

/** Returns true if a quote is older than a state that is not from the future, as after a clock that was ahead. */
const isOlder = (quote: Quote, before: PriceSide, now: Date): boolean =>
  quote.timestamp < before.at && !isAhead(Date.parse(before.at), now.getTime());

/**
 * Returns the alerts of a subscription for a price; null when nothing changed, the price is older than the last change,
 * or the quote is stale.
 */
export function checkPriceSubscription(
  { account, subscription, seen }: WatchedSubscription,
  symbol: string,
  { at, quote, market }: { readonly at: Date; readonly quote: Quote } & Pick<Ports, "market">,
): ConditionUpdate | null {
  const { subscription_id, condition, timeframe } = subscription;
  const before = parsePriceSide(seen[symbol]);
  const now = levelsBeyond(condition, quote.price);
  if (quote.origin?.stale === true || (before !== null && isOlder(quote, before, at))) return null;
  if (before !== null && now.above === before.above && now.below === before.below) return null;
  const text = serializePriceSide(now, quote);
  return {
    account,
    subscription: subscription_id,
    symbol,
    before: seen[symbol] ?? null,
    now: text,
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
