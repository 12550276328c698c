import { type Bars, mapColumns } from "../../domain/market/bars.ts";
import type { OmittedRow } from "../../domain/market/omitted-rows.ts";

/** Factor by which a price differs from its neighbours that no move explains which is undone at the next bar. */
const SPIKE_FACTOR = 8;
/** Factor within which the bar after a spike is back at the earlier level. */
const BACK_FACTOR = 3;

/**
 * Leaves out bars with a price more than 8 times, or less than an eighth of, the close before them, if the next close
 * is back within a factor of 3 of that close. The newest bar is left out until the next one confirms its level. Returns
 * the same bars if there is none.
 */
export function omitSpikes(bars: Bars): { readonly bars: Bars; readonly omitted: readonly OmittedRow[] } {
  const { time, high, low, close } = bars;
  const spikes = new Set<number>();
  let before = close[0]!;
  for (let at = 1; at < time.length; at++) {
    const far = high[at]! > before * SPIKE_FACTOR || low[at]! < before / SPIKE_FACTOR;
    const next = close[at + 1];
    const back = next === undefined || (next < before * BACK_FACTOR && next > before / BACK_FACTOR);
    if (far && back) spikes.add(at);
    else before = close[at]!;
  }
  if (spikes.size === 0) return { bars, omitted: [] };
  return {
    bars: mapColumns(bars, (column) => column.filter((_, at) => !spikes.has(at))),
    omitted: [...spikes].map((at) => ({ time: time[at]!, reason: "spike" })),
  };
}
