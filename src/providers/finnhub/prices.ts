import { z } from "zod";
import {
  type PriceProvider,
  ProviderFailure,
  type ProviderQuote,
} from "../../domain/providers/price-provider.ts";
import { PriceOrNull } from "../shared/fields.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { type FinnhubSetup, finnhubApi } from "./api.ts";

/** The newest price and its day. It names no symbol; all figures of an unknown symbol are 0. */
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
 * Finnhub's quotes of US stocks and funds in real time, one call each, without a volume. Bars need a paid
 * key. Its quotes name no symbol, so a response about another one cannot be detected. Of the published 60
 * calls a minute, 50 are used.
 * @see https://finnhub.io/docs/api/quote
 */
export function finnhub(setup: FinnhubSetup): PriceProvider {
  const get = finnhubApi(setup);
  return {
    name: "finnhub",
    serves: new Set(["equity", "etf"]),
    // and at most 30 a second
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
  // a pre-market or after-hours price outside the range belongs to another day than the range
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
