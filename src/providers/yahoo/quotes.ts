import type { AssetClass } from "../../domain/market/market.ts";
import type { ProviderQuote } from "../../domain/providers/price-provider.ts";
import { newYorkDate, newYorkDay } from "../../lib/newyork.ts";
import { sessionOf } from "../../market/calendar/calendar.ts";
import { type ChartResult, type Slot, slotsOf } from "./wire.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

/**
 * Chart query for a quote: minute bars of one day with extended hours; for a token five-minute bars of two
 * days.
 */
export const chartFor = (assetClass: AssetClass) =>
  assetClass === "crypto"
    ? { interval: "5m", range: "2d" }
    : { interval: "1m", range: "1d", includePrePost: "true" };

/**
 * The newest trade of a stock or fund in any session. Outside the regular session it is the close of the
 * newest traded minute, dated by the minute's start. Day figures are those of the regular session; before it
 * opens they are null, and the newest regular price is the previous close.
 */
export function stockQuoteOf(chart: ChartResult): ProviderQuote {
  const { meta } = chart;
  const slots = slotsOf(chart);
  const regular = { price: meta.regularMarketPrice, tradedAt: meta.regularMarketTime };
  const newer = slots.findLast(({ at, close }) => close !== null && at > regular.tradedAt);
  const last = newer === undefined ? regular : { price: newer.close!, tradedAt: newer.at };
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

/** Returns the first price of the regular session on the date of a trade; null if there is none. */
function openOf(slots: readonly Slot[], tradedAt: number): number | null {
  const session = sessionOf(newYorkDate(tradedAt));
  if (session === null) return null;
  const { open, close } = session;
  return slots.find((slot) => slot.at >= open && slot.at < close && slot.open !== null)?.open ?? null;
}

/**
 * Returns the price of a token and its last 24 hours in five-minute steps; `open` and `previousClose` are
 * both the price 24 hours ago. Its volume is the turnover of 24 hours in dollars, converted to units at the
 * typical price; null if the chart does not reach back 24 hours.
 */
export function tokenQuoteOf(chart: ChartResult): ProviderQuote {
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
