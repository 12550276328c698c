import {
  type Bar,
  barColumns,
  barRows,
  type ProviderTimeframe,
  TIMEFRAME_MS,
} from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { TradingHours } from "../../domain/market/trading-hours.ts";
import { newYorkDate, newYorkDay } from "../../lib/newyork.ts";
import { barCloseMs, sessionOf } from "../../market/calendar/calendar.ts";
import { aggregate } from "../../market/prices/aggregate.ts";
import type { LoadedSeries } from "./load.ts";

/** Time without trades at either end of a day that does not make it incomplete, ms. */
const MAX_QUIET_MS = 30 * 60_000;

/**
 * Builds bars of a longer timeframe from those of a file, without a last bar whose parts are not all there, and without
 * days that lack their beginning or end. Null if the bars of a stock do not start at the open of its session: such a bar
 * belongs to two longer ones. A day is also built from bars on the clock if none of them is outside the session.
 */
export function longerBars(
  { bars, ...rest }: LoadedSeries,
  timeframe: ProviderTimeframe,
  { asset_class, hours }: Pick<Instrument, "asset_class"> & { readonly hours: TradingHours },
): LoadedSeries | null {
  const { zone, adjustment, noSplits } = bars;
  const isStock = zone !== "UTC";
  const length = TIMEFRAME_MS[bars.timeframe];
  const isDay = timeframe === "1d";
  const isMovable = isStock && isDay && hours === "regular";
  const rows = isMovable ? barRows(bars).map((bar) => movedToOpen(bar, length)) : barRows(bars);
  if (isStock && !isMovable && rows.some(({ time }) => isMisaligned(time, length))) return null;
  const given = { bars: rows, adjustment, hours: "regular", volumeScope: "all_venues", venue: "" } as const;
  const merged = aggregate(given, timeframe, asset_class).bars as Bar[];
  // a day of a stock is dated by its session, not by the open
  const dayOf = ({ time }: Bar): number => (isStock && isDay ? newYorkDay(time) : time);
  const closeOf = (bar: Bar): number => barCloseMs(dayOf(bar), timeframe, zone);
  const end = (rows.at(-1)?.time ?? 0) + length;
  const built = merged.filter((bar) => bar !== merged.at(-1) || end >= closeOf(bar));
  const whole = isDay ? built.filter(isWholeDay(rows, { length, closeOf })) : built;
  const dated = whole.map((bar) => ({ ...bar, time: dayOf(bar) }));
  return {
    bars: { ...barColumns(dated, { timeframe, adjustment, zone }), ...(noSplits && { noSplits }) },
    ...rest,
  };
}

/** Returns true for a bar (its start, epoch ms) that does not start at the open of its session or a whole length later. */
function isMisaligned(time: number, length: number): boolean {
  const session = sessionOf(newYorkDate(time));
  if (session === null || time + length <= session.open || time >= session.close) return false;
  return (time - session.open) % length !== 0;
}

/** Moves a bar on the clock that contains the open of a session to that open. */
function movedToOpen(bar: Bar, length: number): Bar {
  const session = sessionOf(newYorkDate(bar.time));
  const spansOpen = session !== null && bar.time < session.open && bar.time + length > session.open;
  return spansOpen ? { ...bar, time: session.open } : bar;
}

/** Returns a test for days whose first and last rows are at the beginning and at the end of trading. */
function isWholeDay(
  rows: readonly Bar[],
  { length, closeOf }: { readonly length: number; readonly closeOf: (day: Bar) => number },
) {
  const slack = Math.max(0, MAX_QUIET_MS - length);
  let at = 0;
  return (day: Bar): boolean => {
    const close = closeOf(day);
    while (at < rows.length && rows[at]!.time < day.time) at++;
    const first = rows[at];
    while (at < rows.length && rows[at]!.time < close) at++;
    const last = rows[at - 1];
    return (
      first !== undefined &&
      last !== undefined &&
      first.time <= day.time + slack &&
      last.time + length >= close - slack
    );
  };
}
