import type { BarSeries, Instrument } from "../domain/market.ts";
import { ToolError } from "../kernel/errors.ts";
import type { BarHistory, HistoryRequest } from "../ports/index.ts";

/** Bars of a companion symbol; null where the market has none, so that what depends on it is null with a reason. */
export async function seriesOrNone(
  bars: BarHistory,
  instrument: Instrument | undefined,
  request: HistoryRequest,
): Promise<BarSeries | null> {
  if (instrument === undefined) return null;
  try {
    const series = await bars.history(instrument, request);
    return series.as_of === null ? null : series;
  } catch (cause) {
    if (cause instanceof ToolError && (cause.code === "NOT_ENOUGH_DATA" || cause.code === "NO_PRICE"))
      return null;
    throw cause;
  }
}
