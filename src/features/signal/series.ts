import type { BarSeries, Instrument } from "../../domain/market/market.ts";
import type { BarHistory, HistoryRequest } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";

const UNAVAILABLE: ReadonlySet<string> = new Set(["NOT_ENOUGH_DATA", "NO_PRICE", "NOT_CONNECTED"]);

/** Reads the bars of another symbol, such as a benchmark; null if unavailable. */
export async function seriesOrNull(
  bars: BarHistory,
  instrument: Instrument | undefined,
  request: HistoryRequest,
): Promise<BarSeries | null> {
  if (instrument === undefined) return null;
  try {
    const series = await bars.history(instrument, request);
    return series.as_of === null ? null : series;
  } catch (cause) {
    if (cause instanceof ToolError && UNAVAILABLE.has(cause.code)) return null;
    throw cause;
  }
}
