import { type Beyond, beyond, passed } from "../../analytics/conditions/crossing.ts";
import type { Seen, Watching } from "../../domain/alerts/alerts-port.ts";
import type { Quote } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { idDigits } from "../../lib/id-digits.ts";
import { priceText } from "./texts.ts";

/** Which levels a price was beyond when that last changed. */
interface Side extends Beyond {
  /** When that price traded, ISO 8601 UTC. */
  readonly at: string;
}

/** As it is kept of a subscription and symbol. */
export const sideText = (now: Beyond, { timestamp }: Quote): string =>
  JSON.stringify({ ...now, at: timestamp } satisfies Side);

const sideIn = (text: string | undefined): Side | null => (text === undefined ? null : JSON.parse(text));

/** What one subscription is told by a price. Null where nothing changed, where the price is older than the last change, and where no source answers now. */
export function seenByPrice(
  { account, subscription, seen }: Watching,
  symbol: string,
  { at, quote, market }: { readonly at: Date; readonly quote: Quote } & Pick<Ports, "market">,
): Seen | null {
  const { subscription_id, condition, timeframe } = subscription;
  const before = sideIn(seen[symbol]);
  const now = beyond(condition, quote.price);
  if (quote.origin?.stale === true || (before !== null && quote.timestamp < before.at)) return null;
  if (before !== null && now.above === before.above && now.below === before.below) return null;
  const text = sideText(now, quote);
  return {
    ...{ account, subscription: subscription_id, symbol, before: seen[symbol] ?? null, now: text },
    alerts: passed(before, now).map((side) => {
      const level = condition[side]!;
      return {
        alert_id: `al_${idDigits(JSON.stringify([subscription_id, symbol, side, quote.timestamp, seen[symbol]]))}`,
        ...{ subscription_id, symbol, timeframe, fired_at: at.toISOString(), as_of: quote.timestamp },
        text: priceText(symbol, side, level, quote),
        ...{
          change: null,
          figures: { price: quote.price, level },
          source: quote.source,
          market: market.mode,
        },
      };
    }),
  };
}
