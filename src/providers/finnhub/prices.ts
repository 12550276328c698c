import {
  type PriceProvider,
  ProviderFailure,
  type ProviderQuote,
} from "../../domain/providers/price-provider.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { createClient, type FinnhubSetup } from "./client.ts";
import type { Quote } from "./wire.ts";

/**
 * Finnhub's quotes of US stocks and funds in real time, all that a free key is for: bars need a paid one and are not
 * asked for. A quote is one call, without a volume, and carries no symbol, so an answer about another cannot be told.
 * Of 60 calls a minute it publishes, 50 are used.
 * @see https://finnhub.io/docs/api/quote
 */
export function finnhub(setup: FinnhubSetup): PriceProvider {
  const ask = createClient(setup);
  return {
    name: "finnhub",
    serves: new Set(["equity", "etf"]),
    // 30 a second besides
    budget: { calls: 50, perMs: 60_000, atOnce: 8 },
    delayMinutes: 0,
    liveWithinMs: 120_000,
    reaches: {},
    async latest(instrument, { signal }) {
      return quoteOf(await ask(usTicker(instrument), signal));
    },
  };
}

function quoteOf({ c: price, t: seconds, ...day }: Quote): ProviderQuote {
  const { pc: previousClose, o: open, h: high, l: low } = day;
  if (price === 0 && seconds === 0 && [previousClose, open, high, low].every((figure) => figure === null))
    throw new ProviderFailure("unknown_symbol", "nothing but zeros");
  if (price === 0 || seconds === 0) throw new ProviderFailure("malformed", "a price without its trade");
  // a price of the morning or the evening may lie outside the session's range, which is then not its day's
  const outside = (high !== null && price > high) || (low !== null && price < low);
  return {
    price,
    tradedAt: seconds * 1_000,
    previousClose,
    ...(outside ? { open: null, high: null, low: null } : { open, high, low }),
    volume: null,
    volumeScope: "all_venues",
    venue: "US",
  };
}
