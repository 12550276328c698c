import type { Timeframe } from "../../domain/market/bars.ts";
import { type PriceProvider, ProviderFailure } from "../../domain/providers/price-provider.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { dailyOf, intradayOf } from "./bars.ts";
import { createClient, type TiingoSetup } from "./client.ts";
import { latestOf } from "./quotes.ts";

/** Its hours can begin with the clock's; these lie on the session's grid. */
const FREQUENCIES: Readonly<Partial<Record<Timeframe, string>>> = {
  "30m": "30min",
  "15m": "15min",
  "5m": "5min",
};

/**
 * Tiingo with a free token. Daily bars of all venues, there from 17:30 New York on: its raw prices are brought to
 * today's shares by the split factors it tells beside them, which count some distributions of shares too; its own
 * adjusted ones take dividends out as well. Shorter bars, and volumes in shares, are those of IEX alone, a few in a
 * hundred; of these it keeps the newest 2,000 of a length, and their splits are asked for with them, so they take two
 * calls where all else takes one.
 *
 * A quote is the last trade on IEX for accounts with an IEX agreement. Others are told a reference price that may be
 * the middle of bid and ask: no trade, so it is refused as `unsupported`, and an account found to be such is not asked
 * for quotes again, as they would use up the hour's calls. Once the session has closed it is the official close, and
 * told with the time of the close.
 *
 * Of 50 calls an hour and 1,000 a day that it publishes, 40 an hour are used. 500 symbols a month are its limit too,
 * which is not counted here: it says so, and is called again an hour later at most.
 * @see https://www.tiingo.com/documentation/end-of-day and https://www.tiingo.com/documentation/iex
 */
export function tiingo(setup: TiingoSetup): PriceProvider {
  const ask = createClient(setup);
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
      const quote = licensed ? await latestOf(ask, symbol, signal) : null;
      licensed = quote !== null;
      if (quote === null) throw new ProviderFailure("unsupported", "no trades without an agreement with IEX");
      return quote;
    },
    async history(instrument, request) {
      const symbol = usTicker(instrument, "-");
      if (request.timeframe === "1d") return await dailyOf(ask, symbol, request);
      const frequency = FREQUENCIES[request.timeframe];
      if (frequency === undefined)
        throw new ProviderFailure("unsupported", "it has no bars of this length on our grid");
      return await intradayOf(ask, symbol, frequency, request);
    },
  };
}
