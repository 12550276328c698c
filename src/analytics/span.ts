import { type Bars, sliceBars, TIMEFRAME_MS } from "../domain/market/bars.ts";

const DAY = 86_400_000;

/** Bars without a gap, and their start index in the full series. */
export interface Span {
  readonly bars: Bars;
  readonly start: number;
}

/**
 * Splits the series at its gaps: steps of more than 20 bars for markets that never close; on an exchange, of more than
 * 10 days, or of more than 3 weeks for weekly bars. No range, average or event spans a gap.
 */
export function eachSpan(bars: Bars): readonly Span[] {
  const most =
    bars.zone === "UTC" ? 20 * TIMEFRAME_MS[bars.timeframe] : bars.timeframe === "1w" ? 21 * DAY : 10 * DAY;
  const { time } = bars;
  const starts = [0];
  for (let bar = 1; bar < time.length; bar++) if (!(time[bar]! - time[bar - 1]! <= most)) starts.push(bar);
  if (starts.length === 1) return [{ bars, start: 0 }];
  return starts.map((start, i) => ({ bars: sliceBars(bars, start, starts[i + 1]), start }));
}
