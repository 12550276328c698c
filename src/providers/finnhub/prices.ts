import { z } from "zod";
import {
  type PriceProvider,
  ProviderFailure,
  type ProviderQuote,
} from "../../domain/providers/price-provider.ts";
import { PriceOrNull } from "../shared/fields.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { type FinnhubSetup, finnhubApi } from "./api.ts";

/** The newest price and the figures of its day. It names no symbol; for an unknown symbol, all figures are 0. */
const Quote = z.object({
  c: z.number().nonnegative(),
  /** Close of the previous session. */
  pc: PriceOrNull,
  o: PriceOrNull,
  h: PriceOrNull,
  l: PriceOrNull,
  /** Epoch seconds. */
  t: z.number().int().nonnegative(),
});

/**
 * Creates the provider of Finnhub's real-time quotes of US stocks and funds, one call each, without volume. Bars need a
 * paid key. Quotes name no symbol, so a response about a different symbol cannot be detected. Of the published 60 calls
 * a minute, 50 are used.
 * @see https://finnhub.io/docs/api/quote
 */
export function finnhub(setup: FinnhubSetup): PriceProvider {
  const get = finnhubApi(setup);
  return {
    name: "finnhub",
    serves: new Set(["equity", "etf"]),
    // Finnhub also allows at most 30 calls a second
    budget: { calls: 50, perMs: 60_000, atOnce: 8 },
    delayMinutes: 0,
    liveWithinMs: 120_000,
    reaches: {},
    async latest(instrument, { signal }) {
      return quoteOf(await get("/api/v1/quote", Quote, { query: { symbol: usTicker(instrument) }, signal }));
    },
  };
}

function quoteOf({ c: price, t: seconds, ...day }: z.infer<typeof Quote>): ProviderQuote {
  const { pc: previousClose, o: open, h: high, l: low } = day;
  if (price === 0 && seconds === 0 && [previousClose, open, high, low].every((figure) => figure === null))
    throw new ProviderFailure("unknown_symbol", "all figures are 0");
  if (price === 0 || seconds === 0)
    throw new ProviderFailure("malformed", "a quote without price or trade time");
  // a pre-market or after-hours price outside the range belongs to a different day
  const outside = (high !== null && price > high) || (low !== null && price < low);
  return {
    price,
    tradedAt: seconds * 1_000,
    previousClose,
    open: outside ? null : open,
    high: outside ? null : high,
    low: outside ? null : low,
    volume: null,
    volumeScope: "all_venues",
    venue: "US",
  };
}
