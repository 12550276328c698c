import { z } from "zod";
import {
  type PriceProvider,
  type ProviderBar,
  type ProviderBars,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { looksSplit } from "../../market/prices/split-check.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { CountOrNull, createTickerReader, DELAY_MINUTES, Header, PriceOrNull } from "./files.ts";

const Quote = z.object({
  symbol: z.string(),
  data: Header.extend({
    prev_day_close: PriceOrNull,
    open: PriceOrNull,
    high: PriceOrNull,
    low: PriceOrNull,
    volume: CountOrNull,
  }),
});
/** All daily bars of an instrument, oldest first. Figures of days before its listing are 0. */
const History = z.object({
  symbol: z.string(),
  data: z.array(
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
 * Cboe's delayed quotes, the files behind its own pages: undocumented and without a key. Quotes are the last
 * trade of the regular session, volumes those of all venues. A request is one call. Third parties measured
 * that 45 calls a minute are served and a third of 60 are refused; chains and statistics share this limit.
 * The newest daily bar may be a day late.
 *
 * It is not documented whether bars are adjusted for splits. Bars with an apparently unadjusted split, from
 * the first requested day to the newest, are `unsupported`; splits smaller than 3:2 are not detected.
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
      const { symbol, data } = await read("quotes", usTicker(instrument), Quote, signal);
      const { current_price: price, last_trade_time: tradedAt } = data;
      if (data.symbol !== symbol || price === null || tradedAt === null)
        throw new ProviderFailure("malformed", "a quote without price or trade time, or of another symbol");
      return {
        price,
        tradedAt,
        previousClose: data.prev_day_close,
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
