import type { WorldBar } from "../world.ts";
import type { DayCandle } from "./candle.ts";
import { BUCKET, type Buckets } from "./path.ts";

/** A whole day as a bar that starts at `time`. */
export const rowOf = (time: number, candle: DayCandle): WorldBar => ({
  time,
  open: candle.open / candle.scale,
  high: candle.high / candle.scale,
  low: candle.low / candle.scale,
  close: candle.close / candle.scale,
  volume: candle.volume / candle.parts,
});

/** Bars of a length on the grid that starts with the first of these five-minute bars. */
export function rowsOf(parts: readonly Buckets[], length: number): WorldBar[] {
  const rows: WorldBar[] = [];
  const origin = parts[0]?.start ?? 0;
  let row = { time: Number.NaN, open: 0, high: 0, low: 0, close: 0, volume: 0 };
  for (const { start, open, high, low, close, volume } of parts)
    for (let i = 0; i < open.length; i++) {
      const since = start + i * BUCKET - origin;
      const time = origin + since - (since % length);
      if (row.time !== time) {
        row = { time, open: open[i]!, high: high[i]!, low: low[i]!, close: close[i]!, volume: volume[i]! };
        rows.push(row);
        continue;
      }
      row.high = Math.max(row.high, high[i]!);
      row.low = Math.min(row.low, low[i]!);
      row.close = close[i]!;
      row.volume += volume[i]!;
    }
  return rows;
}
