import type { Split } from "../../domain/market/corporate-actions.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { CachedQuote } from "../../domain/market/market-cache-port.ts";
import type { Comparison } from "../../domain/market/provenance.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { rounded } from "../../lib/rounded.ts";
import { marketStateAt } from "../calendar/calendar.ts";
import { ChainFailure, callInOrder } from "../failover/chain.ts";
import type { Guarded } from "../failover/guard.ts";
import { rateProviders } from "./dollars.ts";
import type { PriceDeps } from "./provider-order.ts";
import { sessionAt, validateQuote } from "./validate-quote.ts";

const MINUTE = 60_000;
/** Tolerated difference between two providers, percent of the first price. */
const LIMIT_PERCENT = { equity: 0.5, etf: 0.5, crypto: 1 } as const;
/** Difference in percent that no short delay explains: one of the prices must be wrong. */
const WRONG_PERCENT = 15;
/** Maximum time between two comparable trades, ms; trades of different sessions are not comparable. */
const APART_MS = { trading: 2 * MINUTE, closed: 24 * 60 * MINUTE } as const;

/** Maximum number of providers that are called until one has an acceptable price. */
const MAX_COMPARED = 2;

/**
 * Compares a quote with the quote of a provider of another family; null if none has a price in the same currency. If
 * `accepts` refuses the comparison, one further provider is compared.
 */
export type Comparer = (
  instrument: Instrument,
  quote: CachedQuote,
  options: {
    readonly splits: readonly Split[];
    readonly signal: AbortSignal;
    /** Default: every comparison is accepted. */
    readonly accepts?: (comparison: Comparison) => boolean;
  },
) => Promise<Comparison | null>;

/**
 * Creates a function that compares a quote with the quotes of other families. The other price shares no rate with the
 * quote: neither is converted with a price of the other's family, and two prices in USDT are compared in USDT. Saves a
 * difference above 0.5 percent (crypto: 1) for the operator. Resolves with null if no such provider responds.
 */
export function createComparer({
  chain,
  memory,
  clock,
  familyOf = (name) => name,
  toDollars = async (quote) => quote,
}: PriceDeps): Comparer {
  const now = () => clock.now().getTime();

  /** Returns the providers that share nothing with a quote: dollars first, then the freshest. */
  function independentOf(instrument: Instrument, quote: CachedQuote): readonly Guarded[] {
    const families = familiesOf(quote, familyOf);
    const others = chain(instrument).filter(
      ({ provider }) => provider.latest !== undefined && !families.has(familyOf(provider.name)),
    );
    // a price without conversion is the stronger witness; trades of real-time providers are closest in time
    const isForeignTo = ({ provider }: Guarded) => Number((provider.currency ?? "USD") !== quote.currency);
    return others.toSorted(
      (a, b) => isForeignTo(a) - isForeignTo(b) || a.provider.delayMinutes - b.provider.delayMinutes,
    );
  }

  return async (instrument, quote, { splits, signal, accepts = () => true }) => {
    const families = familiesOf(quote, familyOf);
    const call = (guards: readonly Guarded[]) =>
      callInOrder(
        guards,
        async ({ provider, state }, stop) => {
          const response = await provider.latest!(instrument, { signal: stop });
          const other = validateQuote(response, provider, now(), state().skewMs ?? 0);
          const { converted } = quote;
          // two prices in USDT are compared in USDT, so that no rate takes part; that of the quote has two witnesses
          if (converted !== null && other.currency === converted.from)
            return { ...other, price: other.price * converted.rate, currency: quote.currency };
          const isSame = other.currency === quote.currency;
          const inDollars = isSame ? other : await toDollars(other, stop, families);
          if (inDollars.currency !== quote.currency || (inDollars.converted && converted))
            throw new ProviderFailure("unsupported", "no price without a shared rate");
          return inDollars;
        },
        { signal },
      );
    let guards = independentOf(instrument, quote);
    let found: Comparison | null = null;
    for (let i = 0; i < MAX_COMPARED && guards.length > 0; i++) {
      try {
        const { answer, provider } = await call(guards);
        found = comparisonOf(instrument, quote, afterSplits(answer, quote, splits), now());
        const family = familyOf(provider.provider.name);
        guards = guards.filter(({ provider: other }) => familyOf(other.name) !== family);
      } catch (cause) {
        if (cause instanceof ChainFailure) return found;
        throw cause;
      }
      if (found.verdict === "apart")
        memory.saveDisagreement({
          symbol: instrument.symbol,
          at: new Date(now()).toISOString(),
          providers: [quote.source, found.provider],
          prices: [quote.price, found.price],
          difference_percent: found.difference_percent,
          limit_percent: found.limit_percent,
        });
      if (accepts(found)) return found;
    }
    return found;
  };
}

/** Returns the families of a quote's provider and of the providers of its rate. */
const familiesOf = (
  { source, converted }: CachedQuote,
  familyOf: (provider: string) => string,
): ReadonlySet<string> => new Set([source, ...rateProviders(converted)].map(familyOf));

/** Returns a quote with its price divided by the splits that take effect after its day and by the day of another one. */
function afterSplits(quote: CachedQuote, other: CachedQuote, splits: readonly Split[]): CachedQuote {
  const [from, to] = [newYorkDate(quote.tradedAt), newYorkDate(other.tradedAt)];
  const between = splits.filter(({ date }) => from < date && date <= to);
  return between.length === 0
    ? quote
    : { ...quote, price: between.reduce((price, { ratio }) => price / ratio, quote.price) };
}

/** Compares the prices of two providers. */
export function comparisonOf(
  { asset_class }: Pick<Instrument, "asset_class">,
  quote: CachedQuote,
  other: Pick<CachedQuote, "price" | "tradedAt" | "source">,
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
