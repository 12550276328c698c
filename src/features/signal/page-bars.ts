import { ODDS_BARS } from "../../analytics/odds/range-model.ts";
import { type BarTimeframe, sliceBars } from "../../domain/market/bars.ts";
import type { Resolution } from "../../domain/market/market.ts";
import { describeOmittedRows } from "../../domain/market/omitted-rows.ts";
import type { Ports } from "../../domain/ports.ts";
import { barRow, newestFirst } from "../../domain/rows.ts";
import { type BarsWithin, barsWithin } from "./bars-within.ts";
import { indicatorColumns, type RequestedIndicator, valueOrNull, warmUpBars } from "./indicator-series.ts";

interface PageBarsRequest {
  readonly timeframe: BarTimeframe;
  readonly as_of: string | undefined;
  /** Number of bars shown. */
  readonly count: number;
  readonly indicators: readonly RequestedIndicator[];
  readonly signal: AbortSignal;
}

/** Reads the bars of a page, with at least as many before them as a signal and the indicators need. */
export const readPageBars = (
  resolution: Resolution,
  { timeframe, as_of, count, indicators, signal }: PageBarsRequest,
  ports: Pick<Ports, "symbols" | "bars" | "clock">,
): Promise<BarsWithin> => {
  const warmUp = Math.max(warmUpBars(indicators), ODDS_BARS - count);
  return barsWithin(resolution, { timeframe, as_of, limit: count, warmUp, signal }, ports);
};

/** Returns the bars of a page as get_history does. */
export function pageBars({ series, first, hasOlder }: BarsWithin, timeframe: BarTimeframe) {
  const shown = sliceBars(series.bars, first);
  const start = shown.time[0];
  return {
    rows: newestFirst(shown),
    count: shown.time.length,
    forming: series.forming === null ? null : barRow(series.forming, timeframe),
    next_as_of: hasOlder && start !== undefined ? new Date(start).toISOString() : null,
    data_as_of: series.as_of,
    source: series.source,
    venue: series.venue,
    adjustment: series.adjustment,
    omitted: describeOmittedRows(
      (series.omitted ?? []).filter(({ time }) => start !== undefined && time >= start),
      timeframe,
    ),
  };
}

/** Returns the indicators at the bars of a page, newest first; without `full` at the newest bar. */
export function pageIndicators(
  { series, first }: BarsWithin,
  { requested, full }: { readonly requested: readonly RequestedIndicator[]; readonly full: boolean },
) {
  const columns = indicatorColumns(requested, series.bars);
  const values: (number | null)[][] = [];
  const newest = series.bars.time.length - 1;
  for (let bar = newest; bar >= (full ? first : newest); bar--)
    values.push(columns.map((column) => valueOrNull(column.values[bar]!)));
  return { columns: columns.map(({ name }) => name), values };
}
