import { countLeading } from "../../lib/count-leading.ts";
import type { Stream } from "./types.ts";

/** Returns the first row whose bar starts at or after `from`; the number of bars if none does. */
export const rowFrom = (time: Float64Array, from: number): number =>
  countLeading(time.length, (row) => time[row]! < from);

/** Returns the union of all streams' bar times from `from` on, ascending. The times of a single stream are not copied. */
export function timelineOf(streams: readonly Stream[], from: number): Float64Array {
  const parts = streams.map(({ bars }) => bars.time.subarray(rowFrom(bars.time, from)));
  if (parts.length === 1) return parts[0]!;
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let filled = 0;
  for (const part of parts) {
    all.set(part, filled);
    filled += part.length;
  }
  all.sort();
  let count = 0;
  for (const time of all) if (count === 0 || all[count - 1] !== time) all[count++] = time;
  return all.slice(0, count);
}
