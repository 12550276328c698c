import {
  type PriceProvider,
  type ProviderBars,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { looksSplit } from "../../market/prices/split-check.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { createClient, DELAY_MINUTES, tickerAt } from "./client.ts";
import { barOf, History, Quote, quoteOf } from "./wire.ts";

/**
 * Cboe's delayed quotes, the files behind its own pages: undocumented and without a key. Quotes tell the last trade of
 * the regular session; volumes are shares on all venues. A question is one call: 45 a minute were served to others,
 * of 60 a third was refused, and chains and statistics want some of them. Daily bars come as a whole life at once, and the newest may be missing for a day.
 *
 * Whether those bars are adjusted for splits is nowhere said. So bars that hold what looks like a split nobody
 * adjusted for, from the first day asked for to the newest there is, are refused as `unsupported`; all others agree
 * with today's prices and are called split-adjusted, which leaves splits smaller than 3:2 unseen.
 */
export function cboe(setup: ProviderSetup): PriceProvider {
  const ask = createClient(setup);
  return {
    name: "cboe",
    serves: new Set(["equity", "etf"]),
    budget: { calls: 30, perMs: 60_000, atOnce: 2 },
    delayMinutes: DELAY_MINUTES,
    liveWithinMs: 120_000,
    reaches: { "1d": Number.POSITIVE_INFINITY },
    async latest(instrument, { signal }) {
      return quoteOf(await ask("quotes", tickerAt(instrument), Quote, signal));
    },
    async history(instrument, { timeframe, from, until, signal }): Promise<ProviderBars> {
      const ticker = tickerAt(instrument);
      if (timeframe !== "1d") throw new ProviderFailure("unsupported", "it has daily bars alone");
      const { data } = await ask("charts/historical", ticker, History, signal);
      const since = data.map(barOf).filter(({ time }) => time >= from);
      if (looksSplit(since))
        throw new ProviderFailure("unsupported", "bars that look unadjusted for a split");
      const bars = since.filter(({ time }) => time <= until);
      return { bars, adjustment: "split", hours: "regular", volumeScope: "all_venues", venue: "US" };
    },
  };
}
