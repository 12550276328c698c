import {
  type PriceProvider,
  ProviderFailure,
  type ProviderQuote,
} from "../../domain/providers/price-provider.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { indexSessionOn } from "../../market/calendar/index-hours.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { type ChartResult, chartApi, slotsOf } from "./client.ts";
import { barsOf } from "./prices.ts";

/** Code of the exchange of Cboe's indices, whose levels Yahoo has 15 minutes late. */
const CBOE = "CGI";
const CBOE_DELAY_MINUTES = 15;
/** Time after the close of stocks after which a daily level no longer changes, minutes. */
const SETTLING_MINUTES = 30;

/**
 * Creates the provider of Yahoo's charts of indices in dollars, one call each. Daily levels only. Yahoo's volume of an
 * index is that of its stocks, or 0, and is not used. Undocumented; behaviour as recorded in 2026.
 */
export function yahooIndices(setup: ProviderSetup): PriceProvider {
  const fetchChart = chartApi(setup, ({ symbol }) => ({ symbol, kinds: ["INDEX"] }));
  return {
    name: "yahoo",
    serves: new Set(["etf"]),
    budget: { calls: 30, perMs: 60_000, atOnce: 2 },
    delayMinutes: 0,
    barDelayMinutes: SETTLING_MINUTES,
    liveWithinMs: 120_000,
    reaches: { "1d": Number.POSITIVE_INFINITY },
    async latest(instrument, { signal }) {
      const chart = await fetchChart(instrument, { interval: "1d", range: "5d" }, signal);
      if (chart === null) throw new ProviderFailure("unknown_symbol", "no level");
      return quoteOf(chart, instrument.symbol);
    },
    async history(instrument, request) {
      if (request.timeframe !== "1d")
        throw new ProviderFailure("unsupported", "only daily levels are available");
      const { bars } = await barsOf(fetchChart, instrument, request);
      return {
        bars: bars.map((bar) => ({ ...bar, volume: 0 })),
        adjustment: "split",
        hours: "regular",
        volumeScope: "all_venues",
        venue: "US",
      };
    },
  };
}

/** Returns the newest level of a chart of days; from the close of the session on, that is its official close. */
function quoteOf(chart: ChartResult, symbol: string): ProviderQuote {
  const { meta } = chart;
  const day = newYorkDay(meta.regularMarketTime);
  const close = indexSessionOn(symbol, day)?.close ?? null;
  const isOver = close !== null && meta.regularMarketTime >= close;
  const slots = slotsOf(chart);
  return {
    price: meta.regularMarketPrice,
    tradedAt: isOver ? close : meta.regularMarketTime,
    officialClose: isOver,
    previousClose:
      slots.findLast(({ at, close: level }) => level !== null && newYorkDay(at) < day)?.close ?? null,
    open: slots.findLast(({ at }) => newYorkDay(at) === day)?.open ?? null,
    high: meta.regularMarketDayHigh ?? null,
    low: meta.regularMarketDayLow ?? null,
    volume: null,
    volumeScope: "all_venues",
    venue: "US",
    ...(meta.exchangeName === CBOE && { delayMinutes: CBOE_DELAY_MINUTES }),
  };
}
