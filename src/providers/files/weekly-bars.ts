import { type Bar, barColumns, barRows, sliceBars, weekStart } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import { countLeading } from "../../lib/count-leading.ts";
import { barCloseMs, sessionOn } from "../../market/calendar/calendar.ts";
import { aggregate } from "../../market/prices/aggregate.ts";
import type { LoadedSeries } from "./load.ts";

const DAY = 86_400_000;

/**
 * Builds weekly bars from the daily bars of a file that have started by `until` (epoch ms), without a first week whose
 * first session is not in the file, and without a closed last week whose last session is not.
 */
export function weeklyBars(
  { bars, ...rest }: LoadedSeries,
  { asset_class }: Pick<Instrument, "asset_class">,
  until: number,
): LoadedSeries {
  const { zone, adjustment, noSplits } = bars;
  const days = barRows(
    sliceBars(
      bars,
      0,
      countLeading(bars.time.length, (i) => bars.time[i]! <= until),
    ),
  );
  const given = { bars: days, adjustment, hours: "regular", volumeScope: "all_venues", venue: "" } as const;
  const weeks = aggregate(given, "1w", asset_class).bars as Bar[];
  const [first] = days;
  const isSession = (day: number) => zone === "UTC" || sessionOn(day) !== null;
  const lacksStart = (day: number): boolean =>
    day > weekStart(day) && (isSession(day - DAY) || lacksStart(day - DAY));
  if (first !== undefined && lacksStart(first.time)) weeks.shift();
  const [lastDay, lastWeek] = [days.at(-1), weeks.at(-1)];
  if (lastDay !== undefined && lastWeek !== undefined) {
    const close = barCloseMs(lastWeek.time, "1w", zone);
    if (close <= until && barCloseMs(lastDay.time, "1d", zone) < close) weeks.pop();
  }
  return {
    bars: { ...barColumns(weeks, { timeframe: "1w", adjustment, zone }), ...(noSplits && { noSplits }) },
    ...rest,
  };
}
