import { z } from "zod";
import {
  type PriceProvider,
  type ProviderBar,
  type ProviderBars,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { looksSplit } from "../../market/prices/split-check.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { rowsOf } from "../shared/rows.ts";
import { usTicker } from "../shared/us-ticker.ts";
import {
  CountOrNull,
  createTickerReader,
  DELAY_MINUTES,
  Header,
  PriceOrNull,
  previousCloseOf,
  regularPrice,
  Timestamp,
} from "./files.ts";

const Quote = z.object({
  timestamp: Timestamp,
  symbol: z.string(),
  data: Header.extend({
    prev_day_close: PriceOrNull,
    open: PriceOrNull,
    high: PriceOrNull,
    low: PriceOrNull,
    volume: CountOrNull,
  }),
});
/** All daily bars of an instrument, oldest first. On days before the listing, figures are 0. */
const History = z.object({
  symbol: z.string(),
  data: rowsOf(
    z
      .object({
        date: z.iso.date(),
        open: PriceOrNull,
        high: PriceOrNull,
        low: PriceOrNull,
        close: PriceOrNull,
        volume: CountOrNull,
      })
      .transform(({ date, ...figures }): ProviderBar => ({ time: Date.parse(date), ...figures })),
  ),
});

/**
 * Creates the provider of Cboe's delayed quotes from the files behind its web pages, undocumented and without a key.
 * Quotes are the last trade of the regular session, or its official close; volumes cover all venues. A request takes one call. Third parties
 * measured that 45 calls a minute succeed and that a third of 60 calls a minute are refused. Chains and statistics
 * share this limit. The newest daily bar may be a day late.
 *
 * It is not documented whether bars are adjusted for splits. If bars from the first requested day to the newest contain
 * an apparently unadjusted split, the request fails as `unsupported`. Splits smaller than 3:2 are not detected.
 */
export function cboe(setup: ProviderSetup): PriceProvider {
  const read = createTickerReader(setup);
  return {
    name: "cboe",
    serves: new Set(["equity", "etf"]),
    budget: { calls: 30, perMs: 60_000, atOnce: 2 },
    delayMinutes: DELAY_MINUTES,
    liveWithinMs: 120_000,
    reaches: { "1d": Number.POSITIVE_INFINITY },
    async latest(instrument, { signal }) {
      const { symbol, data, timestamp } = await read("quotes", usTicker(instrument), Quote, signal);
      const regular = regularPrice(timestamp, data);
      if (data.symbol !== symbol || regular === null)
        throw new ProviderFailure("malformed", "a quote without price or trade time, or of another symbol");
      return {
        ...regular,
        previousClose: previousCloseOf(data, regular.price),
        open: data.open,
        high: data.high,
        low: data.low,
        volume: data.volume,
        volumeScope: "all_venues",
        venue: "US",
      };
    },
    async history(instrument, { timeframe, from, until, signal }): Promise<ProviderBars> {
      const ticker = usTicker(instrument);
      if (timeframe !== "1d") throw new ProviderFailure("unsupported", "only daily bars are available");
      const { data } = await read("charts/historical", ticker, History, signal);
      const since = data.filter(({ time }) => time >= from);
      if (looksSplit(since))
        throw new ProviderFailure("unsupported", "bars that look unadjusted for a split");
      const bars = since.filter(({ time }) => time <= until);
      return { bars, adjustment: "split", hours: "regular", volumeScope: "all_venues", venue: "US" };
    },
  };
}
