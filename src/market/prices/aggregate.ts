import {
  type BarTimeframe,
  type ProviderTimeframe,
  TIMEFRAME_MS,
  weekStart,
} from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { BarLayout } from "../../domain/market/trading-hours.ts";
import type { PriceProvider, ProviderBar, ProviderBars } from "../../domain/providers/price-provider.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { sessionOf, sessionPartStart } from "../calendar/calendar.ts";

/** Shorter timeframe from which each timeframe can be built. */
const BASE_TIMEFRAME: Readonly<Partial<Record<BarTimeframe, ProviderTimeframe>>> = {
  "1w": "1d",
  "4h": "1h",
  "1h": "30m",
  "30m": "15m",
};

/** Returns the timeframe to request from a provider to build `timeframe`; null if it cannot be built. */
export function baseOf(timeframe: BarTimeframe, reaches: PriceProvider["reaches"]): ProviderTimeframe | null {
  for (let base: BarTimeframe | undefined = timeframe; base !== undefined; base = BASE_TIMEFRAME[base])
    if (base !== "1w" && reaches[base] !== undefined) return base;
  return null;
}

/** Returns the number of aggregation steps from a provider's bars to `timeframe`; 0 if it provides that timeframe. */
export function stepsTo(timeframe: BarTimeframe, reaches: PriceProvider["reaches"]): number {
  const isProvided = timeframe !== "1w" && reaches[timeframe] !== undefined;
  const base = isProvided ? undefined : BASE_TIMEFRAME[timeframe];
  return base === undefined ? 0 : 1 + stepsTo(base, reaches);
}

/**
 * Aggregates bars to a longer timeframe, aligned to the session: 4-hour bars of a stock start at 09:30 and 13:30 New
 * York time, those of a token at 00:00, 04:00 ... UTC. Weeks last from Monday to Sunday. With `by_session`, bars are
 * aligned to the start of pre-market, session and after-hours. Expects sanitized bars in ascending order.
 */
export function aggregate(
  given: ProviderBars,
  timeframe: BarTimeframe,
  assetClass: AssetClass,
  layout: BarLayout = "regular",
): ProviderBars {
  const groups = new Map<number, ProviderBar[]>();
  for (const bar of given.bars) {
    const start = startOf(bar.time, { timeframe, assetClass, layout });
    if (start === null) continue;
    const group = groups.get(start);
    if (group === undefined) groups.set(start, [bar]);
    else group.push(bar);
  }
  return { ...given, bars: [...groups].map(([time, group]) => mergeBars(time, group)) };
}

function startOf(
  time: number,
  {
    timeframe,
    assetClass,
    layout,
  }: { readonly timeframe: BarTimeframe; readonly assetClass: AssetClass; readonly layout: BarLayout },
): number | null {
  if (timeframe === "1w") return weekStart(time);
  const length = TIMEFRAME_MS[timeframe];
  if (assetClass === "crypto") return Math.floor(time / length) * length;
  if (layout === "by_session") {
    const start = sessionPartStart(time);
    return start === null ? null : start + Math.floor((time - start) / length) * length;
  }
  const session = sessionOf(newYorkDate(time));
  if (session === null || time < session.open || time >= session.close) return null;
  return session.open + Math.floor((time - session.open) / length) * length;
}

const mergeBars = (time: number, group: readonly ProviderBar[]): ProviderBar => ({
  time,
  open: group[0]!.open,
  high: Math.max(...group.map(({ high }) => high!)),
  low: Math.min(...group.map(({ low }) => low!)),
  close: group.at(-1)!.close,
  volume: group.reduce((sum, { volume }) => sum + volume!, 0),
});
