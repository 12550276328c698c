import { type PriceProvider, ProviderFailure } from "../../domain/providers/price-provider.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { barsOf } from "./bars.ts";
import { createClient, type MassiveSetup } from "./client.ts";
import { latestOf } from "./quotes.ts";

/** A free key reaches two years back; what is older is cut off or refused. */
const TWO_YEARS = 720;

/**
 * Massive, which was Polygon, and answers under both names. Bars are those of all venues, adjusted for splits, volumes
 * in shares; rows of the morning and the evening come with them and are left out. To a free key a day is told when it
 * is over, at night; other plans lag by 15 minutes or not at all.
 *
 * A quote is the last trade, for plans that include trades. Where the plan does not, the source says `unsupported` and
 * is not asked for quotes again, as they would use up the minute's calls; only a restart finds a better plan.
 *
 * Of 5 calls a minute that it publishes for free keys, 4 are used. A question is one call, or one for each 50,000
 * minutes of trading, some 50 sessions, behind its bars.
 * @see https://massive.com/docs/rest/stocks/aggregates/custom-bars
 */
export function massive(setup: MassiveSetup): PriceProvider {
  const ask = createClient(setup);
  let included = true;
  return {
    name: "massive",
    serves: new Set(["equity", "etf"]),
    budget: { calls: 4, perMs: 60_000, atOnce: 2 },
    delayMinutes: 0,
    barDelayMinutes: 15,
    liveWithinMs: 120_000,
    reaches: { "1d": TWO_YEARS, "30m": TWO_YEARS, "15m": TWO_YEARS, "5m": TWO_YEARS },
    async latest(instrument, { signal }) {
      const symbol = usTicker(instrument);
      const quote = included ? await latestOf(ask, symbol, signal) : null;
      included = quote !== null;
      if (quote === null) throw new ProviderFailure("unsupported", "not in the plan of this account");
      return quote;
    },
    async history(instrument, request) {
      const bars = await barsOf(ask, usTicker(instrument), request);
      return { bars, adjustment: "split", hours: "regular", volumeScope: "all_venues", venue: "US" };
    },
  };
}
