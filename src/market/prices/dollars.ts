import type { PriceCurrency } from "../../domain/market/currency.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { CachedQuote } from "../../domain/market/market-cache-port.ts";
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
/** Significant digits of a converted price. */
const DIGITS = 10;

interface Rate {
  readonly at: number;
  /** Null if no provider has a price in dollars. */
  readonly quote: CachedQuote | null;
}

/**
 * Creates the conversion of quotes in USDT or USDC by the price of that token at a provider that quotes it in dollars,
 * cached for a minute.
 */
export function createDollarConversion({ chain, clock }: Pick<PriceDeps, "chain" | "clock">): ToDollars {
  const rates = createBoundedCache<PriceCurrency, Rate>({ name: "dollar rates", max: 4 });
  const flight = createSingleFlight<Rate>();
  const now = () => clock.now().getTime();

  async function requestRate(currency: PriceCurrency, signal: AbortSignal): Promise<Rate> {
    const token = tokenOf(currency);
    const providers = chain(token).filter(({ provider }) => provider.latest !== undefined);
    const isRate = ({ currency: unit, tradedAt }: CachedQuote) =>
      unit === "USD" && now() - tradedAt <= MAX_TRADE_AGE_MS;
    try {
      const { answer } = await callInOrder(
        providers,
        async ({ provider, state }, stop) =>
          validateQuote(
            await provider.latest!(token, { signal: stop }),
            provider,
            now(),
            state().skewMs ?? 0,
          ),
        { signal, best: isRate },
      );
      return { at: now(), quote: isRate(answer) ? answer : null };
    } catch (cause) {
      if (cause instanceof ChainFailure) return { at: now(), quote: null };
      throw cause;
    }
  }

  return async (quote, signal) => {
    const { currency } = quote;
    if (currency === "USD") return quote;
    const known = rates.get(currency);
    const rate =
      known !== undefined && isWithin(known.at, now(), RATE_TTL_MS)
        ? known
        : await flight(currency, (stop) => requestRate(currency, stop), signal);
    rates.set(currency, rate);
    return rate.quote === null ? quote : convert(quote, rate.quote);
  };
}

function convert(quote: CachedQuote, rate: CachedQuote): CachedQuote {
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
      provider: rate.source,
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
