import type { Split } from "../../domain/market/corporate-actions.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { CachedQuote } from "../../domain/market/market-cache-port.ts";
import type { Comparison } from "../../domain/market/provenance.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { rounded } from "../../lib/rounded.ts";
import { marketStateAt } from "../calendar/calendar.ts";
import { ChainFailure, callInOrder } from "../failover/chain.ts";
import type { PriceDeps } from "./provider-order.ts";
import { sessionAt, validateQuote } from "./validate-quote.ts";

const MINUTE = 60_000;
/** Tolerated difference between two providers, percent of the first price. */
const LIMIT_PERCENT = { equity: 0.5, etf: 0.5, crypto: 1 } as const;
/** Difference in percent that no short delay explains: one of the prices must be wrong. */
const WRONG_PERCENT = 15;
/** Maximum time between two comparable trades, ms; trades of different sessions are not comparable. */
const APART_MS = { trading: 2 * MINUTE, closed: 24 * 60 * MINUTE } as const;

/** Compares a quote with the quote of another provider; null if no other provider has a price in the same currency. */
export type Comparer = (
  instrument: Instrument,
  quote: CachedQuote,
  options: { readonly splits: readonly Split[]; readonly signal: AbortSignal },
) => Promise<Comparison | null>;

/**
 * Creates a function that compares a quote with the quote of another provider. Saves a difference above 0.5 percent
 * (crypto: 1) for the operator. Resolves with null if no other provider responds.
 */
export const createComparer =
  ({ chain, memory, clock, toDollars = async (quote) => quote }: PriceDeps): Comparer =>
  async (instrument, quote, { splits, signal }) => {
    const others = chain(instrument).filter(
      ({ provider }) => provider.latest !== undefined && provider.name !== quote.source,
    );
    const now = () => clock.now().getTime();
    // real-time providers first: their trades are closest in time
    const order = others.toSorted((a, b) => a.provider.delayMinutes - b.provider.delayMinutes);
    try {
      const { answer } = await callInOrder(
        order,
        async ({ provider, state }, stop) =>
          validateQuote(
            await provider.latest!(instrument, { signal: stop }),
            provider,
            now(),
            state().skewMs ?? 0,
          ),
        { signal },
      );
      const other = afterSplits(await toDollars(answer, signal), quote, splits);
      if (other.currency !== quote.currency) return null;
      const found = comparisonOf(instrument, quote, other, now());
      if (found.verdict === "apart")
        memory.saveDisagreement({
          symbol: instrument.symbol,
          at: new Date(now()).toISOString(),
          providers: [quote.source, other.source],
          prices: [quote.price, other.price],
          difference_percent: found.difference_percent,
          limit_percent: found.limit_percent,
        });
      return found;
    } catch (cause) {
      if (cause instanceof ChainFailure) return null;
      throw cause;
    }
  };

/** Returns a quote with its price divided by the splits that take effect after its day and by the day of another one. */
function afterSplits(quote: CachedQuote, other: CachedQuote, splits: readonly Split[]): CachedQuote {
  const [from, to] = [newYorkDate(quote.tradedAt), newYorkDate(other.tradedAt)];
  const between = splits.filter(({ date }) => from < date && date <= to);
  return between.length === 0
    ? quote
    : { ...quote, price: between.reduce((price, { ratio }) => price / ratio, quote.price) };
}

function comparisonOf(
  { asset_class }: Instrument,
  quote: CachedQuote,
  other: CachedQuote,
  now: number,
): Comparison {
  const limit_percent = LIMIT_PERCENT[asset_class];
  const difference_percent = rounded(100 * (other.price / quote.price - 1), 2);
  const state = marketStateAt(now, asset_class);
  const apartMs = Math.abs(quote.tradedAt - other.tradedAt);
  const sameTime =
    apartMs <= (state === "closed" ? APART_MS.closed : APART_MS.trading) &&
    sessionAt(quote.tradedAt, asset_class) === sessionAt(other.tradedAt, asset_class);
  const isApart = Math.abs(difference_percent) > limit_percent;
  const isWrong = Math.abs(difference_percent) > WRONG_PERCENT;
  return {
    provider: other.source,
    price: other.price,
    as_of: new Date(other.tradedAt).toISOString(),
    difference_percent,
    limit_percent,
    verdict: !isApart ? "agree" : sameTime || isWrong ? "apart" : "incomparable",
  };
}
