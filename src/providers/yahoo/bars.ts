import type { Timeframe } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import {
  type ProviderBar,
  type ProviderBarsRequest,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import type { FetchChart } from "./client.ts";
import { type Slot, slotsOf } from "./wire.ts";

const DAY = 86_400_000;
/** Supported bar lengths; Yahoo has no four-hour bars. */
const LENGTHS: readonly Timeframe[] = ["1d", "1h", "30m", "15m", "5m"];

/**
 * Bars of the regular session, in one call whatever their number. The volume of a token is its turnover in
 * dollars, converted to units at the bar's typical price.
 */
export async function barsOf(
  fetchChart: FetchChart,
  instrument: Instrument,
  { timeframe, from, until, signal }: ProviderBarsRequest,
): Promise<readonly ProviderBar[]> {
  if (!LENGTHS.includes(timeframe)) throw new ProviderFailure("unsupported", "no bars of this length");
  const daily = timeframe === "1d";
  const query = {
    interval: timeframe,
    period1: Math.floor(from / 1_000),
    // the end is exclusive, and a daily bar is stamped at a time within its day
    period2: Math.floor((daily ? until + DAY : until) / 1_000) + 1,
    includePrePost: "false",
    events: "split",
  };
  const chart = await fetchChart(instrument, query, signal);
  const crypto = instrument.asset_class === "crypto";
  return (chart === null ? [] : slotsOf(chart))
    .map((slot) => ({
      time: daily ? dayOf(slot.at, crypto) : slot.at,
      open: slot.open,
      high: slot.high,
      low: slot.low,
      close: slot.close,
      volume: crypto ? tokensOf(slot) : slot.volume,
    }))
    .filter(({ time }) => time <= until);
}

/**
 * Returns 00:00 UTC of a daily bar's date. Yahoo stamps a closed bar at its open, the forming bar at its
 * newest trade.
 */
const dayOf = (at: number, crypto: boolean): number => (crypto ? Math.floor(at / DAY) * DAY : newYorkDay(at));

function tokensOf({ high, low, close, volume }: Slot): number | null {
  if (high === null || low === null || close === null || volume === null) return null;
  return volume / ((high + low + close) / 3);
}
