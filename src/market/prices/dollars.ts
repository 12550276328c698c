import type { PriceCurrency } from "../../domain/market/currency.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { CachedQuote } from "../../domain/market/market-cache-port.ts";
import type { Conversion } from "../../domain/market/provenance.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createBoundedCache } from "../../lib/bounded-cache.ts";
import { isWithin } from "../../lib/expiry.ts";
import { ChainFailure, callInOrder } from "../failover/chain.ts";
import { createSingleFlight } from "../failover/single-flight.ts";
import type { PriceDeps, ToDollars } from "./provider-order.ts";
import { validateQuote } from "./validate-quote.ts";

/** Time for which the dollar price of a currency is used, and for which a failure to get it is not repeated, ms. */
const RATE_TTL_MS = 60_000;
/** Maximum age of the trade that gives a dollar price, ms. */
const MAX_TRADE_AGE_MS = 3_600_000;
/** Bounds of the dollar price of a token that is worth about a dollar. */
const RATE_BOUNDS = { min: 0.97, max: 1.03 } as const;
/** Maximum difference of the two dollar prices of a rate, as a share. */
const MAX_RATE_DIFFERENCE = 0.01;
/** Significant digits of a converted price. */
const DIGITS = 10;
const MAX_RATES = 50;

interface Rate {
  readonly at: number;
  /** Dollar price and the provider that confirms it; null without two families that agree. */
  readonly found: { readonly quote: CachedQuote; readonly confirmedBy: string } | null;
}

/** Returns the providers whose dollar prices a conversion used. */
export const rateProviders = (converted: Pick<Conversion, "provider"> | null): readonly string[] =>
  converted === null ? [] : converted.provider.split(PROVIDER_SEPARATOR);
const PROVIDER_SEPARATOR = ", ";

/**
 * Creates the conversion of quotes in USDT or USDC by the dollar price of that token at a provider that quotes it in
 * dollars, cached for a minute. The price must be between 0.97 and 1.03, and that of a second family must agree within
 * 1 %; else the quote stays in its currency.
 */
export function createDollarConversion({
  chain,
  clock,
  familyOf = (name) => name,
}: Pick<PriceDeps, "chain" | "clock" | "familyOf">): ToDollars {
  const rates = createBoundedCache<string, Rate>({ name: "dollar rates", max: MAX_RATES });
  const flight = createSingleFlight<Rate>();
  const now = () => clock.now().getTime();
  const isRate = ({ currency, tradedAt, price }: CachedQuote) =>
    currency === "USD" &&
    now() - tradedAt <= MAX_TRADE_AGE_MS &&
    price >= RATE_BOUNDS.min &&
    price <= RATE_BOUNDS.max;

  /** Returns the first usable dollar price of a family that is not excluded; null without one. */
  async function dollarPrice(
    token: Instrument,
    except: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<CachedQuote | null> {
    const providers = chain(token).filter(
      ({ provider }) => provider.latest !== undefined && !except.has(familyOf(provider.name)),
    );
    try {
      const { answer } = await callInOrder(
        providers,
        async ({ provider, state }, stop) => {
          const response = await provider.latest!(token, { signal: stop });
          const quote = validateQuote(response, provider, now(), state().skewMs ?? 0);
          if (!isRate(quote)) throw new ProviderFailure("unsupported", "no dollar price near one");
          return quote;
        },
        { signal },
      );
      return answer;
    } catch (cause) {
      if (cause instanceof ChainFailure) return null;
      throw cause;
    }
  }

  async function requestRate(
    currency: PriceCurrency,
    except: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<Rate> {
    const token = tokenOf(currency);
    const quote = await dollarPrice(token, except, signal);
    const others = quote === null ? except : new Set([...except, familyOf(quote.source)]);
    const second = quote === null ? null : await dollarPrice(token, others, signal);
    const agree =
      quote !== null && second !== null && Math.abs(second.price / quote.price - 1) <= MAX_RATE_DIFFERENCE;
    return { at: now(), found: agree ? { quote, confirmedBy: second.source } : null };
  }

  return async (quote, signal, except = new Set()) => {
    const { currency } = quote;
    if (currency === "USD") return quote;
    const excluded = new Set([...except, familyOf(quote.source)]);
    const key = [currency, ...[...excluded].sort()].join("|");
    const known = rates.get(key);
    const rate =
      known !== undefined && isWithin(known.at, now(), RATE_TTL_MS)
        ? known
        : await flight(key, (stop) => requestRate(currency, excluded, stop), signal);
    rates.set(key, rate);
    return rate.found === null ? quote : convert(quote, rate.found);
  };
}

function convert(quote: CachedQuote, { quote: rate, confirmedBy }: NonNullable<Rate["found"]>): CachedQuote {
  const dollars = (price: number) => Number((price * rate.price).toPrecision(DIGITS));
  const orNull = (price: number | null) => (price === null ? null : dollars(price));
  return {
    ...quote,
    price: dollars(quote.price),
    previousClose: orNull(quote.previousClose),
    open: orNull(quote.open),
    high: orNull(quote.high),
    low: orNull(quote.low),
    bid: orNull(quote.bid),
    ask: orNull(quote.ask),
    currency: "USD",
    converted: {
      from: quote.currency,
      rate: rate.price,
      provider: [rate.source, confirmedBy].join(PROVIDER_SEPARATOR),
      as_of: new Date(rate.tradedAt).toISOString(),
    },
  };
}

const tokenOf = (currency: PriceCurrency): Instrument => ({
  symbol: `${currency}-USD`,
  name: currency,
  asset_class: "crypto",
  sector: null,
  currency: "USD",
});
