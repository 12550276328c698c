import { barColumns, barRows } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { barCloseMs, sessionOf } from "../../market/calendar/calendar.ts";
import { aggregate } from "../../market/prices/aggregate.ts";
import type { LoadedSeries } from "./load.ts";

const HOUR = 3_600_000;

/**
 * Builds 4-hour bars from the 1-hour bars of a file, without a last bar whose hours are not all there. Null if the hours
 * of a stock do not start at the open of its session: such an hour belongs to two 4-hour bars.
 */
export function fourHourBars(
  { bars, omitted }: LoadedSeries,
  { asset_class }: Pick<Instrument, "asset_class">,
): LoadedSeries | null {
  const { zone, adjustment } = bars;
  const hours = barRows(bars);
  const misaligned = ({ time }: { readonly time: number }) => {
    const session = sessionOf(newYorkDate(time));
    if (session === null || time + HOUR <= session.open || time >= session.close) return false;
    return (time - session.open) % HOUR !== 0;
  };
  if (zone !== "UTC" && hours.some(misaligned)) return null;
  const given = { bars: hours, adjustment, hours: "regular", volumeScope: "all_venues", venue: "" } as const;
  const built = aggregate(given, "4h", asset_class).bars.map(({ time, open, high, low, close, volume }) => ({
    time,
    open: open!,
    high: high!,
    low: low!,
    close: close!,
    volume: volume!,
  }));
  const last = built.at(-1);
  const end = hours.at(-1);
  if (last !== undefined && end !== undefined && end.time + HOUR < barCloseMs(last.time, "4h", zone))
    built.pop();
  return { bars: barColumns(built, { timeframe: "4h", adjustment, zone }), omitted };
}
