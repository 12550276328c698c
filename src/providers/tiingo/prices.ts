import type { Timeframe } from "../../domain/market/bars.ts";
import { type PriceProvider, ProviderFailure } from "../../domain/providers/price-provider.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { type TiingoSetup, tiingoApi } from "./api.ts";
import { dailyBars, intradayBars } from "./bars.ts";
import { latestQuote } from "./quotes.ts";

/** Bar lengths on the session's grid; its hours may begin on the hour. */
const FREQUENCIES: Readonly<Partial<Record<Timeframe, string>>> = {
  "30m": "30min",
  "15m": "15min",
  "5m": "5min",
};

/**
 * Tiingo with a free token. Daily bars of all venues, from 17:30 New York on: raw prices adjusted by the split factors,
 * because its own adjusted prices remove dividends too. Intraday bars and their volumes are those of IEX, a few per cent
 * of all shares, the newest 2,000 of a length; they take two calls, everything else one.
 *
 * A quote is the last trade on IEX, for accounts with an IEX agreement, and after the session the official close. Without
 * an agreement it has only a reference price that is not a trade, so quotes are `unsupported` and not requested again.
 *
 * Of the published 50 calls an hour and 1,000 a day, 40 an hour are used. Its limit of 500 symbols a month is not counted
 * here: it reports it, and is called again after at most an hour.
 * @see https://www.tiingo.com/documentation/end-of-day and https://www.tiingo.com/documentation/iex
 */
export function tiingo(setup: TiingoSetup): PriceProvider {
  const get = tiingoApi(setup);
  let licensed = true;
  return {
    name: "tiingo",
    serves: new Set(["equity", "etf"]),
    budget: { calls: 40, perMs: 3_600_000, atOnce: 2 },
    delayMinutes: 0,
    liveWithinMs: 120_000,
    // 2,000 bars are 153, 76 and 25 sessions
    reaches: { "1d": Number.POSITIVE_INFINITY, "30m": 210, "15m": 105, "5m": 35 },
    async latest(instrument, { signal }) {
      const symbol = usTicker(instrument, "-");
      const quote = licensed ? await latestQuote(get, symbol, signal) : null;
      licensed = quote !== null;
      if (quote === null) throw new ProviderFailure("unsupported", "no trades without an agreement with IEX");
      return quote;
    },
    async history(instrument, request) {
      const symbol = usTicker(instrument, "-");
      if (request.timeframe === "1d") return await dailyBars(get, symbol, request);
      const frequency = FREQUENCIES[request.timeframe];
      if (frequency === undefined)
        throw new ProviderFailure("unsupported", "no bars of this length on the session's grid");
      return await intradayBars(get, symbol, frequency, request);
    },
  };
}
