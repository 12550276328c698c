import type { ProviderTimeframe } from "../../domain/market/bars.ts";
import type { AssetClass, Instrument } from "../../domain/market/market.ts";
import {
  type PriceProvider,
  type ProviderBars,
  type ProviderBarsRequest,
  ProviderFailure,
  type ProviderQuote,
} from "../../domain/providers/price-provider.ts";
import { newYorkDate, newYorkDay } from "../../lib/newyork.ts";
import { sessionOf } from "../../market/calendar/calendar.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { QUOTES_PER_CALL, yahooQuotes } from "./batch-quotes.ts";
import {
  actionsOf,
  assertGranularity,
  type ChartResult,
  chartApi,
  type FetchChart,
  type Slot,
  slotsOf,
} from "./client.ts";
import type { CrumbSetup } from "./crumb.ts";

const DAY = 86_400_000;
/** Supported timeframes; Yahoo has no four-hour bars. */
const TIMEFRAMES: readonly ProviderTimeframe[] = ["1d", "1h", "30m", "15m", "5m", "1m"];

/**
 * Reads the bars of the regular session or of extended hours, in one call regardless of their number. The volume of a
 * token is its turnover in dollars, converted to units at the bar's typical price.
 */
export async function barsOf(
  fetchChart: FetchChart,
  instrument: Instrument,
  { timeframe, from, until, extendedHours = false, signal }: ProviderBarsRequest,
): Promise<Pick<ProviderBars, "bars" | "actions">> {
  if (!TIMEFRAMES.includes(timeframe)) throw new ProviderFailure("unsupported", "no bars of this length");
  const daily = timeframe === "1d";
  const query = {
    interval: timeframe,
    period1: Math.floor(from / 1_000),
    // the end is exclusive, and the timestamp of a daily bar is a time within its day
    period2: Math.floor((daily ? until + DAY : until) / 1_000) + 1,
    includePrePost: String(extendedHours),
    events: "div|split",
  };
  const chart = await fetchChart(instrument, query, signal);
  if (chart !== null) assertGranularity(chart, timeframe);
  const crypto = instrument.asset_class === "crypto";
  const bars = (chart === null ? [] : slotsOf(chart))
    .map((slot) => ({
      time: daily ? dayOf(slot.at, crypto) : slot.at,
      open: slot.open,
      high: slot.high,
      low: slot.low,
      close: slot.close,
      volume: crypto ? tokensOf(slot) : slot.volume,
    }))
    .filter(({ time }) => time <= until);
  return { bars, ...(daily && !crypto && chart !== null && { actions: actionsOf(chart) }) };
}

/**
 * Returns 00:00 UTC of a daily bar's date. Yahoo's timestamp of a closed bar is its open, that of the forming bar its
 * newest trade.
 */
const dayOf = (at: number, crypto: boolean): number => (crypto ? Math.floor(at / DAY) * DAY : newYorkDay(at));

function tokensOf({ high, low, close, volume }: Slot): number | null {
  if (high === null || low === null || close === null || volume === null) return null;
  return volume / ((high + low + close) / 3);
}

const MINUTE = 60_000;

/**
 * Returns the chart query for a quote: minute bars of one day with extended hours; for a token, five-minute bars of two
 * days.
 */
const chartFor = (assetClass: AssetClass) =>
  assetClass === "crypto"
    ? { interval: "5m", range: "2d" }
    : { interval: "1m", range: "1d", includePrePost: "true" };

/**
 * Returns the newest trade of a stock or fund in any session. Outside the regular session this is the close of the
 * newest minute with a trade, with the start of that minute as its time. Day figures are those of the regular session;
 * before it opens they are null, and the newest regular price is the previous close.
 */
function stockQuoteOf(chart: ChartResult): ProviderQuote {
  const { meta } = chart;
  const slots = slotsOf(chart);
  const regular = { price: meta.regularMarketPrice, tradedAt: meta.regularMarketTime };
  const newer = slots.findLast(({ at, close }) => close !== null && at > regular.tradedAt);
  const last =
    newer === undefined
      ? { ...regular, officialClose: isAfterSession(regular.tradedAt) }
      : { price: newer.close!, tradedAt: newer.at, officialClose: false };
  const shared = { ...last, volumeScope: "all_venues", venue: "US" } as const;
  const day = newYorkDay(regular.tradedAt);
  if (newYorkDay(last.tradedAt) > day)
    return { ...shared, previousClose: regular.price, open: null, high: null, low: null, volume: null };
  // if the chart begins with an earlier session, chartPreviousClose is the close before that session
  const first = slots[0];
  const before = first !== undefined && newYorkDay(first.at) === day ? meta.chartPreviousClose : null;
  return {
    ...shared,
    previousClose: meta.previousClose ?? before ?? null,
    open: openOf(slots, regular.tradedAt),
    high: meta.regularMarketDayHigh ?? null,
    low: meta.regularMarketDayLow ?? null,
    volume: meta.regularMarketVolume ?? null,
  };
}

/** Returns true for a regular trade at or after the session's close: Yahoo's regular price is then the official close. */
function isAfterSession(tradedAt: number): boolean {
  const session = sessionOf(newYorkDate(tradedAt));
  return session !== null && tradedAt >= session.close;
}

/** Returns the first price of the regular session on the date of a trade; null if there is none. */
function openOf(slots: readonly Slot[], tradedAt: number): number | null {
  const session = sessionOf(newYorkDate(tradedAt));
  if (session === null) return null;
  const { open, close } = session;
  return slots.find((slot) => slot.at >= open && slot.at < close && slot.open !== null)?.open ?? null;
}

/**
 * Returns the price of a token with the figures of its last 24 hours, from five-minute bars; `open` and `previousClose`
 * are both the price 24 hours ago. Its volume is the turnover of 24 hours in dollars, converted to units at the typical
 * price; null if the chart does not reach back 24 hours.
 */
function tokenQuoteOf(chart: ChartResult): ProviderQuote {
  const { meta } = chart;
  const last = { price: meta.regularMarketPrice, tradedAt: meta.regularMarketTime };
  const shared = { ...last, volumeScope: "all_venues", venue: "YAHOO" } as const;
  const traded = slotsOf(chart).filter(isComplete);
  const since = last.tradedAt - DAY;
  const first = traded.findLastIndex(({ at }) => at <= since);
  const then = traded[first];
  if (then === undefined || then.at < since - 30 * MINUTE)
    return { ...shared, previousClose: null, open: null, high: null, low: null, volume: null };
  const day = traded.slice(first);
  const high = Math.max(last.price, ...day.map((slot) => slot.high));
  const low = Math.min(last.price, ...day.map((slot) => slot.low));
  const turnover = meta.regularMarketVolume ?? null;
  return {
    ...shared,
    previousClose: then.open,
    open: then.open,
    high,
    low,
    volume: turnover === null ? null : turnover / ((high + low + last.price) / 3),
  };
}

type CompleteSlot = Slot & { readonly [column in "open" | "high" | "low" | "close"]: number };

const isComplete = (slot: Slot): slot is CompleteSlot =>
  [slot.open, slot.high, slot.low, slot.close].every((price) => price !== null);

/**
 * Creates the provider of Yahoo's charts: US stocks, funds and tokens in dollars, one call each. Prices are adjusted
 * for splits, not for dividends. Volumes are in shares; those of tokens are converted from dollars to units. A token
 * whose name at Yahoo is not known for certain is unsupported. No limit is published. Undocumented; behaviour as
 * recorded from 2020 to 2026.
 */
export function yahoo(setup: ProviderSetup & Partial<Pick<CrumbSetup, "now">>): PriceProvider {
  const fetchChart = chartApi(setup);
  const { now } = setup;
  return {
    name: "yahoo",
    serves: new Set(["equity", "etf", "crypto"]),
    budget: { calls: 60, perMs: 60_000, atOnce: 4 },
    delayMinutes: 0,
    liveWithinMs: 120_000,
    hasActions: true,
    hasExtendedHours: true,
    // days; Yahoo's limits are 730 days for hourly and 60 for shorter bars, and 8 days of minutes per request
    reaches: { "1d": Number.POSITIVE_INFINITY, "1h": 729, "30m": 59, "15m": 59, "5m": 59, "1m": 7 },
    ...(now !== undefined && { batchSize: QUOTES_PER_CALL, latestOf: yahooQuotes({ ...setup, now }) }),
    async latest(instrument, { signal }) {
      const { asset_class } = instrument;
      const chart = await fetchChart(instrument, chartFor(asset_class), signal);
      if (chart === null) throw new ProviderFailure("unknown_symbol", "no price");
      return asset_class === "crypto" ? tokenQuoteOf(chart) : stockQuoteOf(chart);
    },
    async history(instrument, request) {
      const response = await barsOf(fetchChart, instrument, request);
      const crypto = instrument.asset_class === "crypto";
      return {
        ...response,
        adjustment: crypto ? "raw" : "split",
        hours: request.extendedHours === true ? "extended" : "regular",
        volumeScope: "all_venues",
        venue: crypto ? "YAHOO" : "US",
      };
    },
  };
}
