import { rowFrom } from "../../analytics/backtest/timeline.ts";
import type { CorporateActions, Dividend } from "../../domain/market/corporate-actions.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { isoDate } from "../../lib/iso-date.ts";
import { MAX_BARS, type SymbolHistory } from "./histories.ts";

/**
 * Returns the cash dividends of a stock or fund; null if its provider does not know them, or if its prices do not call
 * for them. Amounts are adjusted for splits: they fit prices that are adjusted for splits alone, and raw prices without
 * a split.
 */
export async function readDividends(
  { instrument, series }: SymbolHistory,
  { bars }: Pick<Ports, "bars">,
  signal: AbortSignal,
): Promise<readonly Dividend[] | null> {
  const { adjustment } = series;
  if (instrument.asset_class === "crypto" || (adjustment !== "split" && adjustment !== "raw")) return null;
  const actions = series.actions ?? (await readActions(instrument, { bars }, signal));
  if (actions === null) return null;
  const first = isoDate(series.bars.time[0]!);
  return adjustment === "raw" && actions.splits.some(({ date }) => date > first) ? null : actions.dividends;
}

async function readActions(
  instrument: Instrument,
  { bars }: Pick<Ports, "bars">,
  signal: AbortSignal,
): Promise<CorporateActions | null> {
  try {
    const request = { timeframe: "1d", limit: MAX_BARS.daily, actions: true, signal } as const;
    return (await bars.history(instrument, request)).actions ?? null;
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
