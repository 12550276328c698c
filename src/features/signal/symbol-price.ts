import { barLabel } from "../../domain/market/bars.ts";
import type { BarSeries, Instrument } from "../../domain/market/market.ts";
import type { PagePrice } from "../../domain/signal/symbol-page.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { rounded } from "../../lib/rounded.ts";
import { marketStateAt } from "../../market/calendar/calendar.ts";
import type { Price } from "./price.ts";

interface PriceRequest {
  readonly price: Price;
  /** Closed daily bars; null if they are unavailable. */
  readonly daily: Pick<BarSeries, "bars" | "as_of"> | null;
  /** Time for which the page is requested, epoch ms. */
  readonly at: number;
}

/**
 * Returns a price with its change from the close of the session before. The base is that of the quote, if it has one,
 * else the last daily close before the day of the price. Without a price, the last close is compared with the close before.
 */
export function pagePrice({ asset_class }: Instrument, { price, daily, at }: PriceRequest): PagePrice {
  const closes = daily === null || daily.as_of === null ? [] : closesOf(daily);
  const last = closes.at(-1) ?? null;
  const day = price.as_of === null ? null : dayOf(price.as_of, asset_class);
  const { value, quote } = price;
  const now = value ?? last?.close ?? null;
  const fromBars = closes.findLast((one) => one.day < (value === null ? (last?.day ?? "") : day!)) ?? null;
  const quoted = value === null ? null : (quote?.change ?? null);
  const base = quoted === null ? (fromBars?.close ?? null) : rounded(value! - quoted, 8);
  const change = now === null || base === null ? null : (quoted ?? rounded(now - base, 8));
  return {
    price: value,
    price_source: price.source,
    price_as_of: price.as_of,
    price_reason: price.reason,
    market_state: price.market_state ?? marketStateAt(at, asset_class),
    last_close: last?.close ?? null,
    last_close_day: last?.day ?? null,
    last_close_at: daily?.as_of ?? null,
    change_of: now === null ? null : value === null ? "last_close" : "price",
    previous_close: base,
    // a quote states no day: it is known if the close of the daily bar is the same
    previous_close_day: fromBars !== null && fromBars.close === base ? fromBars.day : null,
    previous_close_source: base === null ? null : quoted === null ? "daily_bars" : "quote",
    change,
    change_percent: change === null ? null : (100 * change) / base!,
    reason:
      change !== null ? null : now === null ? "No price and no daily bar" : "No close before it is known",
  };
}

const closesOf = ({ bars: { time, close } }: Pick<BarSeries, "bars">) =>
  Array.from(time.slice(-3), (start, i) => ({
    day: barLabel(start, "1d"),
    close: close[Math.max(0, time.length - 3) + i]!,
  }));

/** Returns the trading day of a time: in New York, of crypto in UTC. */
const dayOf = (time: string, assetClass: Instrument["asset_class"]): string =>
  assetClass === "crypto" ? time.slice(0, 10) : newYorkDate(Date.parse(time));
