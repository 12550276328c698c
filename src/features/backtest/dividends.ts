import { rowFrom } from "../../analytics/backtest/timeline.ts";
import type { Dividend } from "../../domain/market/corporate-actions.ts";
import type { Ports } from "../../domain/ports.ts";
import { MAX_BARS, type SymbolHistory } from "./histories.ts";

/**
 * Returns the cash dividends of a stock or fund; null if its provider does not know them, or if its prices do not call
 * for them: only prices that are adjusted for splits alone leave dividends out and fit their amounts.
 */
export async function readDividends(
  { instrument, series }: SymbolHistory,
  { bars }: Pick<Ports, "bars">,
  signal: AbortSignal,
): Promise<readonly Dividend[] | null> {
  if (instrument.asset_class === "crypto" || series.adjustment !== "split") return null;
  if (series.actions !== undefined) return series.actions.dividends;
  try {
    const request = { timeframe: "1d", limit: MAX_BARS.daily, actions: true, signal } as const;
    return (await bars.history(instrument, request)).actions?.dividends ?? null;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/** Returns the dividends by row: each at the first bar that starts on or after its ex-date. */
export function dividendColumn(time: Float64Array, dividends: readonly Dividend[]): Float64Array {
  const column = new Float64Array(time.length);
  for (const { date, amount } of dividends) {
    const row = rowFrom(time, Date.parse(date));
    if (row > 0 && row < time.length) column[row]! += amount;
  }
  return column;
}
